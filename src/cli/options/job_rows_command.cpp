// What a command itself does: how much it says, what it waits for, what it prints.
#include <signal.h>

#include <algorithm>

#include "base/text.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"

namespace grappe {
namespace {

Status set_kill_command(JobOptions& o, Value v) {
  auto signal = !v.given || v.text.empty() ? std::optional<int>(SIGTERM) : parse_signal(v.text);
  if (!signal) return invalid_specification("--kill-command");
  o.kill_command = *signal;
  return {};
}

Status set_wait_all_nodes(JobOptions& o, Value v) {
  auto n = parse_count(v.text, v.from, false);
  if (!n) return tl::unexpected<Error>(n.error());
  if (*n > 1) return invalid_specification(v.from);
  o.wait_all_nodes = *n == 1;
  return {};
}

// The environment gives a number.
Status set_verbose(JobOptions& o, Value v) {
  o.verbose += static_cast<int>(std::max<uint64_t>(1, parse_uint(v.text, 9).value_or(1)));
  return {};
}

template <bool On>
Status set_bell(JobOptions& o, Value) {
  o.bell = On;
  return {};
}

constexpr JobOption kRows[] = {
    {"bell", 0, Arg::none, kSalloc, "", "SALLOC_BELL", "", "",
     "ring the bell when the allocation is there", set_bell<true>},
    {"help", 'h', Arg::none, kAllThree, "", "", "", "", "show this help", nullptr},
    {"ignore-pbs", 0, Arg::none, kSbatch, "SBATCH_IGNORE_PBS", "", "", "",
     "ignore #PBS and #BSUB lines of the script", set_member_flag<&JobOptions::ignore_pbs>},
    {"kill-command", 'K', Arg::optional, kSalloc, "", "SALLOC_KILL_CMD", "", "signal",
     "signal for the command when the allocation ends", set_kill_command},
    {"no-bell", 0, Arg::none, kSalloc, "", "SALLOC_NO_BELL", "", "",
     "do not ring the terminal bell", set_bell<false>},
    {"no-shell", 0, Arg::none, kSalloc, "", "", "", "",
     "only allocate: exit and keep the allocation", set_member_flag<&JobOptions::no_shell>},
    {"parsable", 0, Arg::none, kSbatch, "", "", "", "",
     "print only the job id, and after a semicolon the cluster if one\nwas named",
     set_member_flag<&JobOptions::parsable>},
    {"quiet", 'Q', Arg::none, kAllThree, "", "", "", "", "only errors are printed",
     set_member_flag<&JobOptions::quiet>},
    {"test-only", 0, Arg::none, kSbatch | kSrun, "", "", "", "",
     "say when the job would start, submit nothing", set_member_flag<&JobOptions::test_only>},
    {"usage", 0, Arg::none, kAllThree, "", "", "", "", "show every option in a few lines", nullptr},
    {"verbose", 'v', Arg::none, kAllThree, "SBATCH_DEBUG", "SALLOC_DEBUG", "SLURM_DEBUG", "",
     "say more; may be repeated", set_verbose},
    {"version", 'V', Arg::none, kAllThree, "", "", "", "", "print the version and exit", nullptr},
    {"wait", 'W', Arg::none, kSbatch, "SBATCH_WAIT", "", "", "",
     "exit when the job ends, with its exit code", set_member_flag<&JobOptions::wait>},
    {"wait-all-nodes", 0, Arg::required, kAllocators, "SBATCH_WAIT_ALL_NODES",
     "SALLOC_WAIT_ALL_NODES", "", "0|1", "wait until all nodes are booted", set_wait_all_nodes},
};

}  // namespace

std::span<const JobOption> command_rows() {
  return kRows;
}

}  // namespace grappe
