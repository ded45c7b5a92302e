// Whose job it is, its place in the queue, and what happens to it there.
#include <unistd.h>

#include "base/text.h"
#include "cli/accounts.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"

namespace grappe {
namespace {

using v1::JobSpec;

constexpr uint32_t kTopPriority = 0xfffffffd;
constexpr int64_t kNiceLimit = 2147483645;

// An empty name is a wrong name, not the default partition: a list without a name says so.
Status set_partition(JobOptions& o, Value v) {
  o.spec.set_partition(v.text.empty() ? "," : std::string(v.text));
  return {};
}

Status set_nice(JobOptions& o, Value v) {
  if (!v.given || v.text.empty()) {
    o.spec.set_nice(100);
    return {};
  }
  // As much of it as is a number, and no number is 0, as in Slurm.
  const int64_t n = std::strtoll(std::string(v.text).c_str(), nullptr, 10);
  if (n > kNiceLimit || n < -kNiceLimit) {
    return fail("Invalid --nice value, out of range (+/- " + std::to_string(kNiceLimit) + ")");
  }
  o.spec.set_nice(static_cast<int32_t>(n));
  return {};
}

Status set_priority(JobOptions& o, Value v) {
  if (iequals(v.text, "TOP")) {
    o.spec.set_priority(kTopPriority);
    return {};
  }
  auto n = parse_int(v.text);
  if (!n) return invalid_specification("--priority");
  if (*n < 0) return fail("Priority must be >= 0");
  if (*n >= 0xfffffffe) return fail("Priority must be < 4294967294");
  o.spec.set_priority(static_cast<uint32_t>(*n));
  return {};
}

Status set_uid(JobOptions& o, Value v) {
  if (getuid() != 0) return fail("--uid only permitted by root user");
  if (auto n = parse_uint(v.text, 0xfffffffe)) {
    o.spec.set_as_uid(static_cast<uint32_t>(*n));
    return {};
  }
  const auto user = find_account(std::string(v.text));
  if (!user) return invalid_specification("--uid");
  o.spec.set_as_uid(user->uid);
  if (!o.spec.has_as_gid()) o.spec.set_as_gid(user->gid);
  return {};
}

Status set_gid(JobOptions& o, Value v) {
  if (getuid() != 0) return fail("--gid only permitted by root user");
  if (auto n = parse_uint(v.text, 0xfffffffe)) {
    o.spec.set_as_gid(static_cast<uint32_t>(*n));
    return {};
  }
  const auto group = find_group(std::string(v.text));
  if (!group) return invalid_specification("--gid");
  o.spec.set_as_gid(*group);
  return {};
}

Status set_no_kill(JobOptions& o, Value v) {
  bool off = v.given && iequals(v.text, "off");
  if (v.given && !v.text.empty() && !off) return invalid_specification("--no-kill");
  o.spec.set_no_kill(!off);
  return {};
}

Status set_kill_on_invalid_dep(JobOptions& o, Value v) {
  if (!iequals(v.text, "yes") && !iequals(v.text, "no")) {
    return invalid_specification("--kill-on-invalid-dep");
  }
  o.spec.set_kill_on_invalid_dep(iequals(v.text, "yes"));
  return {};
}

constexpr JobOption kRows[] = {
    {"account", 'A', Arg::required, kAllThree, "SBATCH_ACCOUNT", "SALLOC_ACCOUNT", "SLURM_ACCOUNT",
     "name", "the account that pays for the job", set_text<&JobSpec::mutable_account>},
    {"array", 'a', Arg::required, kSbatch, "SBATCH_ARRAY_INX", "", "", "indexes",
     "an array: 0-9, 1,3,7, 0-99%4 (four at a time), 0-20:5", set_text<&JobSpec::mutable_array>},
    {"comment", 0, Arg::required, kAllThree, "", "", "", "name",
     "a remark that is kept with the job", set_text<&JobSpec::mutable_comment>},
    {"dependency", 'd', Arg::required, kAllThree, "", "", "SLURM_DEPENDENCY", "type:jobid[:time]",
     "defer job until the condition on jobid holds", set_text<&JobSpec::mutable_dependency>},
    {"gid", 0, Arg::required, kAllThree, "", "", "", "group_id",
     "group to run the job as (root only)", set_gid},
    {"hold", 'H', Arg::none, kAllThree, "", "", "", "", "submit the job in held state",
     set_flag<&JobSpec::set_hold>},
    {"job-name", 'J', Arg::required, kAllThree, "SBATCH_JOB_NAME", "", "SLURM_JOB_NAME", "jobname",
     "name of the job", set_text<&JobSpec::mutable_name>},
    {"kill-on-invalid-dep", 0, Arg::required, kSbatch, "", "", "", "yes|no",
     "end the job when its dependency can never hold", set_kill_on_invalid_dep},
    {"nice", 0, Arg::optional, kAllThree, "", "", "", "value",
     "decrease the scheduling priority by value", set_nice},
    {"no-kill", 'k', Arg::optional, kAllThree, "SBATCH_NO_KILL", "SALLOC_NO_KILL", "SLURM_NO_KILL",
     "off", "do not end the job on node failure", set_no_kill},
    {"no-requeue", 0, Arg::none, kSbatch, "SBATCH_NO_REQUEUE", "", "", "",
     "never put the job back into the queue",
     [](JobOptions& o, Value) {
       o.spec.set_requeue(false);
       return Status();
     }},
    {"partition", 'p', Arg::required, kAllThree, "SBATCH_PARTITION", "SALLOC_PARTITION",
     "SLURM_PARTITION", "partition", "the partition, or several: the first that can start it",
     set_partition},
    {"priority", 0, Arg::required, kAllThree, "", "", "", "value",
     "set the priority of the job (operators only)", set_priority},
    {"qos", 'q', Arg::required, kAllThree, "SBATCH_QOS", "SALLOC_QOS", "SLURM_QOS", "qos",
     "the quality of service to run under", set_text<&JobSpec::mutable_qos>},
    {"reboot", 0, Arg::none, kAllThree, "", "", "", "", "reboot the nodes before the job starts",
     nullptr, "nodes are parts of a machine that others use too"},
    {"requeue", 0, Arg::none, kSbatch, "SBATCH_REQUEUE", "", "", "",
     "the job may be put back into the queue",
     [](JobOptions& o, Value) {
       o.spec.set_requeue(true);
       return Status();
     }},
    {"reservation", 0, Arg::required, kAllThree, "SBATCH_RESERVATION", "SALLOC_RESERVATION",
     "SLURM_RESERVATION", "name", "use the resources of a reservation",
     set_text<&JobSpec::mutable_reservation>},
    {"uid", 0, Arg::required, kAllThree, "", "", "", "user_id",
     "user to run the job as (root only)", set_uid},
    {"wckey", 0, Arg::required, kAllThree, "SBATCH_WCKEY", "SALLOC_WCKEY", "SLURM_WCKEY", "wckey",
     "wckey to run the job under", set_text<&JobSpec::mutable_wckey>},
};

}  // namespace

std::span<const JobOption> policy_rows() {
  return kRows;
}

}  // namespace grappe
