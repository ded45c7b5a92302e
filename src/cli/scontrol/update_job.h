// `scontrol update JobId=...`: from the words typed to the request.
#pragma once

#include <string>
#include <vector>

#include "cli/scontrol/settings.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe::scontrol {

// What one setting did to the request.
enum class Took {
  kChange,
  kNothing,  // it was said why; the other settings count
  kAbort,    // it was said why
};

struct JobChange {
  Session& session;
  const std::vector<std::string>& jobs;  // as typed after JobId=
  int64_t now = 0;
  v1::UpdateJobRequest request;
};

// Puts one setting into the request.
Took apply_job_setting(JobChange& change, const Setting& setting);

// Keys that need more than a field of JobSpec (update_job_keys.cpp).
Took set_time_limit(JobChange& change, const Setting& setting);
Took set_end_time(JobChange& change, const Setting& setting);
Took set_node_count(JobChange& change, const Setting& setting);
Took set_cpu_count(JobChange& change, const Setting& setting);
Took set_sharing(JobChange& change, const Setting& setting);
Took set_mail_type(JobChange& change, const Setting& setting);
Took set_nice(JobChange& change, const Setting& setting);
Took set_switches(JobChange& change, const Setting& setting);
Took set_gres(JobChange& change, const Setting& setting);
Took set_throttle(JobChange& change, const Setting& setting);
Took set_site_factor(JobChange& change, const Setting& setting);
Took reset_accrue_time(JobChange& change, const Setting& setting);
Took set_node_list(JobChange& change, const Setting& setting);

// "Invalid NumTasks value: x".
Took bad_value(JobChange& change, std::string_view key, const Setting& setting);

}  // namespace grappe::scontrol
