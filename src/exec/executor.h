// The seam between deciding and doing: the engine says what to start, signal and clean up; an
// Executor does it and reports what happened.
//
// Every call returns at once; results arrive as events. Calls are idempotent by their key: the
// engine repeats them after a restart without starting anything twice.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace grappe::exec {

inline constexpr uint32_t kInteractiveStep = 0xfffffffa;
inline constexpr uint32_t kBatchStep = 0xfffffffb;
inline constexpr uint32_t kExternStep = 0xfffffffc;

// One run of one step. `restart` counts the requeues of the job, so that the second run of a
// requeued job is never mistaken for the first.
struct StepKey {
  uint32_t job_id = 0;
  uint32_t step_id = 0;
  uint32_t restart = 0;
  auto operator<=>(const StepKey&) const = default;
};

struct RlimitSetting {
  uint32_t resource;
  uint64_t soft, hard;
};

// What a job may use, whichever of its steps runs. Applied when its first step starts.
struct JobConfinement {
  uint64_t memory_mb = 0;                // 0: no limit
  std::vector<uint32_t> cpus;            // real CPUs; empty: no pinning
  uint32_t max_processes = 0;            // 0: no limit
  bool confine_devices = false;          // then only `devices` (and the ordinary ones) open
  std::vector<std::string> devices;      // paths of the allocated GPUs
  std::vector<std::string> all_devices;  // paths of every GPU that the service manages
  bool private_tmp = false;              // an own /tmp, /var/tmp and /dev/shm
  std::string tmp_parent;                // $SLURM_TMPDIR is made below this folder
  // Programs to run as root before and after, or patterns of them ("/etc/prolog.d/*"); may be
  // empty.
  std::string prolog, epilog;
  uint32_t hook_timeout_s = 0;     // then such a program is killed and has failed; 0: never
  std::string script_environment;  // for prolog and epilog; nothing of the user's is in it
};

struct TaskLaunch {
  uint32_t rank = 0;
  uint32_t node_index = 0;     // which slice it belongs to
  uint32_t program = 0;        // index in StepLaunch::programs
  std::string environment;     // NAME=value\0..., over the step's environment; NAME\0 removes
  std::vector<uint32_t> cpus;  // empty: those of the job
  // Files; empty means the step's I/O socket. Opened as the user.
  std::string std_in, std_out, std_err;
  std::string notice;  // lines for its stderr before it runs; "%p" becomes its pid
};

enum class OpenMode : uint8_t { kTruncate, kAppend };
enum class MpiKind : uint8_t { kNone, kPmi2, kPmix };

struct StepLaunch {
  StepKey key;
  uid_t uid = 0;
  gid_t gid = 0;
  std::string user;  // for the supplementary groups
  JobConfinement job;
  uint64_t step_memory_mb = 0;  // 0: that of the job
  std::string work_dir;
  std::string environment;  // NAME=value\0..., of every task
  std::string script;       // batch: the text; it becomes the first word of its argv
  std::vector<std::vector<std::string>> programs;  // argv of each program
  std::vector<TaskLaunch> tasks;
  std::vector<std::string> node_names;  // of the step, in order
  OpenMode open_mode = OpenMode::kTruncate;
  uint32_t umask = 022;
  std::vector<RlimitSetting> rlimits;
  bool pty = false;
  uint16_t rows = 0, cols = 0;
  bool wait_for_client = false;  // srun: tasks start when it has connected
  bool kill_on_bad_exit = false;
  uint32_t wait_seconds = 0;        // end the others this long after the first task; 0: never
  uint32_t kill_wait_seconds = 30;  // between SIGTERM and SIGKILL
  MpiKind mpi = MpiKind::kNone;
  // Run as the user around each task: those of the site, and those that srun was given.
  std::string task_prolog, task_epilog;
  std::string user_task_prolog, user_task_epilog;
  // Before ": error: ..." in what the shepherd itself writes to a task's stderr; "%n" becomes the
  // name of the task's node.
  std::string error_prefix = "slurmstepd";
};

// Which processes a signal goes to.
enum class SignalTarget : uint8_t {
  kTasks,       // the first process of each task; of a batch step: none, its task is the shell
  kBatchShell,  // only the batch script
  kEverything,  // all that is in the step
};

// What a notice is about. One of the end is heard by the srun of the step first.
enum class NoticeKind : uint8_t { kMessage, kEnd };

struct TaskExit {
  uint32_t rank = 0;
  int32_t status = 0;  // as wait(2) gives it
};

// What a task has used: all processes that descend from its first one.
struct TaskUse {
  uint32_t rank = 0;
  uint64_t cpu_us = 0;
  uint64_t rss_bytes = 0, vsize_bytes = 0;  // now; of a task that has ended the most it ever had
  uint64_t pages = 0;                       // faults that had to wait for a disk
  uint64_t read_bytes = 0, written_bytes = 0;
};

