// `scontrol update PartitionName=` and `create PartitionName=`.
#include <fmt/core.h>

#include "base/duration.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/update_entities.h"

namespace grappe::scontrol {
namespace {

enum class PartitionKind {
  kText,
  kYesNo,
  kCount,
  kCountOrUnlimited,
  kTime,
  kState,
  kShared,
  kPreempt
};

struct PartitionKey {
  std::string_view key;
  PartitionKind kind;
};

constexpr PartitionKey kPartitionKeys[] = {
    {"AllocNodes", PartitionKind::kText},
    {"AllowAccounts", PartitionKind::kText},
    {"AllowGroups", PartitionKind::kText},
    {"AllowQOS", PartitionKind::kText},
    {"Alternate", PartitionKind::kText},
    {"CpuBind", PartitionKind::kText},
    {"Default", PartitionKind::kYesNo},
    {"DefaultTime", PartitionKind::kTime},
    {"DefMemPerCPU", PartitionKind::kCountOrUnlimited},
    {"DefMemPerNode", PartitionKind::kCountOrUnlimited},
    {"DenyAccounts", PartitionKind::kText},
    {"DenyQOS", PartitionKind::kText},
    {"DisableRootJobs", PartitionKind::kYesNo},
    {"ExclusiveUser", PartitionKind::kYesNo},
    {"GraceTime", PartitionKind::kTime},
    {"Hidden", PartitionKind::kYesNo},
    {"JobDefaults", PartitionKind::kText},
    {"LLN", PartitionKind::kYesNo},
    {"MaxCPUsPerNode", PartitionKind::kCountOrUnlimited},
    {"MaxMemPerCPU", PartitionKind::kCountOrUnlimited},
    {"MaxMemPerNode", PartitionKind::kCountOrUnlimited},
    {"MaxNodes", PartitionKind::kCountOrUnlimited},
    {"MaxTime", PartitionKind::kTime},
    {"MinNodes", PartitionKind::kCount},
    {"Nodes", PartitionKind::kText},
    {"OverSubscribe", PartitionKind::kShared},
    {"OverTimeLimit", PartitionKind::kCountOrUnlimited},
    {"PreemptMode", PartitionKind::kPreempt},
    {"Priority", PartitionKind::kCount},
    {"PriorityJobFactor", PartitionKind::kCount},
    {"PriorityTier", PartitionKind::kCount},
    {"QOS", PartitionKind::kText},
    {"ReqResv", PartitionKind::kYesNo},
    {"RootOnly", PartitionKind::kYesNo},
    {"Shared", PartitionKind::kShared},
    {"State", PartitionKind::kState},
    {"TRESBillingWeights", PartitionKind::kText},
};

bool one_of(std::string_view value, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words) {
    if (iequals(value, word)) return true;
  }
  return false;
}

bool is_count(std::string_view value) {
  return parse_uint(value, UINT32_MAX - 2).has_value();
}

// The lines to say about a value that is not one; none if it is.
std::vector<std::string> objections(const PartitionKey& row, const Setting& s) {
  switch (row.kind) {
    case PartitionKind::kText:
      return {};
    case PartitionKind::kYesNo:
      if (one_of(s.value, {"YES", "NO"})) return {};
      return {"Invalid input: " + s.word,
              fmt::format("Acceptable {} values are YES and NO", row.key)};
    case PartitionKind::kCount:
      if (is_count(s.value)) return {};
      return {fmt::format("Invalid {} value: {}", row.key, s.value)};
    case PartitionKind::kCountOrUnlimited:
      if (is_count(s.value) || one_of(s.value, {"UNLIMITED", "INFINITE"})) return {};
      return {fmt::format("Invalid numeric value \"{}\" for {}.", s.value, row.key)};
    case PartitionKind::kTime:
      if (parse_duration(s.value) || iequals(s.value, "NONE")) return {};
      return {"Invalid input " + s.word};
    case PartitionKind::kState:
      if (one_of(s.value, {"UP", "DOWN", "DRAIN", "INACTIVE"})) return {};
      return {"Invalid input: " + s.word,
              "Acceptable State values are UP, DOWN, DRAIN and INACTIVE"};
    case PartitionKind::kShared: {
      std::string_view word = std::string_view(s.value).substr(0, s.value.find(':'));
      std::string_view count = std::string_view(s.value).substr(word.size());
      bool counted = count.empty() || is_count(count.substr(1));
      if (counted && one_of(word, {"NO", "EXCLUSIVE", "YES", "FORCE"})) return {};
      return {"Invalid input: " + s.word,
              "Acceptable OverSubscribe values are NO, EXCLUSIVE, YES:#, and FORCE:#"};
    }
    case PartitionKind::kPreempt:
      if (one_of(s.value, {"OFF", "CANCEL", "REQUEUE", "SUSPEND", "SUSPEND,GANG", "GANG,SUSPEND"}))
        return {};
      return {"Invalid input: " + s.word};
  }
  return {};
}

// False: it was said why. `changes` counts the settings beside the name.
bool read_partition(Session& session, const std::vector<Setting>& settings,
                    v1::ChangePartitionRequest& request, int& changes) {
  for (const Setting& setting : settings) {
    if (request.name().empty() && abbreviates(setting.key, "PartitionName", 3)) {
      request.set_name(setting.value);
      continue;
    }
    if (!setting.has_value) {
      session.error(fmt::format("Invalid input: {}  Request aborted", setting.word));
      return false;
    }
    const PartitionKey* row = find_row(kPartitionKeys, setting.key);
    if (!row) {
      session.error("Update of this parameter is not supported: " + setting.word + "\n");
      session.error("Request aborted");
      session.suggest(setting.key, partition_keys());
      return false;
    }
    std::vector<std::string> lines = objections(*row, setting);
    for (const std::string& line : lines) session.error(line);
    if (!lines.empty()) return false;
    v1::Setting& change = *request.add_settings();
    change.set_key(std::string(row->key));
    change.set_value(setting.value);
    ++changes;
  }
  return true;
}

}  // namespace

std::vector<std::string> partition_keys() {
  return keys_of(kPartitionKeys);
}

void update_partition(Session& session, const std::vector<Setting>& settings) {
  v1::ChangePartitionRequest request;
  request.set_action(v1::ChangePartitionRequest::UPDATE);
  int changes = 0;
  // Slurm ends with this line although the request never left.
  if (!read_partition(session, settings, request, changes))
    return session.complain("slurm_update error: No error");
  if (!changes) return session.error("No changes specified");
  auto done = session.calls.call<v1::Empty>("Cluster/ChangePartition", request);
  if (!done) session.failed("slurm_update error", done.error());
}

void create_partition(Session& session, const std::vector<Setting>& settings) {
  v1::ChangePartitionRequest request;
  request.set_action(v1::ChangePartitionRequest::CREATE);
  int changes = 0;
  if (!read_partition(session, settings, request, changes)) return;
  if (request.name().empty()) return session.error("PartitionName must be given.");
  auto done = session.calls.call<v1::Empty>("Cluster/ChangePartition", request);
  if (!done) session.failed("Error creating the partition", done.error());
}

}  // namespace grappe::scontrol
