#include <fmt/core.h>

#include <map>

#include "base/text.h"
#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/resources.h"

namespace grappe::sacctmgr {
namespace {

struct ResourceSettings {
  Names names, clusters;
  std::string server = "slurmdb";
  std::optional<std::string> manager, description, type;
  std::optional<uint32_t> count, percent;
  std::string wrong;  // the message
};

void set_number(std::optional<uint32_t>& into, ResourceSettings& s, std::string_view key,
                const Word& word) {
  auto number = parse_uint(word.value, UINT32_MAX - 2);
  if (number) {
    into = static_cast<uint32_t>(*number);
  } else {
    s.wrong = fmt::format("Invalid value for {} ({})", key, word.value);
  }
}

void set_type(ResourceSettings& s, const Word& word) {
  if (iequals(word.value, "License")) {
    s.type = "License";
  } else {
    s.wrong = fmt::format(" Unknown resource type: '{}'  Valid resources is License.", word.value);
  }
}

constexpr Key<ResourceSettings> kResourceSettingKeys[] = {
    {"Names", 1, [](ResourceSettings& s, const Word& w) { add_names(s.names, w.value); }},
    {"Resources", 1, [](ResourceSettings& s, const Word& w) { add_names(s.names, w.value); }},
    {"Clusters", 2, [](ResourceSettings& s, const Word& w) { add_names(s.clusters, w.value); }},
    {"Count", 2, [](ResourceSettings& s, const Word& w) { set_number(s.count, s, "Count", w); }},
    {"Description", 1, [](ResourceSettings& s, const Word& w) { s.description = w.value; }},
    {"Flags", 2,
     [](ResourceSettings& s, const Word& w) {
       s.wrong = fmt::format(
           " Unknown Server Resource flag used in:\n  '{}'\n Valid Server Resource flags are\n ''",
           w.value);
     }},
    {"PercentAllowed", 1,
     [](ResourceSettings& s, const Word& w) { set_number(s.percent, s, "PercentAllowed", w); }},
    {"ServerType", 7, [](ResourceSettings& s, const Word& w) { s.manager = w.value; }},
    {"Server", 1, [](ResourceSettings& s, const Word& w) { s.server = to_lower(w.value); }},
    {"Type", 1, set_type},
};

const v1::Resource* find_resource(const v1::BooksResponse& books, std::string_view name,
                                  std::string_view server) {
  for (const v1::Resource& one : books.resources()) {
    if (one.name() == name && one.server() == server && !one.stamp().deleted()) return &one;
  }
  return nullptr;
}

// False: it would not fit, or something is missing; it has been said.
bool check_new(Session& session, const ResourceSettings& s, const std::string& name,
               const v1::Resource* known) {
  if (!known && !s.type) {
    session.complain(
        fmt::format(" Need to designate a resource type to initially add '{}'.\n", name));
    return false;
  }
  if (!known && !s.count) {
    session.complain(
        fmt::format(" Need to designate a resource count to initially add '{}'.\n", name));
    return false;
  }
  const uint32_t used = known ? allocated_percent(*known) : 0;
  const uint64_t wanted = used + uint64_t{s.percent.value_or(0)} * s.clusters.size();
  if (wanted <= 100) return true;
  session.complain(fmt::format(
      " Adding this {} clusters to resource {}@{} at {}% each , with {}% already used,  would go "
      "over 100%.  Please redo your math and resubmit.\n",
      s.clusters.size(), name, s.server, s.percent.value_or(0), used));
  return false;
}

std::string resource_text(const Names& lines, const ResourceSettings& s, bool any_new) {
  std::string text = " Adding Resource(s)\n";
  for (const std::string& line : lines) text += line;
  if (!any_new) return text;
  text += " Settings\n";
  text += fmt::format("  Name           = {}\n", s.names.back());
  text += fmt::format("  Server         = {}\n", s.server);
  text += fmt::format("  Description    = {}\n", s.description.value_or(s.names.back()));
  if (s.manager) text += fmt::format("  ServerType     = {}\n", *s.manager);
  if (s.count) text += fmt::format("  Count          = {}\n", *s.count);
  text += fmt::format("  Type           = {}\n", s.type.value_or("License"));
  return text;
}

// "  Cluster - peer\t- matlab@flex" of each that has a part of it.
std::string cluster_lines(const v1::Resource& resource, const Names& clusters) {
  std::string lines;
  for (const auto& [cluster, percent] :
       std::map<std::string, uint32_t>(resource.allowed().begin(), resource.allowed().end())) {
    if (!admits(clusters, cluster)) continue;
    lines += fmt::format("  Cluster - {}\t- {}@{}\n", cluster, resource.name(), resource.server());
  }
  return lines;
}

void complain_of_percents(Session& session, const v1::Resource& resource) {
  session.error("You can not allocate more than 100% of a resource");
  std::string text = fmt::format(" If change was accepted it would look like this...\n  {}@{}\n",
                                 resource.name(), resource.server());
  for (const auto& [cluster, percent] : resource.allowed()) {
    text += fmt::format("   Cluster - {}\t {}%\n", cluster, percent);
  }
  session.complain(text + fmt::format("   total\t\t{}%\n", allocated_percent(resource)));
}

void finish_change(Session& session, Change& change, const std::string& text) {
  if (change.empty()) return session.fail(" Nothing modified\n");
  if (!change.begin()) return;
  session.say(text);
  change.finish();
}

}  // namespace

void add_resources(Session& session, Words words) {
  ResourceSettings settings;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!word.has_value) {
      add_names(settings.names, word.value);
    } else if (!set_by_key<ResourceSettings>(kResourceSettingKeys, settings, word)) {
      return session.complain(" Unknown option: " + text + "\n");
    }
    if (!settings.wrong.empty()) return session.complain(settings.wrong + "\n");
  }
  if (settings.names.empty()) return session.complain(" Need name of resource to add.\n");
  auto books = session.books(kResources | kClusters);
  if (!books) return;
  if (!settings.clusters.empty() && !chosen_clusters(session, settings.clusters, *books)) return;
  Change change(session);
  Names lines;
  bool any_new = false;
  for (const std::string& name : settings.names) {
    const v1::Resource* known = find_resource(*books, name, settings.server);
    if (!check_new(session, settings, name, known)) return;
    v1::Resource record = known ? *known : v1::Resource();
    record.set_name(name);
    record.set_server(settings.server);
    if (!known) {
      record.set_count(*settings.count);
      record.set_type("License");
      record.set_manager(settings.manager.value_or(""));
      record.set_description(settings.description.value_or(name));
    }
    std::string line = fmt::format("  {}@{}\n", name, settings.server);
    for (const std::string& cluster : settings.clusters) {
      if (record.allowed().contains(cluster)) continue;
      (*record.mutable_allowed())[cluster] = settings.percent.value_or(0);
      line += fmt::format("   Cluster - {}\t{}%\n", cluster, settings.percent.value_or(0));
    }
    if (known && record.allowed_size() == known->allowed_size()) continue;
    any_new |= !known;
    change.put(record);
    lines.push_back(line);
  }
  if (change.empty()) return session.fail(" Nothing new added.\n");
  session.say(resource_text(lines, settings, any_new));
  if (!change.begin(" Problem adding system resource")) return;
  change.finish();
}