struct StepUsage {
  uint64_t user_us = 0, system_us = 0;
  uint64_t max_rss_bytes = 0;  // of all tasks together
  uint64_t read_bytes = 0, written_bytes = 0;
  std::vector<TaskUse> tasks;
};

// A look at a running step. Tasks that have ended are not in it.
struct StepSample {
  StepKey key;
  uint64_t user_us = 0, system_us = 0;
  std::vector<TaskUse> tasks;
  std::vector<uint32_t> pids;  // of all its processes
};

// A GPU by the number of its device file: what its driver tells.
struct GpuUse {
  uint32_t minor = 0;
  uint32_t percent = 0;  // of the time in which it worked
  uint64_t memory_bytes = 0;
};

// What happened. After StepEnded the executor keeps the record until forget(): an engine that
// died before it could write the end down asks again.
struct StepStarted {
  StepKey key;
  std::vector<std::pair<uint32_t, pid_t>> pids;  // rank, pid
};
struct StepEnded {
  StepKey key;
  std::vector<TaskExit> exits;
  bool out_of_memory = false;
  std::string failure;  // the step could not be started or its shepherd died: why, in words
  int64_t start_time = 0, end_time = 0;  // seconds since 1970
  StepUsage usage;
};
struct JobCleaned {
  uint32_t job_id = 0;
  uint32_t restart = 0;
  std::string epilog_failure;
};
struct PrologFailed {
  StepKey key;
  std::string message;
};
// A program of the site that the service runs itself around a job, and how it ended.
enum class SiteProgramKind : uint8_t { kProlog, kEpilog, kUnkillable };
struct SiteProgram {
  uint32_t job_id = 0;
  uint32_t restart = 0;
  SiteProgramKind kind = SiteProgramKind::kProlog;
  std::string path;
  std::string environment;  // NAME=value\0...: all that it gets
};
struct SiteProgramEnded {
  uint32_t job_id = 0;
  uint32_t restart = 0;
  SiteProgramKind kind = SiteProgramKind::kProlog;
  std::string failure;  // in words; empty: it did well
};
// The launcher is there (again), and this is all that it knows of.
struct ExecutorReady {
  std::vector<StepKey> running;         // or about to
  std::vector<StepEnded> ended;         // and not yet forgotten
  std::vector<uint32_t> jobs;           // that still have a cgroup or a tmp folder
  std::vector<std::string> unconfined;  // what this machine can't confine, in sentences
};
struct ExecutorLost {};
// The answer to measure(): of the steps that were asked for those that run.
struct StepsMeasured {
  uint64_t request = 0;
  std::vector<StepSample> steps;
};
struct GpusMeasured {
  std::vector<GpuUse> gpus;
};

using ExecEvent = std::variant<StepStarted, StepEnded, JobCleaned, PrologFailed, ExecutorReady,
                               ExecutorLost, SiteProgramEnded, StepsMeasured, GpusMeasured>;

inline std::vector<ExecEvent> one_event(ExecEvent event) {
  std::vector<ExecEvent> events;
  events.push_back(std::move(event));
  return events;
}

class Executor {
 public:
  // Called from a thread of the executor, which holds no lock: it may call the executor itself.
  using Listener = std::function<void(std::vector<ExecEvent>)>;

  virtual ~Executor() = default;
  virtual void listen(Listener listener) = 0;
  virtual void start(StepLaunch launch) = 0;
  virtual void signal(StepKey key, int signal_number, SignalTarget target) = 0;
  // Ends the tasks of the step that belong to one of its nodes; the others go on.
  virtual void end_node(StepKey key, uint32_t node_index) = 0;
  // The job may use less from now on.
  virtual void confine(uint32_t job_id, uint32_t restart, JobConfinement confinement) = 0;
  // Append a line to the step's stderr ("slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT ...").
  virtual void notify(StepKey key, std::string text, NoticeKind kind) = 0;
  // Freeze or thaw everything of a job.
  virtual void freeze(uint32_t job_id, bool frozen) = 0;
  // The end of this step is on disk.
  virtual void forget(StepKey key) = 0;
  // No further step of this job will start: kill what is left, run the epilog, remove its
  // cgroups and folders. Answers with JobCleaned, also when there is nothing to clean. The next
  // run of a requeued job may start after that.
  virtual void clean(uint32_t job_id, uint32_t restart) = 0;
  // Runs it as the user of the service and answers with SiteProgramEnded. Not remembered: whoever
  // dies before that asks again.
  virtual void run(SiteProgram program) = 0;
  // Answers with StepsMeasured, which carries the same number. Not remembered.
  virtual void measure(uint64_t request, std::vector<StepKey> keys) = 0;
  // Answers with GpusMeasured, or not at all where no driver tells.
  virtual void measure_gpus() = 0;
  // Where the step's I/O socket is (exec/step_io.h).
  virtual std::string socket_path(StepKey key) const = 0;
};

}  // namespace grappe::exec
