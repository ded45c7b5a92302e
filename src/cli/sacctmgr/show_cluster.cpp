#include "base/text.h"
#include "cli/sacctmgr/associations.h"
#include "cli/sacctmgr/clusters.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/listing.h"

namespace grappe::sacctmgr {
namespace {

constexpr std::string_view kClusterColumns = "Cl,Controlh,Controlp,RPC";
constexpr std::string_view kClusterLimits =
    ",Fa,GrpJ,GrpTRES,GrpS,MaxJ,MaxTRES,MaxS,MaxW,QOS,DefaultQOS";
constexpr std::string_view kFederationColumns = ",Federation,ID,Features,FedState";

constexpr Key<ClusterCondition> kClusterKeys[] = {
    {"Names", 1, [](ClusterCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Clusters", 3, [](ClusterCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Classification", 3,
     [](ClusterCondition& c, const Word& w) { add_wanted(c.classifications, w.value); }},
    {"Federations", 3,
     [](ClusterCondition& c, const Word& w) { add_wanted(c.federations, w.value); }},
    {"Flags", 2, [](ClusterCondition& c, const Word& w) { add_wanted(c.flags, w.value); }},
    {"RPCVersions", 1, [](ClusterCondition& c, const Word& w) { add_wanted(c.rpc, w.value); }},
};

// "cpu=32,mem=128000" -> by name, and memory as a size.
std::string tres_in_order(std::string_view text) {
  Amounts amounts;
  for (std::string_view part : split_words(text, ",")) {
    const size_t equal = std::min(part.find('='), part.size());
    auto amount = parse_uint(part.substr(std::min(equal + 1, part.size())));
    if (amount) amounts[std::string(part.substr(0, equal))] = *amount;
  }
  return tres_text(amounts);
}

std::string cluster_value(F field, const v1::ClusterRecord& cluster, const v1::Association* root,
                          const AssociationView& view) {
  switch (field) {
    case F::kCluster:
      return cluster.name();
    case F::kClass:
      return class_name(cluster.classification());
    case F::kControlHost:
      return cluster.control_host();
    case F::kControlPort:
      return std::to_string(cluster.control_port());
    case F::kRpc:
      return std::to_string(cluster.rpc_version());
    case F::kClusterNodes:
      return cluster.nodes();
    case F::kNodeCount:
      return std::to_string(cluster.node_count());
    case F::kTres:
      return tres_in_order(cluster.tres());
    case F::kFlags:
      return "None";
    case F::kFeatures: {
      const auto& names = cluster.features();
      return join(std::vector<std::string>(names.begin(), names.end()), ",");
    }
    case F::kNodeNames:
      return "";
    case F::kFedState:
      return "NA";
    case F::kId:
      return "0";
    case F::kPluginSelect:
      return "109";
    default:
      return root ? association_value(field, *root, view) : "";
  }
}

}  // namespace

std::string class_name(std::string_view classification) {
  std::string name(classification);
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') {
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
  }
  return name;
}

bool ClusterCondition::chooses() const {
  return !names.empty() || !classifications.empty() || !features.empty() || !federations.empty() ||
         !flags.empty() || !rpc.empty();
}

bool take_cluster_word(ClusterCondition& condition, const Word& word) {
  if (!word.has_value && is_key(word, "WithDeleted", 5)) return condition.deleted = true;
  if (!word.has_value && is_key(word, "WithFed", 5)) return condition.with_federation = true;
  if (!word.has_value && is_key(word, "WOLimits", 3)) return condition.without_limits = true;
  if (!word.has_value) {
    add_wanted(condition.names, word.value);
    return true;
  }
  return take_format(condition.format, word) ||
         set_by_key<ClusterCondition>(kClusterKeys, condition, word);
}

bool matches(const ClusterCondition& condition, const v1::ClusterRecord& cluster) {
  if (!condition.features.empty() &&
      std::none_of(cluster.features().begin(), cluster.features().end(),
                   [&](const std::string& name) { return contains(condition.features, name); })) {
    return false;
  }
  // No cluster is of a federation, and none has a flag.
  if (!condition.federations.empty() || !condition.flags.empty()) return false;
  return admits(condition.names, cluster.name()) &&
         admits(condition.classifications, to_lower(cluster.classification())) &&
         admits(condition.rpc, std::to_string(cluster.rpc_version()));
}

void show_clusters(Session& session, Words words) {
  ClusterCondition condition;
  if (!read_conditions(session, words, condition, take_cluster_word)) return;
  std::string columns(kClusterColumns);
  if (!condition.without_limits) columns += kClusterLimits;
  if (condition.with_federation) columns += kFederationColumns;
  auto listing = Listing::make(session, condition.format, columns);
  if (!listing) return;
  auto books = session.books(kClusters | kAssociations | kQos | kTres, condition.deleted);
  if (!books) return;
  const AssociationView view{*books};
  for (const v1::ClusterRecord& cluster : books->clusters()) {
    if (!matches(condition, cluster)) continue;
    const v1::Association* root = find_association(*books, cluster.name(), "root");
    listing->row([&](F field) { return cluster_value(field, cluster, root, view); });
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
