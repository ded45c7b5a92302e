#include <algorithm>
#include <map>

#include "base/text.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/listing.h"
#include "cli/sacctmgr/resources.h"

namespace grappe::sacctmgr {
namespace {

constexpr std::string_view kResourceColumns = "Name,Server,Type,Count,Allocated,ServerType";

#define RESOURCE_NAMES(member) \
  [](ResourceCondition& c, const Word& w) { add_wanted(c.member, w.value); }

constexpr Key<ResourceCondition> kResourceKeys[] = {
    {"Names", 1, RESOURCE_NAMES(names)},
    {"Clusters", 1, RESOURCE_NAMES(clusters)},
    {"Descriptions", 1, RESOURCE_NAMES(descriptions)},
    {"Ids", 1, RESOURCE_NAMES(ids)},
    {"PercentAllowed", 1, RESOURCE_NAMES(percents)},
    {"ServerType", 7, RESOURCE_NAMES(managers)},
    {"Server", 2, RESOURCE_NAMES(servers)},
};

std::string resource_value(F field, const v1::Resource& resource, const std::string& cluster,
                           uint32_t percent) {
  switch (field) {
    case F::kName:
      return resource.name();
    case F::kServer:
      return resource.server();
    case F::kServerType:
      return resource.manager();
    case F::kType:
      return resource.type().empty() ? "License" : resource.type();
    case F::kCount:
      return std::to_string(resource.count());
    case F::kDescription:
      return resource.description();
    case F::kId:
      return std::to_string(resource.id());
    case F::kAllocated:
      return std::to_string(allocated_percent(resource));
    case F::kCluster:
      return cluster;
    case F::kAllowed:
      return cluster.empty() ? "" : std::to_string(percent);
    case F::kCountAllowed:
      return std::to_string(resource.count() * percent / 100);
    case F::kCountUsed:
      return std::to_string(resource.count() * allocated_percent(resource) / 100);
    case F::kFlags: {
      const auto& flags = resource.flags();
      return join(std::vector<std::string>(flags.begin(), flags.end()), ",");
    }
    default:
      return "";
  }
}

}  // namespace

uint32_t allocated_percent(const v1::Resource& resource) {
  uint32_t sum = 0;
  for (const auto& [cluster, percent] : resource.allowed()) sum += percent;
  return sum;
}

bool ResourceCondition::chooses() const {
  return !names.empty() || !servers.empty() || !managers.empty() || !descriptions.empty() ||
         !types.empty() || !clusters.empty() || !ids.empty() || !flags.empty() || !percents.empty();
}

bool take_resource_word(ResourceCondition& condition, const Word& word) {
  if (!word.has_value && is_key(word, "WithDeleted", 5)) return condition.deleted = true;
  if (!word.has_value && is_key(word, "WithClusters", 5)) return condition.with_clusters = true;
  if (!word.has_value) {
    add_wanted(condition.names, word.value);
    return true;
  }
  return take_format(condition.format, word) ||
         set_by_key<ResourceCondition>(kResourceKeys, condition, word);
}

bool matches(const ResourceCondition& c, const v1::Resource& resource) {
  const bool its_cluster =
      c.clusters.empty() ||
      std::any_of(resource.allowed().begin(), resource.allowed().end(),
                  [&](const auto& one) { return contains(c.clusters, one.first); });
  const std::string type = resource.type().empty() ? "license" : to_lower(resource.type());
  return its_cluster && admits(c.names, resource.name()) && admits(c.servers, resource.server()) &&
         admits(c.managers, to_lower(resource.manager())) && admits(c.types, type) &&
         admits(c.descriptions, to_lower(resource.description())) &&
         admits(c.ids, std::to_string(resource.id())) && c.flags.empty();
}

void show_resources(Session& session, Words words) {
  ResourceCondition condition;
  if (!read_conditions(session, words, condition, take_resource_word, kResourceHint)) return;
  std::string columns(kResourceColumns);
  if (condition.with_clusters) columns += ",Cluster,Allowed";
  auto listing = Listing::make(session, condition.format, columns);
  if (!listing) return;
  auto books = session.books(kResources, condition.deleted);
  if (!books) return;
  for (const v1::Resource& resource : books->resources()) {
    if (!matches(condition, resource)) continue;
    if (!condition.with_clusters) {
      listing->row([&](F field) { return resource_value(field, resource, "", 0); });
      continue;
    }
    const std::map<std::string, uint32_t> allowed(resource.allowed().begin(),
                                                  resource.allowed().end());
    for (const auto& [cluster, percent] : allowed) {
      if (!admits(condition.clusters, cluster)) continue;
      listing->row([&](F field) { return resource_value(field, resource, cluster, percent); });
    }
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
