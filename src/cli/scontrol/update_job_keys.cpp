// Keys of `scontrol update JobId=` that are more than one field.
#include <fmt/core.h>

#include "base/array_spec.h"
#include "base/datetime.h"
#include "base/duration.h"
#include "cli/options/gres_help.h"
#include "cli/scontrol/update_job.h"
#include "model/mail.h"

namespace grappe::scontrol {
namespace {

// The present limit of the job, to check a step away from it.
std::optional<uint32_t> present_limit(JobChange& change) {
  v1::ListJobsRequest request;
  request.set_all_states(true);
  for (const std::string& job : change.jobs) request.add_job_ids(job);
  auto jobs = change.session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!jobs) {
    change.session.failed("slurm_load_jobs error", jobs.error());
    return std::nullopt;
  }
  bool one = jobs->jobs_size() == 1;
  bool unsplit_array = one && jobs->jobs(0).array_job_id() && !jobs->jobs(0).has_array_task_id();
  if (!one || unsplit_array) {
    change.session.error("TimeLimit increment/decrement not supported for job arrays");
    return std::nullopt;
  }
  return jobs->jobs(0).time_limit();
}

struct CountRange {
  uint32_t least = 0;
  uint32_t most = 0;  // 0: not given
};

// "2" or "2-4".
std::optional<CountRange> parse_range(std::string_view text) {
  size_t dash = text.find('-');
  auto least = parse_uint(text.substr(0, dash), UINT32_MAX - 2);
  if (!least) return std::nullopt;
  CountRange range;
  range.least = static_cast<uint32_t>(*least);
  if (dash == std::string_view::npos) return range;
  auto most = parse_uint(text.substr(dash + 1), UINT32_MAX - 2);
  if (!most) return std::nullopt;
  range.most = static_cast<uint32_t>(*most);
  return range;
}

}  // namespace

// "TimeLimit+=5" and "TimeLimit=+5" both add.
Took set_time_limit(JobChange& change, const Setting& setting) {
  std::string_view text = setting.value;
  char operation = setting.operation;
  if (!operation && !text.empty() && (text[0] == '+' || text[0] == '-')) {
    operation = text[0];
    text.remove_prefix(1);
  }
  auto seconds = parse_duration(text);
  if (!seconds) {
    change.session.error("Invalid TimeLimit value");
    return Took::kAbort;
  }
  uint32_t minutes = minutes_rounded_up(*seconds);
  if (!operation) {
    change.request.mutable_set()->set_time_limit(minutes);
    return Took::kChange;
  }
  auto present = present_limit(change);
  if (!present) return Took::kAbort;
  if (operation == '+') {
    change.request.set_time_limit_delta_plus(minutes);
    return Took::kChange;
  }
  if (minutes > *present) {
    change.session.error(fmt::format("TimeLimit decrement larger than current time limit ({} > {})",
                                     minutes, *present));
    return Took::kAbort;
  }
  change.request.set_time_limit_delta_minus(minutes);
  return Took::kChange;
}

Took set_end_time(JobChange& change, const Setting& setting) {
  auto time = parse_datetime(setting.value, change.now, false);
  if (!time) {
    change.session.complain(time.error().message);
    return Took::kNothing;
  }
  change.request.set_end_time(*time);
  return Took::kChange;
}

Took set_node_count(JobChange& change, const Setting& setting) {
  auto range = parse_range(setting.value);
  if (!range) {
    change.session.error(
        fmt::format("Invalid numeric value \"{}\" for requested node count.", setting.value));
    return Took::kAbort;
  }
  v1::JobSpec& spec = *change.request.mutable_set();
  spec.set_min_nodes(range->least);
  if (range->most) spec.set_max_nodes(range->most);
  change.request.set_num_nodes(range->least);
  return Took::kChange;
}

Took set_cpu_count(JobChange& change, const Setting& setting) {
  auto range = parse_range(setting.value);
  if (!range) {
    change.session.error(fmt::format("Invalid numeric value \"{}\" for NumCPUs.", setting.value));
    return bad_value(change, "NumCPUs", setting);
  }
  change.request.set_num_cpus(range->least);
  if (range->most) change.request.set_max_cpus(range->most);
  return Took::kChange;
}

