#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/duration.h"
#include "base/text.h"
#include "cli/check/policy.h"

namespace grappe {
namespace {

using Findings = std::vector<Finding>;

bool lists(std::string_view list, std::string_view word) {
  const auto words = split_words(list, ",");
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view w) { return iequals(w, word); });
}

uint64_t number(std::string_view text) {
  return parse_uint(text, UINT64_MAX).value_or(0);
}

size_t count_users(const v1::BooksResponse& books) {
  return static_cast<size_t>(
      std::count_if(books.associations().begin(), books.associations().end(),
                    [](const v1::Association& a) { return !a.user().empty(); }));
}

void weights_are_all_zero(const SitePolicy& p, Findings& out) {
  if (!p.by_multifactor()) return;
  for (const char* key :
       {"PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairShare",
        "PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS"}) {
    if (number(p.setting(key))) return;
  }
  const std::string_view tres = p.setting("PriorityWeightTRES");
  if (!tres.empty() && tres != "(null)") return;
  out.push_back(
      {"PriorityType=priority/multifactor, but every weight is 0: all jobs have the same "
       "priority, and the first to come is the first served.",
       "PriorityWeightFairShare=100000 PriorityWeightAge=1000"});
}

void fair_share_is_too_coarse(const SitePolicy& p, Findings& out) {
  const uint64_t weight = number(p.setting("PriorityWeightFairShare"));
  const uint64_t users = count_users(p.books);
  if (!p.by_multifactor() || !weight || weight >= 2 * users) return;
  out.push_back({fmt::format("PriorityWeightFairShare={} can't tell {} users apart: ranks are "
                             "rounded to whole numbers.",
                             weight, users),
                 fmt::format("PriorityWeightFairShare={}", std::max<uint64_t>(10 * users, 10000))});
}

void fair_share_is_not_used(const SitePolicy& p, Findings& out) {
  const auto& all = p.books.associations();
  const bool shared = std::any_of(all.begin(), all.end(), [](const v1::Association& a) {
    return a.has_shares() && a.shares() != 1;
  });
  if (!shared || (p.by_multifactor() && number(p.setting("PriorityWeightFairShare")))) return;
  out.push_back({"Shares are set in the books, but fair share has no weight in the priority.",
                 "PriorityType=priority/multifactor PriorityWeightFairShare=100000"});
}

bool has_limits(const v1::Limits& limits) {
  return limits.ByteSizeLong() > 0;
}

void limits_are_not_enforced(const SitePolicy& p, Findings& out) {
  if (p.enforces("limits") || p.enforces("safe") || p.enforces("all")) return;
  const auto& all = p.books.associations();
  const auto& qos = p.books.qos();
  const bool any =
      std::any_of(all.begin(), all.end(), [](const auto& a) { return has_limits(a.limits()); }) ||
      std::any_of(qos.begin(), qos.end(), [](const auto& q) { return has_limits(q.limits()); });
  if (!any) return;
  out.push_back(
      {"Limits are set in the books, but AccountingStorageEnforce does not name them: "
       "they are not enforced.",
       "AccountingStorageEnforce=associations,limits,qos,safe"});
}

void qos_that_nobody_can_reach(const SitePolicy& p, Findings& out) {
  std::set<std::string> reached;
  for (const v1::Association& a : p.books.associations()) {
    if (a.user().empty()) continue;
    reached.insert(a.qos_in_force().begin(), a.qos_in_force().end());
  }
  for (const v1::PartitionInfo& partition : p.partitions.partitions()) {
    reached.insert(partition.qos());
  }
  for (const v1::Qos& qos : p.books.qos()) {
    if (reached.contains(qos.name()) || !p.enforces("qos") || count_users(p.books) == 0) continue;
    out.push_back({fmt::format("No user may use QoS {}.", qos.name()),
                   fmt::format("sacctmgr modify account root set qos+={}", qos.name())});
  }
}

void partition_that_nobody_can_use(const SitePolicy& p, Findings& out) {
  std::set<std::string, std::less<>> accounts, qos;
  for (const v1::Association& a : p.books.associations()) accounts.insert(a.account());
  for (const v1::Qos& q : p.books.qos()) qos.insert(q.name());
  auto check = [&](const v1::PartitionInfo& partition, const std::string& list, const char* key,
                   const auto& known) {
    const auto words = split_words(list, ",");
    if (words.empty() || list == "ALL") return;
    const bool any = std::any_of(words.begin(), words.end(),
                                 [&](std::string_view word) { return known.contains(word); });
    if (any) return;
    out.push_back({fmt::format("Nobody can use partition {}: the books have nothing of {}={}.",
                               partition.name(), key, list),
                   fmt::format("correct {} of partition {}", key, partition.name())});
  };
  for (const v1::PartitionInfo& partition : p.partitions.partitions()) {
    check(partition, partition.allow_accounts(), "AllowAccounts", accounts);
    check(partition, partition.allow_qos(), "AllowQos", qos);
  }
}

void whole_nodes_by_default_memory(const SitePolicy& p, Findings& out) {
  if (p.setting("SelectTypeParameters").find("MEMORY") == std::string_view::npos) return;
  auto given = [&](const char* key) {
    const std::string_view value = p.setting(key);
    return !value.empty() && value != "UNLIMITED";
  };
  if (given("DefMemPerNode") || given("DefMemPerCPU")) return;
  for (const v1::PartitionInfo& partition : p.partitions.partitions()) {
    if (partition.has_def_mem_per_cpu() || partition.has_def_mem_per_node() ||
        !partition.job_defaults().empty()) {
      continue;
    }
    out.push_back({fmt::format("A job in partition {} that does not say --mem gets the memory of a "
                               "whole node, and no other job fits beside it.",
                               partition.name()),
                   "DefMemPerCPU=2000, or what a CPU of a node has"});
  }
}