void modify_resources(Session& session, Words words) {
  const ModifyWords parts = split_modify(words);
  ResourceCondition where;
  ResourceSettings set;
  const unsigned before = session.complaints;
  take_conditions(session, parts.where, where, take_resource_word);
  for (const Word& word : parts.set) {
    if (is_key(word, "Clusters", 2)) {
      session.complain(" Can't modify the cluster of an resource\n");
    } else if (!set_by_key<ResourceSettings>(kResourceSettingKeys, set, word)) {
      complain_of_option(session, word);
    } else if (!set.wrong.empty()) {
      session.complain(set.wrong + "\n");
    }
  }
  if (set.count && !where.clusters.empty()) {
    session.complain(
        "Can't change \"count\" on a cluster-based resource. Remove cluster selection.\n");
  }
  if (set.percent && where.clusters.empty()) {
    session.complain("Can't change \"percentallowed\" without specifying a cluster.\n");
  }
  if (!may_modify(session, before, !parts.set.empty(), where.chooses())) return;
  auto books = session.books(kResources);
  if (!books) return;
  Change change(session);
  std::string text = " Modified server resource ...\n";
  for (const v1::Resource& old : books->resources()) {
    if (!matches(where, old)) continue;
    v1::Resource record = old;
    if (set.count) record.set_count(*set.count);
    if (set.manager) record.set_manager(*set.manager);
    if (set.description) record.set_description(*set.description);
    for (auto& [cluster, percent] : *record.mutable_allowed()) {
      if (set.percent && admits(where.clusters, cluster)) percent = *set.percent;
    }
    if (allocated_percent(record) > 100) return complain_of_percents(session, record);
    if (where.clusters.empty()) text += fmt::format("  {}@{}\n", old.name(), old.server());
    text += cluster_lines(record, where.clusters);
    change.put(record);
  }
  finish_change(session, change, text);
}

void delete_resources(Session& session, Words words) {
  ResourceCondition condition;
  const bool known = read_conditions(session, words, condition, take_resource_word, kResourceHint);
  if (!known || !condition.chooses()) {
    return session.complain(" No conditions given to remove, not executing.\n");
  }
  auto books = session.books(kResources);
  if (!books) return;
  Change change(session);
  std::string text = " Deleting resource(s)...\n";
  for (const v1::Resource& old : books->resources()) {
    if (!matches(condition, old)) continue;
    if (condition.clusters.empty()) text += fmt::format("  {}@{}\n", old.name(), old.server());
    text += cluster_lines(old, condition.clusters);
    if (condition.clusters.empty()) {
      change.remove(old);
      continue;
    }
    v1::Resource record = old;
    for (const std::string& cluster : condition.clusters) record.mutable_allowed()->erase(cluster);
    change.put(record);
  }
  if (change.empty()) return session.fail(" Nothing deleted\n");
  finish_change(session, change, text);
}

}  // namespace grappe::sacctmgr
