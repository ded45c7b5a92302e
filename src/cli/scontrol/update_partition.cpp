// `scontrol update PartitionName=` and `create PartitionName=`.
#include <fmt/core.h>

#include "base/duration.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/update_entities.h"

namespace grappe::scontrol {
namespace {

enum class Kind { kText, kYesNo, kCount, kCountOrUnlimited, kTime, kState, kShared, kPreempt };

struct PartitionKey {
  std::string_view key;
  Kind kind;
};

constexpr PartitionKey kPartitionKeys[] = {
    {"AllocNodes", Kind::kText},
    {"AllowAccounts", Kind::kText},
    {"AllowGroups", Kind::kText},
    {"AllowQOS", Kind::kText},
    {"Alternate", Kind::kText},
    {"CpuBind", Kind::kText},
    {"Default", Kind::kYesNo},
    {"DefaultTime", Kind::kTime},
    {"DefMemPerCPU", Kind::kCountOrUnlimited},
    {"DefMemPerNode", Kind::kCountOrUnlimited},
    {"DenyAccounts", Kind::kText},
    {"DenyQOS", Kind::kText},
    {"DisableRootJobs", Kind::kYesNo},
    {"ExclusiveUser", Kind::kYesNo},
    {"GraceTime", Kind::kTime},
    {"Hidden", Kind::kYesNo},
    {"JobDefaults", Kind::kText},
    {"LLN", Kind::kYesNo},
    {"MaxCPUsPerNode", Kind::kCountOrUnlimited},
    {"MaxMemPerCPU", Kind::kCountOrUnlimited},
    {"MaxMemPerNode", Kind::kCountOrUnlimited},
    {"MaxNodes", Kind::kCountOrUnlimited},
    {"MaxTime", Kind::kTime},
    {"MinNodes", Kind::kCount},
    {"Nodes", Kind::kText},
    {"OverSubscribe", Kind::kShared},
    {"OverTimeLimit", Kind::kCountOrUnlimited},
    {"PreemptMode", Kind::kPreempt},
    {"Priority", Kind::kCount},
    {"PriorityJobFactor", Kind::kCount},
    {"PriorityTier", Kind::kCount},
    {"QOS", Kind::kText},
    {"ReqResv", Kind::kYesNo},
    {"RootOnly", Kind::kYesNo},
    {"Shared", Kind::kShared},
    {"State", Kind::kState},
    {"TRESBillingWeights", Kind::kText},
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
    case Kind::kText:
      return {};
    case Kind::kYesNo:
      if (one_of(s.value, {"YES", "NO"})) return {};
      return {"Invalid input: " + s.word,
              fmt::format("Acceptable {} values are YES and NO", row.key)};
    case Kind::kCount:
      if (is_count(s.value)) return {};
      return {fmt::format("Invalid {} value: {}", row.key, s.value)};
    case Kind::kCountOrUnlimited:
      if (is_count(s.value) || one_of(s.value, {"UNLIMITED", "INFINITE"})) return {};
      return {fmt::format("Invalid numeric value \"{}\" for {}.", s.value, row.key)};
    case Kind::kTime:
      if (parse_duration(s.value) || iequals(s.value, "NONE")) return {};
      return {"Invalid input " + s.word};
    case Kind::kState:
      if (one_of(s.value, {"UP", "DOWN", "DRAIN", "INACTIVE"})) return {};
      return {"Invalid input: " + s.word,
              "Acceptable State values are UP, DOWN, DRAIN and INACTIVE"};
    case Kind::kShared: {
      std::string_view word = std::string_view(s.value).substr(0, s.value.find(':'));
      std::string_view count = std::string_view(s.value).substr(word.size());
      bool counted = count.empty() || is_count(count.substr(1));
      if (counted && one_of(word, {"NO", "EXCLUSIVE", "YES", "FORCE"})) return {};
      return {"Invalid input: " + s.word,
              "Acceptable OverSubscribe values are NO, EXCLUSIVE, YES:#, and FORCE:#"};
    }
    case Kind::kPreempt:
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
