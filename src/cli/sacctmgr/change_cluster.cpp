#include <fmt/core.h>

#include "base/text.h"
#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/associations.h"
#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/clusters.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/inheritance.h"

namespace grappe::sacctmgr {
namespace {

struct ClusterSettings {
  Names names;
  std::optional<std::string> classification;
  std::optional<Names> features;
  char feature_operation = 0;
  bool federation = false;
  AssociationSettings root;
};

// False: the word is none of a cluster's settings; what is wrong with one has been said.
bool take_cluster_setting(Session& session, ClusterSettings& settings, const Word& word,
                          const v1::BooksResponse& books) {
  if (!word.has_value || is_key(word, "Names", 1) || is_key(word, "Clusters", 2)) {
    add_names(settings.names, word.value);
    return true;
  }
  if (is_key(word, "Classification", 3)) {
    settings.classification = to_lower(word.value);
    return true;
  }
  if (is_key(word, "Features", 2)) {
    settings.features = parse_names(word.value);
    settings.feature_operation = word.operation;
    return true;
  }
  if (is_key(word, "Federation", 3) || is_key(word, "FedState", 3)) {
    session.complain(" Federations are not supported: there is one cluster\n");
    return true;
  }
  return set_association(session, settings.root, word, books);
}

// Usage that every job adds to can't be limited where nothing is outside of it.
bool check_root_limits(Session& session, const AssociationSettings& root) {
  const unsigned before = session.complaints;
  for (const LimitChange& change : root.limits) {
    const F field = change.limit->field;
    if (field == F::kGrpTresMins || field == F::kGrpTresRunMins || field == F::kGrpWall) {
      session.complain(
          fmt::format("{} is not a valid option for the root association of a cluster.\n",
                      change.limit->label));
    }
  }
  return session.complaints == before;
}

void apply_to_cluster(const ClusterSettings& settings, v1::ClusterRecord& cluster) {
  if (settings.classification) cluster.set_classification(*settings.classification);
  if (!settings.features) return;
  Names features(cluster.features().begin(), cluster.features().end());
  if (!settings.feature_operation) features.clear();
  for (const std::string& name : *settings.features) {
    std::erase(features, name);
    if (settings.feature_operation != '-') features.push_back(name);
  }
  cluster.mutable_features()->Assign(features.begin(), features.end());
}

// " Setting" and what is set.
std::string setting_text(const ClusterSettings& settings) {
  std::string text;
  if (settings.classification) {
    text += fmt::format("  Classification = {}\n", class_name(*settings.classification));
  }
  if (settings.features) {
    text +=
        fmt::format("  Feature     {}= {}\n",
                    settings.feature_operation ? std::string(1, settings.feature_operation) : "  ",
                    join(*settings.features, ","));
  }
  if (settings.root.any()) text += "  Default Limits:\n" + settings_text(settings.root);
  return text.empty() ? "" : " Setting\n" + text;
}

struct ModifyCluster {
  ClusterCondition where;
  ClusterSettings set;
};

bool read_cluster_modify(Session& session, Words words, ModifyCluster& request,
                         const v1::BooksResponse& books) {
  const ModifyWords parts = split_modify(words);
  const unsigned before = session.complaints;
  take_conditions(session, parts.where, request.where, take_cluster_word);
  for (const Word& word : parts.set) {
    if (take_cluster_setting(session, request.set, word, books)) continue;
    complain_of_option(session, word);
  }
  check_root_limits(session, request.set.root);
  return may_modify(session, before, !parts.set.empty(), request.where.chooses());
}

}  // namespace

void add_clusters(Session& session, Words words) {
  auto books = session.books(kEverything);
  if (!books) return;
  ClusterSettings settings;
  const unsigned before = session.complaints;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!take_cluster_setting(session, settings, word, *books)) {
      complain_of_option(session, word);
    }
  }
  if (session.complaints != before || !check_root_limits(session, settings.root)) return;
  if (settings.names.empty()) return session.complain(" Need name of cluster to add.\n");
  Change change(session);
  std::string names;
  for (const std::string& name : settings.names) {
    bool known = false;
    for (const v1::ClusterRecord& old : books->clusters()) {
      known |= old.name() == name && !old.stamp().deleted();
    }
    if (known) {
      session.fail(fmt::format(" This cluster {} already exists.  Not adding.\n", name));
      continue;
    }
    v1::ClusterRecord cluster;
    cluster.set_name(name);
    apply_to_cluster(settings, cluster);
    change.put(cluster);
    if (settings.root.any()) {
      v1::Association root;
      root.set_cluster(name);
      root.set_account("root");
      root.add_qos("normal");
      // What comes with the cluster is changed.
      root.mutable_stamp()->set_version(1);
      apply(settings.root, root);
      change.put(root);
    }
    names += fmt::format("  Name           = {}\n", name);
  }
  if (change.empty()) return;
  session.say(" Adding Cluster(s)\n" + names + setting_text(settings));
  if (!change.begin(" Problem adding clusters")) return;
  change.finish();
}

void modify_clusters(Session& session, Words words) {
  auto books = session.books(kEverything);
  if (!books) return;
  ModifyCluster request;
  if (!read_cluster_modify(session, words, request, *books)) return;
  session.say(setting_text(request.set));
  Change change(session);
  Names names, lines;
  for (const v1::ClusterRecord& cluster : books->clusters()) {
    if (!matches(request.where, cluster)) continue;
    if (request.set.classification || request.set.features) {
      v1::ClusterRecord changed = cluster;
      apply_to_cluster(request.set, changed);
      change.put(changed);
      names.push_back(cluster.name());
    }
    const v1::Association* root = find_association(*books, cluster.name(), "root");
    if (!root || !request.set.root.any()) continue;
    v1::Association changed = *root;
    apply(request.set.root, changed);
    change.put(changed);
    for (std::string& line : lines_with_heirs(*root, request.set.root, *books)) {
      lines.push_back(std::move(line));
    }
  }
  if (change.empty()) return session.fail(" Nothing modified\n");
  if (!change.begin()) return;
  if (!names.empty()) session.say(" Modified cluster...\n" + indented(names));
  if (!lines.empty()) {
    session.say(" Modified cluster defaults for associations...\n" + indented(lines));
  }
  change.finish();
}

void delete_clusters(Session& session, Words words) {
  ClusterCondition condition;
  const bool known = read_conditions(session, words, condition, take_cluster_word);
  if (!known || !condition.chooses()) {
    return session.complain(" No conditions given to remove, not executing.\n");
  }
  auto books = session.books(kClusters);
  if (!books) return;
  Change change(session);
  Names names;
  for (const v1::ClusterRecord& cluster : books->clusters()) {
    if (!matches(condition, cluster)) continue;
    change.remove(cluster);
    names.push_back(cluster.name());
  }
  if (change.empty()) return session.fail(" Nothing deleted\n");
  if (!change.begin()) return;
  session.say(" Deleting clusters...\n" + indented(names));
  change.finish();
}

}  // namespace grappe::sacctmgr