Took set_sharing(JobChange& change, const Setting& setting) {
  auto share = parse_yes_no(setting.value);
  if (!share) return bad_value(change, "OverSubscribe", setting);
  if (*share) {
    change.request.mutable_set()->set_sharing(v1::JobSpec::OVERSUBSCRIBE);
  } else {
    change.request.add_clear("sharing");
  }
  return Took::kChange;
}

Took set_mail_type(JobChange& change, const Setting& setting) {
  auto events = parse_mail_type(setting.value);
  if (!events) {
    change.session.complain("Invalid MailType: " + setting.value);
    return Took::kAbort;
  }
  if (*events) {
    change.request.mutable_set()->set_mail_type(*events);
  } else {
    change.request.add_clear("mail_type");
  }
  return Took::kChange;
}

// Without a value the job gives way by 100.
Took set_nice(JobChange& change, const Setting& setting) {
  constexpr int64_t kMost = 2147483645;
  auto nice = setting.has_value ? parse_int(setting.value, -kMost, kMost) : 100;
  if (!nice) return bad_value(change, "Nice", setting);
  change.request.mutable_set()->set_nice(static_cast<int32_t>(*nice));
  return Took::kChange;
}

// "1" or "1@10:00".
Took set_switches(JobChange& change, const Setting& setting) {
  std::string_view text = setting.value;
  size_t at = text.find('@');
  auto count = parse_uint(text.substr(0, at), UINT32_MAX - 2);
  if (!count) return bad_value(change, "Switches", setting);
  v1::JobSpec& spec = *change.request.mutable_set();
  spec.set_switches(static_cast<uint32_t>(*count));
  if (at == std::string_view::npos) return Took::kChange;
  auto seconds = parse_duration(text.substr(at + 1));
  if (!seconds) return bad_value(change, "Switches", setting);
  spec.set_switches_wait_s(*seconds);
  return Took::kChange;
}

Took set_gres(JobChange& change, const Setting& setting) {
  if (iequals(setting.value, "help") || iequals(setting.value, "list")) {
    if (list_gres(change.session.calls, Report("scontrol")) != 0) change.session.exit_code = 1;
    return Took::kNothing;
  }
  std::string_view text = setting.value;
  if (istarts_with(text, "gres:") || istarts_with(text, "gres/")) text.remove_prefix(5);
  if (text.empty()) {
    change.request.add_clear("gres");
  } else {
    change.request.mutable_set()->set_gres(std::string(text));
  }
  return Took::kChange;
}

Took set_throttle(JobChange& change, const Setting& setting) {
  auto count = parse_uint(setting.value, UINT32_MAX - 2);
  if (!count) return bad_value(change, "ArrayTaskThrottle", setting);
  change.request.set_array_max_running(static_cast<uint32_t>(*count));
  return Took::kChange;
}

Took set_site_factor(JobChange& change, const Setting& setting) {
  constexpr int64_t kMost = 2147483645;
  auto factor = parse_int(setting.value, INT64_MIN, INT64_MAX);
  if (!factor) return bad_value(change, "SiteFactor", setting);
  if (*factor < -kMost || *factor > kMost) {
    change.session.error(
        fmt::format("SiteFactor value out of range (+/- {}). Value ignored", kMost));
    return Took::kNothing;
  }
  change.request.set_site_factor(static_cast<int32_t>(*factor));
  return Took::kChange;
}

Took reset_accrue_time(JobChange& change, const Setting&) {
  change.request.set_reset_accrue_time(true);
  return Took::kChange;
}

// The service knows whether the job runs (then it shrinks to these nodes) or waits.
Took set_node_list(JobChange& change, const Setting& setting) {
  if (setting.value.empty()) {
    change.request.add_clear("required_nodes");
  } else {
    change.request.set_node_list(setting.value);
  }
  return Took::kChange;
}

}  // namespace grappe::scontrol
