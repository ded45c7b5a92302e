// `scontrol update`: which entity the words are about.
#include <fmt/core.h>

#include <ctime>

#include "cli/scontrol/job_lists.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/resize_scripts.h"
#include "cli/scontrol/update_entities.h"
#include "cli/scontrol/update_job.h"

namespace grappe::scontrol {
namespace {

bool is_job_key(const Setting& setting) {
  return abbreviates(setting.key, "JobId", 3);
}

void send(Session& session, const v1::UpdateJobRequest& request, std::string_view id) {
  auto changed = session.calls.call<v1::JobsChanged>("Jobs/Update", request);
  if (!changed) {
    report_failure(session, changed.error(), id);
  } else {
    report_outcomes(session, changed->outcomes());
    const bool resized = request.set().has_min_nodes() || !request.node_list().empty();
    if (resized && changed->outcomes(0).error() == 0) {
      write_resize_scripts(session, std::string(id));
    }
  }
}

// Jobs by name: there may be none.
void update_by_name(Session& session, v1::UpdateJobRequest request) {
  v1::ListJobsRequest list;
  list.add_names(request.job_name());
  if (request.has_uid()) list.add_uids(request.uid());
  auto jobs = session.calls.call<v1::ListJobsResponse>("Jobs/List", list);
  if (jobs && jobs->jobs().empty())
    return session.error(fmt::format("No jobs with name '{}'", request.job_name()));
  send(session, request, request.job_name());
}

// "ArrayTaskThrottle 2" is read as "ArrayTaskThrottle=2"; some keys stand alone.
std::vector<Setting> joined_with_values(const std::vector<Setting>& settings) {
  std::vector<Setting> joined;
  for (size_t i = 0; i < settings.size(); ++i) {
    const Setting& one = settings[i];
    const bool alone =
        abbreviates(one.key, "Nice", 2) || abbreviates(one.key, "ResetAccrueTime", 5);
    if (one.has_value || alone || i + 1 == settings.size()) {
      joined.push_back(one);
    } else {
      joined.push_back(parse_setting(one.word + "=" + settings[++i].word));
    }
  }
  return joined;
}

void update_job(Session& session, const std::vector<Setting>& words) {
  const std::vector<Setting> settings = joined_with_values(words);
  std::vector<std::string> jobs;
  JobChange change{session, jobs, std::time(nullptr), {}};
  const Setting* id = nullptr;
  for (const Setting& setting : settings) {
    if (is_job_key(setting)) id = &setting;
  }
  if (id) jobs = split_job_list(id->value);
  bool any = false;
  for (const Setting& setting : settings) {
    if (&setting == id) continue;
    if (abbreviates(setting.key, "UserID", 4)) {
      auto uid = parse_user(setting.value);
      if (!uid) {
        session.complain("Invalid UserID: " + setting.value);
        return session.complain("Request aborted");
      }
      change.request.set_uid(*uid);
      continue;
    }
    if (!id && abbreviates(setting.key, "JobName", 4)) {
      change.request.set_job_name(setting.value);
      continue;
    }
    Took took = apply_job_setting(change, setting);
    if (took == Took::kAbort) return;
    any |= took == Took::kChange;
  }
  if (!any) return session.complain("No changes specified");
  if (session.as_uid) change.request.set_as_uid(*session.as_uid);
  if (!id) return update_by_name(session, change.request);
  for (const std::string& job : jobs) {
    change.request.set_job_id(job);
    send(session, change.request, job);
  }
}

struct EntityKey {
  std::string_view name;
  size_t shortest;
  void (*run)(Session& session, const std::vector<Setting>& settings);
};

constexpr EntityKey kEntities[] = {
    {"NodeName", 3, update_node},
    {"PartitionName", 3, update_partition},
    {"ReservationName", 3, update_reservation},
    {"StepId", 4, update_step},
    {"JobId", 3, update_job},
    {"JobName", 4, update_job},
};

}  // namespace

void update(Session& session, Words words) {
  std::vector<Setting> settings = parse_settings(words);
  // "NodeList=" and "Partition=" are also keys of a job, so a job named anywhere comes first.
  for (const Setting& setting : settings) {
    if (is_job_key(setting) && setting.has_value) return update_job(session, settings);
  }
  for (const Setting& setting : settings) {
    for (const EntityKey& entity : kEntities) {
      if (setting.has_value && abbreviates(setting.key, entity.name, entity.shortest))
        return entity.run(session, settings);
    }
  }
  session.complain("No valid entity in update command");
  session.complain(
      "Input line must include \"NodeName\", \"PartitionName\", \"Reservation\", \"JobId\", or "
      "\"SlurmctldDebug\"");
}

}  // namespace grappe::scontrol
