// `scontrol update NodeName=` and `update StepId=`.
#include <fmt/core.h>

#include "base/duration.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/update_entities.h"
#include "grappe/v1/jobs.pb.h"
#include "grappe/v1/steps.pb.h"

namespace grappe::scontrol {
namespace {

using v1::UpdateNodeRequest;

// False: it was said why.
struct NodeKey {
  std::string_view key;
  bool (*set)(Session& session, UpdateNodeRequest& request, const Setting& setting);
};

constexpr std::string_view kStates[] = {"ALLOCATED",
                                        "CANCEL_REBOOT",
                                        "DOWN",
                                        "DRAIN",
                                        "FAIL",
                                        "FUTURE",
                                        "IDLE",
                                        "NoResp",
                                        "POWER_DOWN",
                                        "POWER_UP",
                                        "POWER_DOWN_ASAP",
                                        "POWER_DOWN_FORCE",
                                        "RESUME",
                                        "UNDRAIN"};

bool set_state(Session& session, UpdateNodeRequest& request, const Setting& setting) {
  for (std::string_view state : kStates) {
    if (setting.value.size() < 3 || !istarts_with(state, setting.value)) continue;
    request.set_state(std::string(state));
    return true;
  }
  session.complain("Invalid input: " + setting.word);
  session.complain("Request aborted");
  session.complain("Valid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN");
  session.complain("Not all states are valid given a node's prior state");
  return false;
}

bool set_weight(Session& session, UpdateNodeRequest& request, const Setting& setting) {
  auto weight = parse_uint(setting.value, UINT32_MAX - 2);
  if (!weight) {
    session.error(fmt::format("Weight value ({}) is not a valid number", setting.value));
    session.complain("No changes specified");
    return false;
  }
  request.set_weight(static_cast<uint32_t>(*weight));
  return true;
}

bool refuse_cpu_bind(Session& session, UpdateNodeRequest&, const Setting&) {
  session.error("CpuBind of a node is not supported: tasks are bound by srun --cpu-bind");
  return false;
}

constexpr NodeKey kNodeKeys[] = {
    {"ActiveFeatures",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_active_features(s.value);
       return true;
     }},
    {"AvailableFeatures",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_features(s.value);
       return true;
     }},
    {"Features",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_features(s.value);
       return true;
     }},
    {"Comment",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_comment(s.value);
       return true;
     }},
    {"CpuBind", refuse_cpu_bind},
    {"Extra",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_extra(s.value);
       return true;
     }},
    {"Gres",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_gres(s.value);
       return true;
     }},
    {"NodeAddr",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_address(s.value);
       return true;
     }},
    {"NodeHostname",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_hostname(s.value);
       return true;
     }},
    {"Reason",
     [](Session&, UpdateNodeRequest& r, const Setting& s) {
       r.set_reason(s.value);
       return true;
     }},
    {"State", set_state},
    {"Weight", set_weight},
};

bool wants_reason(const UpdateNodeRequest& request) {
  std::string_view state = request.state();
  return (state == "DRAIN" || state == "DOWN" || state == "FAIL") && request.reason().empty();
}

// --- steps ---------------------------------------------------------------------------------

struct StepId {
  uint32_t job = 0;
  std::string step;
};

std::optional<StepId> parse_step_id(std::string_view text) {
  size_t dot = text.find('.');
  auto job = parse_uint(text.substr(0, dot), UINT32_MAX);
  if (!job || *job == 0) return std::nullopt;
  return StepId{static_cast<uint32_t>(*job),
                dot == std::string_view::npos ? "" : std::string(text.substr(dot + 1))};
}

// A limit relative to the present one of the step.
std::optional<uint32_t> step_limit(Session& session, const StepId& id, char operation,
                                   uint32_t minutes) {
  if (!operation) return minutes;
  v1::ListJobsRequest request;
  request.set_steps(true);
  request.add_job_ids(std::to_string(id.job));
  auto steps = session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!steps) {
    session.failed("slurm_get_job_steps error", steps.error());
    return std::nullopt;
  }
  for (const v1::StepInfo& step : steps->steps()) {
    if (!id.step.empty() && step.step_id() != id.step) continue;
    if (operation == '+') return step.time_limit() + minutes;
    if (minutes <= step.time_limit()) return step.time_limit() - minutes;
    session.error(fmt::format("TimeLimit decrement larger than current time limit ({} > {})",
                              minutes, step.time_limit()));
    return std::nullopt;
  }
  session.complain("slurm_update error: Invalid job id specified");
  return std::nullopt;
}

std::optional<uint32_t> read_limit(Session& session, const StepId& id, const Setting& setting) {
  std::string_view text = setting.value;
  char operation = setting.operation;
  if (!operation && !text.empty() && (text[0] == '+' || text[0] == '-')) {
    operation = text[0];
    text.remove_prefix(1);
  }
  auto seconds = parse_duration(text);
  if (!seconds) {
    session.error("Invalid TimeLimit value");
    return std::nullopt;
  }
  return step_limit(session, id, operation, minutes_rounded_up(*seconds));
}

}  // namespace

std::vector<std::string> node_keys() {
  return keys_of(kNodeKeys);
}

void update_node(Session& session, const std::vector<Setting>& settings) {
  UpdateNodeRequest request;
  bool any = false;
  for (const Setting& setting : settings) {
    if (abbreviates(setting.key, "NodeName", 3) && request.nodes().empty()) {
      request.set_nodes(setting.value);
      continue;
    }
    const NodeKey* row = setting.has_value ? find_row(kNodeKeys, setting.key) : nullptr;
    if (!row) {
      session.complain(
          (setting.has_value ? "Update of this parameter is not supported: " : "Invalid input: ") +
          setting.word);
      session.complain("Request aborted");
      return session.suggest(setting.key, node_keys());
    }
    if (!row->set(session, request, setting)) return;
    any = true;
  }
  if (!any) return session.complain("No changes specified");
  if (wants_reason(request)) {
    return session.complain(
        "You must specify a reason when DOWNING or DRAINING a node. Request denied");
  }
  auto done = session.calls.call<v1::Empty>("Cluster/UpdateNode", request);
  if (!done) session.failed("slurm_update error", done.error());
}

void update_step(Session& session, const std::vector<Setting>& settings) {
  std::optional<StepId> id;
  v1::UpdateStepRequest request;
  for (const Setting& setting : settings) {
    if (abbreviates(setting.key, "StepId", 4)) {
      id = parse_step_id(setting.value);
      if (!id) {
        session.complain("Invalid StepID parameter: " + setting.word);
        return session.complain("Request aborted");
      }
      request.set_job_id(id->job);
      request.set_step_id(id->step);
    } else if (id && abbreviates(setting.key, "TimeLimit", 5)) {
      auto limit = read_limit(session, *id, setting);
      if (!limit) return;
      request.set_time_limit(*limit);
    } else {
      session.complain("Update of this parameter is not supported: " + setting.word);
      return session.complain("Request aborted");
    }
  }
  if (!request.has_time_limit()) return session.complain("No changes specified");
  auto done = session.calls.call<v1::UpdateStepResponse>("Steps/Update", request);
  if (!done) session.failed("slurm_update error", done.error());
}

}  // namespace grappe::scontrol
