// When and how long.
#include <cstdio>
#include <ctime>

#include "base/datetime.h"
#include "base/duration.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"

namespace grappe {
namespace {

using v1::JobSpec;

template <auto Set>
Status set_limit(JobOptions& o, Value v) {
  auto minutes = parse_time_limit(v.text, v.from);
  if (!minutes) return tl::unexpected<Error>(minutes.error());
  (o.spec.*Set)(*minutes);
  return {};
}

template <auto Set>
Status set_moment(JobOptions& o, Value v) {
  auto when = parse_datetime(v.text, std::time(nullptr), false);
  if (!when) {
    // Slurm writes this line without its name.
    std::fprintf(stderr, "%s\n", when.error().message.c_str());
    return invalid_specification(v.from);
  }
  (o.spec.*Set)(*when);
  return {};
}

Status set_delay_boot(JobOptions& o, Value v) {
  auto seconds = parse_duration(v.text);
  if (!seconds) return invalid_specification(v.from);
  o.spec.set_delay_boot(*seconds);
  return {};
}

Status set_immediate(JobOptions& o, Value v) {
  if (!v.given || v.text.empty()) {
    o.spec.set_immediate_s(1);
    return {};
  }
  auto seconds = parse_count(v.text, "immediate", true);
  if (!seconds) return tl::unexpected<Error>(seconds.error());
  o.spec.set_immediate_s(*seconds);
  return {};
}

constexpr JobOption kRows[] = {
    {"begin", 'b', Arg::required, kAllThree, "", "", "", "time",
     "not before: 20:00, now+1hour, 2030-01-31T12:00", set_moment<&JobSpec::set_begin_time>},
    {"deadline", 0, Arg::required, kAllThree, "", "", "", "time",
     "remove the job if it can not end before this time", set_moment<&JobSpec::set_deadline>},
    {"delay-boot", 0, Arg::required, kAllThree, "SBATCH_DELAY_BOOT", "SALLOC_DELAY_BOOT",
     "SLURM_DELAY_BOOT", "mins", "delay the boot of nodes for desired features", set_delay_boot},
    {"immediate", 'I', Arg::optional, kSalloc | kSrun, "", "SALLOC_IMMEDIATE", "SLURM_IMMEDIATE",
     "secs", "exit if resources are not available in \"secs\"", set_immediate},
    {"signal", 0, Arg::required, kAllThree, "SBATCH_SIGNAL", "SALLOC_SIGNAL", "SLURM_SIGNAL",
     "[[R][B]:]num[@time]", "send a signal when the time limit is near",
     [](JobOptions& o, Value v) { return parse_warn_signal(v.text, o.spec); }},
    {"time", 't', Arg::required, kAllThree, "SBATCH_TIMELIMIT", "SALLOC_TIMELIMIT",
     "SLURM_TIMELIMIT", "minutes", "time limit", set_limit<&JobSpec::set_time_limit>},
    {"time-min", 0, Arg::required, kAllThree, "", "", "", "minutes",
     "the time limit may be cut to this if the job then starts earlier",
     set_limit<&JobSpec::set_time_min>},
};

}  // namespace

std::span<const JobOption> time_rows() {
  return kRows;
}

}  // namespace grappe