void no_time_limit_at_all(const SitePolicy& p, Findings& out) {
  for (const v1::PartitionInfo& partition : p.partitions.partitions()) {
    const bool default_given =
        partition.default_time() != kNoValue && partition.default_time() != kInfinite;
    if (partition.max_time() != kInfinite || default_given) continue;
    out.push_back(
        {fmt::format("Jobs in partition {} may run for ever, and do unless they say "
                     "--time: no start of another can be foretold.",
                     partition.name()),
         fmt::format("PartitionName={} DefaultTime=1:00:00 MaxTime=7-0", partition.name())});
  }
}

// The most that a node, and all of them, have.
uint64_t amount_in(std::string_view tres, std::string_view name) {
  for (std::string_view word : split_words(tres, ",")) {
    const size_t equals = word.find('=');
    if (equals != std::string_view::npos && word.substr(0, equals) == name) {
      return number(word.substr(equals + 1));
    }
  }
  return 0;
}

// A limit above what there is does nothing; one of 0 forbids everything.
void limits_that_forbid_all(const SitePolicy& p, Findings& out) {
  auto check = [&](const std::string& whose, const auto& limits, const char* name) {
    for (const auto& [tres, most] : limits) {
      if (most != 0 || tres.starts_with("gres/") || tres.starts_with("license/")) continue;
      out.push_back({fmt::format("{} has {}={}=0: no job of it can ever start.", whose, name, tres),
                     fmt::format("set {}={}=-1 to clear it", name, tres)});
    }
  };
  for (const v1::Qos& qos : p.books.qos()) {
    check("QoS " + qos.name(), qos.limits().grp_tres(), "GrpTRES");
    check("QoS " + qos.name(), qos.limits().max_tres(), "MaxTRESPerJob");
    check("QoS " + qos.name(), qos.limits().max_tres_per_user(), "MaxTRESPerUser");
    for (const auto& [tres, least] : qos.limits().min_tres()) {
      uint64_t all = 0;
      for (const v1::NodeInfo& node : p.nodes.nodes()) all += amount_in(node.cfg_tres(), tres);
      if (least <= all || tres == "mem") continue;
      out.push_back({fmt::format("QoS {} wants at least {}={} of each job, and the machine has {}.",
                                 qos.name(), tres, least, all),
                     fmt::format("sacctmgr modify qos {} set MinTRES={}=-1", qos.name(), tres)});
    }
  }
  for (const v1::Association& a : p.books.associations()) {
    const std::string whose = a.user().empty() ? "Account " + a.account() : "User " + a.user();
    check(whose, a.limits().grp_tres(), "GrpTRES");
    check(whose, a.limits().max_tres(), "MaxTRESPerJob");
  }
}

void preemption_that_never_happens(const SitePolicy& p, Findings& out) {
  const std::string_view type = p.setting("PreemptType");
  const auto& qos = p.books.qos();
  const bool listed =
      std::any_of(qos.begin(), qos.end(), [](const v1::Qos& q) { return q.preempt_size() > 0; });
  if (listed && type != "preempt/qos") {
    out.push_back({"Some QoS may preempt others, but PreemptType is not preempt/qos.",
                   "PreemptType=preempt/qos PreemptMode=REQUEUE"});
  }
  if (!listed && type == "preempt/qos") {
    out.push_back({"PreemptType=preempt/qos, but no QoS names another that it may preempt.",
                   "sacctmgr modify qos urgent set preempt=normal"});
  }
}

void no_decay_and_no_reset(const SitePolicy& p, Findings& out) {
  if (!p.by_multifactor()) return;
  const std::string_view half_life = p.setting("PriorityDecayHalfLife");
  const bool decays = !half_life.empty() && half_life != "00:00:00" && half_life != "0";
  if (decays || p.setting("PriorityUsageResetPeriod") != "NONE") return;
  out.push_back(
      {"PriorityDecayHalfLife=0 without PriorityUsageResetPeriod: what was used years ago "
       "counts as much as today's.",
       "PriorityDecayHalfLife=7-0"});
}

constexpr void (*kRules[])(const SitePolicy&, Findings&) = {
    weights_are_all_zero,          fair_share_is_too_coarse,      fair_share_is_not_used,
    no_decay_and_no_reset,         limits_are_not_enforced,       limits_that_forbid_all,
    qos_that_nobody_can_reach,     partition_that_nobody_can_use, preemption_that_never_happens,
    whole_nodes_by_default_memory, no_time_limit_at_all,
};

}  // namespace

std::string_view SitePolicy::setting(std::string_view key) const {
  const auto found = config.find(key);
  return found == config.end() ? std::string_view() : std::string_view(found->second);
}

bool SitePolicy::enforces(std::string_view word) const {
  return lists(setting("AccountingStorageEnforce"), word);
}

bool SitePolicy::by_multifactor() const {
  return setting("PriorityType") == "priority/multifactor";
}

std::vector<Finding> check_policy(const SitePolicy& policy) {
  std::vector<Finding> out;
  for (auto* rule : kRules) rule(policy, out);
  return out;
}

}  // namespace grappe
