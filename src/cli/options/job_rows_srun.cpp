// What only srun takes: how the tasks of a step are started, bound, fed and ended.
#include <cstdio>

#include "base/text.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"

namespace grappe {
namespace {

using v1::StepSpec;

constexpr std::string_view kCpuBindHelp =
    "CPU bind options:\n"
    "    --cpu-bind=         Bind tasks to CPUs\n"
    "        q[uiet]         quietly bind before task runs (default)\n"
    "        v[erbose]       verbosely report binding before task runs\n"
    "        no[ne]          don't bind tasks to CPUs\n"
    "        rank            bind by task rank\n"
    "        map_cpu:<list>  specify a CPU ID binding for each task\n"
    "                        where <list> is <cpuid1>,<cpuid2>,...<cpuidN>\n"
    "        mask_cpu:<list> specify a CPU ID binding mask for each task\n"
    "                        where <list> is <mask1>,<mask2>,...<maskN>\n"
    "        rank_ldom       bind task by rank to CPUs in a NUMA locality domain\n"
    "        map_ldom:<list> specify a NUMA locality domain ID for each task\n"
    "                        where <list> is <ldom1>,<ldom2>,...<ldomN>\n"
    "        mask_ldom:<list>specify a NUMA locality domain ID mask for each task\n"
    "                        where <list> is <mask1>,<mask2>,...<maskN>\n"
    "        sockets         auto-generated masks bind to sockets\n"
    "        cores           auto-generated masks bind to cores\n"
    "        threads         auto-generated masks bind to threads\n"
    "        ldoms           auto-generated masks bind to NUMA locality domains\n"
    "        help            show this help message\n";

Status set_cpu_bind(JobOptions& o, Value v) {
  if (iequals(v.text, "help")) {
    std::fwrite(kCpuBindHelp.data(), 1, kCpuBindHelp.size(), stdout);
    return fail(1, "");
  }
  Status good = check_cpu_bind(v.text);
  if (!good) return good;
  o.step.set_cpu_bind(std::string(v.text));
  return {};
}

template <auto Set>
Status set_step_count(JobOptions& o, Value v) {
  auto n = parse_count(v.text, v.from, false);
  if (!n) return tl::unexpected<Error>(n.error());
  (o.step.*Set)(*n);
  return {};
}

// What Slurm's step daemon would say at these levels is nothing.
Status set_slurmd_debug(JobOptions&, Value v) {
  if (v.text == "quiet" || v.text == "fatal" || v.text == "0" || v.text == "1") return {};
  return fail("--slurmd-debug=" + std::string(v.text) + ": there is no slurmd to speak; use -v");
}

Status set_kill_on_bad_exit(JobOptions& o, Value v) {
  uint32_t on = 1;
  if (v.given && !v.text.empty()) {
    auto n = parse_count(v.text, "--kill-on-bad-exit", false);
    if (!n) return tl::unexpected<Error>(n.error());
    on = *n;
  }
  o.step.set_kill_on_bad_exit(on != 0);
  o.spec.set_kill_on_bad_exit(on != 0);
  return {};
}

Status set_mpi(JobOptions& o, Value v) {
  o.list_mpi = v.text == "list";
  o.step.set_mpi(std::string(v.text));
  return {};
}

Status set_jobid(JobOptions& o, Value v) {
  auto n = parse_count(v.text, "--jobid", true);
  if (!n) return tl::unexpected<Error>(n.error());
  o.jobid = *n;
  return {};
}

Status set_msg_timeout(JobOptions& o, Value v) {
  auto n = parse_count(v.text, v.from, true);
  if (!n) return tl::unexpected<Error>(n.error());
  o.msg_timeout_s = *n;
  return {};
}

// The fan-out of a launch over many machines: any number is right on one.
Status set_threads(JobOptions& o, Value v) {
  auto n = parse_count(v.text, v.from, true);
  if (!n) return tl::unexpected<Error>(n.error());
  if (*n > 60) {
    o.warnings.push_back("Thread value --threads=" + std::to_string(*n) +
                         " exceeds recommended limit of 60");
  }
  return {};
}

template <auto Member>
Status set_member_text(JobOptions& o, Value v) {
  o.*Member = v.text;
  return {};
}

// "none" turns off what the configuration gives.
template <auto Mutable>
Status set_task_program(JobOptions& o, Value v) {
  *(o.step.*Mutable)() = v.text;
  return {};
}

// Nodes are slices of this machine: nothing is transmitted that could be compressed.
Status set_compress(JobOptions& o, Value v) {
  if (!v.given || v.text.empty() || iequals(v.text, "lz4") || iequals(v.text, "none")) return {};
  o.warnings.push_back("Compression type '" + std::string(v.text) +
                       "' unknown, disabling compression support.");
  return {};
}

constexpr const char* kNoLibraries =
    "every node sees the libraries of this machine, copies are not needed";
constexpr const char* kNoHetJobs = "there are no heterogeneous jobs";

constexpr JobOption kRows[] = {
    {"accel-bind", 0, Arg::required, kSrun, "", "", "", "options", "bind tasks to the nearest GPUs",
     nullptr, "use --gpu-bind=closest"},
    {"bcast", 0, Arg::optional, kSrun, "", "", "SLURM_BCAST", "dest_path",
     "copy the program to the nodes and run the copy",
     [](JobOptions& o, Value v) {
       o.bcast = v.text;
       return Status();
     }},
    {"bcast-exclude", 0, Arg::required, kSrun, "", "", "SLURM_BCAST_EXCLUDE", "paths",
     "libraries that --bcast leaves out", nullptr, kNoLibraries},
    {"compress", 0, Arg::optional, kSrun, "", "", "SLURM_COMPRESS", "type",
     "compress what --bcast sends: nothing is sent, on one machine", set_compress},
    {"cpu-bind", 0, Arg::required, kSrun, "", "", "SLURM_CPU_BIND", "type",
     "bind tasks to CPUs (see --cpu-bind=help)", set_cpu_bind},
    {"cpu_bind", 0, Arg::required, kSrun, "", "", "", "type", "", set_cpu_bind},
    {"debugger-test", 0, Arg::none, kSrun, "", "", "", "", "", nullptr,
     "there is no parallel debugger interface"},
    {"disable-status", 'X', Arg::none, kSrun, "", "", "SLURM_DISABLE_STATUS", "",
     "the first Ctrl-C goes to the tasks", set_member_flag<&JobOptions::disable_status>},
    {"epilog", 0, Arg::required, kSrun, "", "", "SLURM_EPILOG", "program",
     "run \"program\" after the step, where srun runs", set_member_text<&JobOptions::epilog>},
    {"exact", 0, Arg::none, kSrun, "", "", "SLURM_EXACT", "",
     "no more of the node than the step asks for", set_step_flag<&StepSpec::set_exact>},
    {"het-group", 0, Arg::required, kSrun, "", "", "", "value", "components of a het job", nullptr,
     kNoHetJobs},
    {"interactive", 0, Arg::none, kSrun, "", "", "", "", "",
     set_step_flag<&StepSpec::set_interactive>},
    {"jobid", 0, Arg::required, kSrun, "", "", "SLURM_JOB_ID SLURM_JOBID", "id",
     "run under an allocation that exists", set_jobid},
    {"kill-on-bad-exit", 'K', Arg::optional, kSrun, "", "", "SLURM_KILL_BAD_EXIT", "0|1",
     "end the step when a task fails", set_kill_on_bad_exit},
    {"label", 'l', Arg::none, kSrun, "", "", "SLURM_LABELIO", "",
     "begin each line of output with the task number", set_step_flag<&StepSpec::set_labelled>},
    {"mpi", 0, Arg::required, kSrun, "", "", "SLURM_MPI_TYPE", "type",
     "type of MPI, or list for what there is", set_mpi},
    {"msg-timeout", 0, Arg::required, kSrun, "", "", "", "seconds", "timeout of messages",
     set_msg_timeout},
    {"multi-prog", 0, Arg::none, kSrun, "", "", "", "",
     "the program is a file that names a program for each task",
     set_member_flag<&JobOptions::multi_prog>},
    {"no-allocate", 'Z', Arg::none, kSrun, "", "", "", "", "start tasks without an allocation",
     nullptr, "tasks run only on allocated resources"},
    {"overlap", 0, Arg::none, kSrun, "", "", "SLURM_OVERLAP", "",
     "share the job's resources with its other steps", set_step_flag<&StepSpec::set_overlap>},
    {"pack-group", 0, Arg::required, kSrun, "", "", "", "value", "", nullptr, kNoHetJobs},
    {"preserve-env", 'E', Arg::none, kSrun, "", "", "", "",
     "keep SLURM_NNODES and SLURM_NTASKS as they are", set_step_flag<&StepSpec::set_preserve_env>},
    {"prolog", 0, Arg::required, kSrun, "", "", "SLURM_PROLOG", "program",
     "run \"program\" before the step, where srun runs", set_member_text<&JobOptions::prolog>},
    {"pty", 0, Arg::none, kSrun, "", "", "", "", "run task zero in a pseudo terminal",
     set_step_flag<&StepSpec::set_pty>},
    {"quit-on-interrupt", 0, Arg::none, kSrun, "", "", "", "", "quit on a single Ctrl-C",
     set_member_flag<&JobOptions::quit_on_interrupt>},
    {"relative", 'r', Arg::required, kSrun, "", "", "", "n", "begin at node n of the allocation",
     set_step_count<&StepSpec::set_relative>},
    {"resv-ports", 0, Arg::optional, kSrun, "", "", "SLURM_RESV_PORTS", "count",
     "reserve communication ports", nullptr, "no ports are reserved; MPI chooses its own"},
    {"send-libs", 0, Arg::optional, kSrun, "", "", "SLURM_SEND_LIBS", "yes|no",
     "send libraries with --bcast", nullptr, kNoLibraries},
    {"slurmd-debug", 0, Arg::required, kSrun, "", "", "SLURMD_DEBUG", "level",
     "debug output of the step daemon: quiet or fatal", set_slurmd_debug},
    {"task-epilog", 0, Arg::required, kSrun, "", "", "SLURM_TASK_EPILOG", "program",
     "run \"program\" after each task", set_task_program<&StepSpec::mutable_task_epilog>},
    {"task-prolog", 0, Arg::required, kSrun, "", "", "SLURM_TASK_PROLOG", "program",
     "run \"program\" before each task", set_task_program<&StepSpec::mutable_task_prolog>},
    {"threads", 'T', Arg::required, kSrun, "", "", "SLURM_THREADS", "threads",
     "fan-out of the launch", set_threads},
    {"unbuffered", 'u', Arg::none, kSrun, "", "", "SLURM_UNBUFFEREDIO", "",
     "pass output on as it comes, not line by line", set_step_flag<&StepSpec::set_unbuffered>},
    {"wait", 'W', Arg::required, kSrun, "", "", "SLURM_WAIT", "sec",
     "seconds after the first task ended until the others are ended",
     set_step_count<&StepSpec::set_wait_s>},
    {"whole", 0, Arg::none, kSrun, "", "", "SLURM_WHOLE", "",
     "use all resources of the job's nodes", set_member_flag<&JobOptions::whole>},
};

}  // namespace

std::span<const JobOption> srun_rows() {
  return kRows;
}

}  // namespace grappe
