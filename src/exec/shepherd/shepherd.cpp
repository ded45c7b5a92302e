#include "exec/shepherd/shepherd.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "exec/os/files.h"
#include "exec/protocol.h"
#include "exec/shepherd/client_hub.h"
#include "exec/shepherd/exit_record.h"
#include "exec/shepherd/oom_count.h"
#include "exec/shepherd/pmi_server.h"
#include "exec/shepherd/process_tree.h"
#include "exec/shepherd/process_use.h"
#include "exec/shepherd/recent_output.h"
#include "exec/shepherd/step_setup.h"
#include "exec/step_name.h"

namespace grappe::exec {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kClientPatience{60};  // for srun to connect
constexpr seconds kEndPatience{5};      // for killed processes to be gone
constexpr seconds kEpilogPatience{5};   // for a task's epilog
constexpr milliseconds kSignalPause{10};
constexpr int kSignalAttempts = 200;
constexpr milliseconds kFirstSample{500}, kLastSample{600'000};
constexpr seconds kLingerPatience{600};  // for a client to take the last output

uint64_t micros(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

class Shepherd : private ClientHub::Delegate {
 public:
  explicit Shepherd(ShepherdStart start)
      : start_(std::move(start)),
        launch_(start_.launch),
        hub_(loop_, *this, launch_.uid, start_.privileged ? 0 : launch_.uid),
        io_(
            loop_,
            [this](FrameType type, uint32_t rank, std::string_view data) {
              output(type, rank, data);
            },
            [this] { io_changed(); }) {}

  [[noreturn]] void run() {
    if (auto done = set_up(); !done) fail_step(done.error().message);
    loop_.run();
    _exit(0);
  }

 private:
  enum class Phase { kWaiting, kRunning, kEnding, kLingering };

  // --- Before the tasks run.

  Status set_up() {
    auto begun =
        write_begun(start_.exit_record.get(), getpid(), time(nullptr), launch_.tasks.size());
    if (!begun) return begun;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    watch_children();
    Identity identity;
    if (start_.privileged) {
      auto found = find_identity();
      if (!found) return tl::unexpected(found.error());
      identity = std::move(*found);
    }
    const Identity* becomes = start_.privileged ? &identity : nullptr;
    if (!start_.mounts.empty()) {
      outside_root_.reset(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (auto done = enter_private_mounts(start_.mounts); !done) return done;
    }
    if (!start_.cgroups.oom_file.empty()) oom_.open(start_.cgroups.oom_file);
    if (start_.cgroups.tracking_is_v2) {
      kill_.reset(
          ::open((start_.cgroups.tracking_dir + "/cgroup.kill").c_str(), O_WRONLY | O_CLOEXEC));
    }
    if (auto done = io_.open(launch_, becomes); !done) return done;
    if (auto done = tasks_.open_cgroups(start_.cgroups); !done) return done;
    if (auto done = open_pmi(becomes); !done) return done;
    if (auto done = tasks_.make(start_, becomes, io_, pmi_.get(), outside_root_.get()); !done)
      return done;
    tasks_.close_cgroups();
    io_.close_child_ends();
    if (pmi_) pmi_->close_task_ends();
    if (becomes != nullptr) {
      if (auto done = become_shepherd_of(identity); !done) return done;
    }
    umask(static_cast<mode_t>(launch_.umask));
    open_for_business();
    return {};
  }

  Result<Identity> find_identity() {
    if (start_.account != nullptr) {
      return identity_from(*start_.account, launch_.gid, launch_.user);
    }
    const auto account = look_up_account(launch_.uid);
    if (!account) return tl::unexpected(account.error());
    const std::string frame = make_frame(ControlType::kAccount, encode_account(*account));
    [[maybe_unused]] const ssize_t n = write(start_.control.get(), frame.data(), frame.size());
    return identity_from(*account, launch_.gid, launch_.user);
  }

  Status open_pmi(const Identity* identity) {
    const std::string name =
        fmt::format("{}.{}", launch_.key.job_id, step_label(launch_.key.step_id));
    if (launch_.mpi == MpiKind::kPmi2) {
      pmi_ =
          std::make_unique<PmiServer>(loop_, name, [this](const std::string& why) { abort(why); });
      std::vector<uint32_t> ranks;
      for (const TaskLaunch& task : launch_.tasks) ranks.push_back(task.rank);
      return pmi_->open(ranks);
    }
    if (launch_.mpi == MpiKind::kPmix) {
      auto helper = tasks_.make_helper(
          start_, identity,
          {start_.pmix_program, name, std::to_string(launch_.tasks.size()), start_.pmix_dir});
      if (!helper) return tl::unexpected(helper.error());
      pmix_ = std::move(*helper);
    }
    return {};
  }

  // A task of an MPI program has asked to end all of them.
  void abort(const std::string& why) {
    notify(error_prefix(launch_, 0) + why);
    kill_everything();
  }

  void read_pmix() {
    char buffer[4096];
    const ssize_t n = read(pmix_.output.get(), buffer, sizeof buffer);
    const std::string text(buffer, n > 0 ? static_cast<size_t>(n) : 0);
    if (text.starts_with("ready")) {
      pmix_ready_ = true;
      if (go_wanted_) let_go();
    } else if (text.starts_with("abort ")) {
      abort("PMIx: rank " + text.substr(6, text.find('\n') - 6) + " aborted");
    } else if (n <= 0) {
      loop_.remove(pmix_.output.get());
      if (phase_ != Phase::kWaiting) return;
      failure_ = "the PMIx server of the step has ended (" + start_.pmix_program + ")";
      kill_everything();
    }
  }

  void open_for_business() {
    if (pmi_) pmi_->start();
    if (pmix_.output) loop_.add(pmix_.output.get(), EPOLLIN, [this](uint32_t) { read_pmix(); });
    io_.start();
    loop_.add(tasks_.failures(), EPOLLIN, [this](uint32_t) { read_failures(); });
    hub_.listen_on(std::move(start_.listener));
    hub_.adopt_control(std::move(start_.control));
    if (launch_.wait_for_client) {
      patience_ = loop_.after(kClientPatience, [this] {
        failure_ = "srun did not connect to its step";
        kill_everything();
      });
    } else {
      let_go();
    }
  }

  void let_go() {
    go_wanted_ = true;
    loop_.cancel(patience_);
    if (pmix_.output && !pmix_ready_) return;
    phase_ = Phase::kRunning;
    start_time_ = time(nullptr);
    tasks_.go(launch_, outside_root_.get());
    for (const auto& task : tasks_.entries()) {
      const auto pid = static_cast<uint32_t>(task.pid);
      hub_.broadcast(make_frame(FrameType::kStarted, task.rank, as_payload(pid)));
    }
    hub_.tell_launcher(control_greeting());
    sample_memory(kFirstSample);
  }

  // The kernel remembers the peak of each process, but not of all together: look now and then,
  // often at first and rarely in a long step, at which the launcher looks too.
  void sample_memory(milliseconds pause) {
    loop_.after(pause, [this, pause] {
      if (phase_ != Phase::kRunning) return;
      uint64_t together = 0;
      for (const TaskUse& seen : measure_tasks(processes(), tasks_.running(), false)) {
        tasks_.note_memory(seen);
        together += seen.rss_bytes;
      }
      usage_.max_rss_bytes = std::max(usage_.max_rss_bytes, together);
      sample_memory(std::min(pause * 2, kLastSample));
    });
  }

  // --- Children.

  void watch_children() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    children_.reset(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    loop_.add(children_.get(), EPOLLIN, [this](uint32_t) {
      signalfd_siginfo info;
      while (read(children_.get(), &info, sizeof info) > 0) {
      }
      reap();
    });
  }

  void reap() {
    while (true) {
      siginfo_t info{};
      if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        childless_ = errno == ECHILD;
        break;
      }
      if (info.si_pid == 0) break;
      ProcessIo io;
      if (const auto* task = tasks_.find(info.si_pid)) io = read_io(task->io.get());
      // What an epilog left running ends with it, while its number is still its own.
      if (epilogs_.contains(info.si_pid)) kill(-info.si_pid, SIGKILL);
      int status = 0;
      rusage used{};
      wait4(info.si_pid, &status, 0, &used);
      if (auto* task = tasks_.note_end(info.si_pid, status)) {
        note_use(task->use, used, io);
        task_ended(*task);
      }
      if (const auto epilog = epilogs_.extract(info.si_pid)) epilog_ended(epilog, status);
    }
    if (tasks_.all_ended() && epilogs_.empty()) end_step();
  }

  void note_use(TaskUse& use, const rusage& used, const ProcessIo& io) {
    use.cpu_us = micros(used.ru_utime) + micros(used.ru_stime);
    use.rss_bytes = std::max(use.rss_bytes, static_cast<uint64_t>(used.ru_maxrss) * 1024);
    use.pages = static_cast<uint64_t>(used.ru_majflt);
    use.read_bytes = io.read_bytes;
    use.written_bytes = io.written_bytes;
    usage_.read_bytes += io.read_bytes;
    usage_.written_bytes += io.written_bytes;
  }

  void task_ended(const TaskSet::Entry& task) {
    read_failures();
    const int32_t status = task.status;
    if (!out_of_memory_ && oom_.now() > 0) out_of_memory();
    if (out_of_memory_) hub_.broadcast(make_frame(FrameType::kOutOfMemory, task.rank));
    hub_.broadcast(make_frame(FrameType::kTaskExit, task.rank, as_payload(status)));
    if (phase_ == Phase::kRunning) start_task_epilogs(task.rank);
    const bool bad = status != 0 || out_of_memory_;
    if (bad && launch_.kill_on_bad_exit && !tasks_.all_ended()) end_bad_step();
    if (launch_.wait_seconds > 0 && !first_end_seen_ && phase_ == Phase::kRunning) {
      loop_.after(seconds(launch_.wait_seconds), [this] { kill_everything(); });
    }
    first_end_seen_ = true;
  }

  // That of the user, then that of the site.
  void start_task_epilogs(uint32_t rank) {
    if (!launch_.user_task_epilog.empty()) {
      start_task_epilog(rank, "user task_epilog", launch_.user_task_epilog);
    }
    if (!launch_.task_epilog.empty()) {
      start_task_epilog(rank, "slurm task_epilog", launch_.task_epilog);
    }
  }

  void start_task_epilog(uint32_t rank, const char* kind, const std::string& program) {
    const auto task = std::find_if(launch_.tasks.begin(), launch_.tasks.end(),
                                   [&](const TaskLaunch& t) { return t.rank == rank; });
    // As the user: access(2) would ask for the shepherd's real uid, which is not his.
    if (faccessat(AT_FDCWD, program.c_str(), X_OK, AT_EACCESS) != 0) {
      const std::string prefix = error_prefix(launch_, task->node_index);
      notify(prefix + fmt::format("Could not run {} [{}]: access denied", kind, program));
      return notify(prefix + "TaskEpilog failed status=-1");
    }
    const pid_t pid = fork();
    if (pid > 0) {
      epilogs_.emplace(pid, task->node_index);
      epilogs_ran_ = true;
      loop_.after(kEpilogPatience, [this, pid] {
        if (epilogs_.contains(pid)) kill(-pid, SIGKILL);
      });
    }
    if (pid != 0) return;
    setsid();
    give_signals_back();
    close_all_but({});
    if (start_.privileged && setresuid(launch_.uid, launch_.uid, launch_.uid) != 0) _exit(126);
    auto environment = merge_environment(launch_.environment, task->environment);
    std::vector<std::string> words{program};
    if (chdir(launch_.work_dir.c_str()) != 0 && chdir("/tmp") != 0) _exit(126);
    execve(words[0].c_str(), as_argv(words).data(), as_argv(environment).data());
    _exit(127);
  }

  void epilog_ended(const std::map<pid_t, uint32_t>::node_type& epilog, int status) {
    if (status == 0) return;
    notify(error_prefix(launch_, epilog.mapped()) +
           fmt::format("TaskEpilog failed status={}", status));
  }

  void read_failures() {
    char buffer[4096];
    const int fd = tasks_.failures();
    fcntl(fd, F_SETFL, O_NONBLOCK);
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n == 0) tasks_executed();
    if (n <= 0) return;
    failures_.append(buffer, static_cast<size_t>(n));
    TaskFailure header{};
    while (failures_.size() >= sizeof header) {
      std::memcpy(&header, failures_.data(), sizeof header);
      if (failures_.size() < sizeof header + header.size) return;
      const std::string text = failures_.substr(sizeof header, header.size);
      failures_.erase(0, sizeof header + header.size);
      hub_.broadcast(make_frame(FrameType::kTaskFailed, header.rank, text));
      if (text != kIoFailure && failure_.empty()) failure_ = text;
    }
  }

  // All programs run, or ended before: their files are open and will not be emptied any more.
  void tasks_executed() {
    loop_.remove(tasks_.failures());
    executed_ = true;
    for (const std::string& text : std::exchange(early_notices_, {})) notify(text);
  }

  // --- Ending.

  // Every process of the step but ourselves.
  std::vector<pid_t> processes() const {
    if (!start_.cgroups.tracking_dir.empty()) {
      return read_pids(start_.cgroups.tracking_dir + "/cgroup.procs");
    }
    return descendants_of(getpid());
  }

  void signal_everything(int number) {
    if (number == SIGKILL && kill_ && write(kill_.get(), "1", 1) == 1) return;
    for (const pid_t pid : processes()) send_signal(pid, number, kSignalAttempts);
  }

  // A task that was just made is still root's for a moment and can't be signalled by us: again,
  // until it is the user's. (A set-uid program stays root's; then it is left alone.)
  void send_signal(pid_t pid, int number, int attempts_left) {
    if (kill(pid, number) == 0 || errno != EPERM || attempts_left == 0) return;
    loop_.after(kSignalPause, [this, pid, number, attempts_left] {
      const auto* task = tasks_.find(pid);
      if (task != nullptr && !task->ended) send_signal(pid, number, attempts_left - 1);
    });
  }
  void kill_everything() {
    signal_everything(SIGKILL);
    // Epilogs of tasks are outside of the step's cgroup.
    if (!epilogs_ran_) return;
    for (const pid_t pid : descendants_of(getpid())) kill(pid, SIGKILL);
  }

  void end_gently() {
    if (ending_gently_) return;
    ending_gently_ = true;
    signal_everything(SIGTERM);
    signal_everything(SIGCONT);
    loop_.after(seconds(launch_.kill_wait_seconds), [this] { kill_everything(); });
  }

  // --kill-on-bad-exit, in the words of a cancelled step.
  void end_bad_step() {
    if (ending_gently_ || phase_ != Phase::kRunning) return;
    const time_t now = time(nullptr);
    tm local{};
    char when[32];
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", localtime_r(&now, &local));
    notify(error_prefix(launch_, 0) +
           fmt::format("*** STEP {}.{} ON {} CANCELLED AT {} ***", launch_.key.job_id,
                       step_label(launch_.key.step_id), launch_.node_names.at(0), when));
    end_gently();
  }

  // The kernel has killed a process. What is left goes on (`train || fallback`), but every task
  // that ends after it has lacked memory, whatever its own exit.
  void out_of_memory() {
    out_of_memory_ = true;
    notify(error_prefix(launch_, 0) +
           fmt::format("Detected {} oom-kill event(s) in StepId={}.{}. Some of your processes may "
                       "have been killed by the cgroup out-of-memory handler.",
                       oom_.now(), launch_.key.job_id, step_label(launch_.key.step_id)));
  }

  void end_step() {
    if (phase_ == Phase::kWaiting || phase_ == Phase::kRunning) {
      phase_ = Phase::kEnding;
      if (!executed_) tasks_executed();
      io_.pause(false);
      give_up_at_ = EventLoop::Clock::now() + kEndPatience;
      if (!childless_) retry_kill();
    }
    if (phase_ == Phase::kEnding) finish_if_quiet();
  }

  // Again and again: what forks faster than we kill must end too.
  void retry_kill() {
    if (phase_ != Phase::kEnding) return;
    kill_everything();
    if (EventLoop::Clock::now() > give_up_at_) {
      childless_ = true;
      io_.close_outputs();
      return finish_if_quiet();
    }
    loop_.after(milliseconds(100), [this] { retry_kill(); });
  }

  void finish_if_quiet() {
    if (!childless_ || phase_ != Phase::kEnding) return;
    if (io_.outputs_open()) {
      // Nobody of the step is left to hold them: only bytes in the pipes, or an outsider.
      if (drain_timer_ == 0) {
        drain_timer_ = loop_.after(kEndPatience, [this] { io_.close_outputs(); });
      }
      return;
    }
    write_record();
    hub_.tell_launcher(make_frame(ControlType::kEnded));
    hub_.broadcast(make_frame(FrameType::kDone, kAllTasks));
    phase_ = Phase::kLingering;
    hub_.stop_listening();
    loop_.after(kLingerPatience, [this] { loop_.stop(); });
    linger();
  }

  void linger() {
    if (hub_.flushed()) return loop_.stop();
    loop_.after(milliseconds(50), [this] { linger(); });
  }

  void write_record() {
    StepEnded ended;
    ended.key = launch_.key;
    for (const auto& task : tasks_.entries()) {
      ended.exits.push_back({task.rank, task.status});
      usage_.tasks.push_back(task.use);
      usage_.tasks.back().rank = task.rank;
    }
    ended.out_of_memory = out_of_memory_;
    ended.failure = failure_;
    ended.end_time = time(nullptr);
    ended.start_time = start_time_ > 0 ? start_time_ : ended.end_time;
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    ended.usage = usage_;
    ended.usage.user_us = micros(used.ru_utime);
    ended.usage.system_us = micros(used.ru_stime);
    ended.usage.max_rss_bytes =
        std::max(usage_.max_rss_bytes, static_cast<uint64_t>(used.ru_maxrss) * 1024);
    // Nobody is there to hear of a failure: the launcher then reports a shepherd without record.
    (void)write_ended(start_.exit_record.get(), ended);
  }

  [[noreturn]] void fail_step(const std::string& why) {
    failure_ = why;
    kill_everything();
    write_record();
    _exit(1);
  }

  // --- What clients and the launcher ask (ClientHub::Delegate).

  std::string greeting() override {
    std::string frames;
    if (phase_ == Phase::kWaiting) return frames;
    std::string exits;
    for (const auto& task : tasks_.entries()) {
      const auto pid = static_cast<uint32_t>(task.pid);
      const int32_t status = task.status;
      frames += make_frame(FrameType::kStarted, task.rank, as_payload(pid));
      if (task.ended) exits += make_frame(FrameType::kTaskExit, task.rank, as_payload(status));
    }
    return frames + recent_.frames() + exits;
  }

  std::string control_greeting() override {
    if (phase_ == Phase::kWaiting) return "";
    std::string pids;
    for (const auto& task : tasks_.entries()) {
      pids += as_payload(ControlPid{task.rank, task.pid});
    }
    return make_frame(ControlType::kStarted, pids);
  }

  void output(FrameType type, uint32_t rank, std::string_view data) {
    const std::string frame = make_frame(type, rank, data);
    hub_.broadcast(frame);
    // An end is no output: who comes later hears of it with the end of the step.
    if (!data.empty()) recent_.add(node_of(rank), frame);
    if (hub_.saturated() && phase_ == Phase::kRunning) io_.pause(true);
  }

  uint32_t node_of(uint32_t rank) const {
    for (const TaskLaunch& task : launch_.tasks) {
      if (task.rank == rank) return task.node_index;
    }
    return 0;
  }

  void client_joined() override {
    if (phase_ == Phase::kWaiting) let_go();
  }
  void input(uint32_t task, const std::string& data) override { io_.input(task, data); }
  void input_ended(uint32_t task) override { io_.input_ended(task); }
  void resized(ResizePayload size) override { io_.resize(size); }
  void client_signal(int number) override { signal_everything(number); }

  void control_signal(int number, SignalTarget target) override {
    // The service ends the step; a SIGTERM that a user sends to the tasks is theirs to handle.
    const bool ending = number == SIGTERM && target == SignalTarget::kEverything;
    if (ending || number == SIGKILL) tell_ending();
    if (target == SignalTarget::kEverything) {
      signal_everything(number);
      // What was stopped goes on to hear it.
      if (ending) signal_everything(SIGCONT);
      return;
    }
    const bool is_batch = launch_.key.step_id == kBatchStep;
    if (is_batch != (target == SignalTarget::kBatchShell)) return;
    for (const auto& task : tasks_.entries()) {
      if (!task.ended) send_signal(task.pid, number, kSignalAttempts);
    }
  }

  void end_node(uint32_t node_index) override {
    for (const TaskLaunch& task : launch_.tasks) {
      if (task.node_index != node_index) continue;
      for (const auto& entry : tasks_.entries()) {
        if (entry.rank != task.rank || entry.ended) continue;
        const std::vector<pid_t> below = descendants_of(entry.pid);
        send_signal(entry.pid, SIGKILL, kSignalAttempts);
        for (const pid_t pid : below) kill(pid, SIGKILL);
      }
    }
  }

  void notify(const std::string& text, NoticeKind kind) override {
    if (kind == NoticeKind::kEnd) tell_ending();
    notify(text);
  }

  // The srun of the step hears of its end before anything that the end prints.
  void tell_ending() {
    const uint32_t patience = launch_.kill_wait_seconds;
    hub_.broadcast(make_frame(FrameType::kEnding, kAllTasks, as_payload(patience)));
  }

  void notify(const std::string& text) {
    if (!executed_) {
      if (early_notices_.size() < kMostEarlyNotices) early_notices_.push_back(text);
      return;
    }
    const std::string line = text + "\n";
    const TaskLaunch& task = launch_.tasks[0];
    if (task.std_err.empty() || launch_.pty) {
      hub_.broadcast(make_frame(FrameType::kStderr, kAllTasks, line));
      return;
    }
    const UniqueFd file(::open(task.std_err.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC));
    if (file) [[maybe_unused]]
      const ssize_t n = write(file.get(), line.data(), line.size());
  }

  void supplier_left(bool others) override {
    io_.input_ended(kAllTasks);
    if (!others && launch_.wait_for_client && phase_ == Phase::kRunning) end_gently();
  }
  void output_drained() override { io_.pause(false); }

  void io_changed() {
    hub_.pause_input(io_.input_saturated());
    if (phase_ == Phase::kEnding) finish_if_quiet();
  }

  ShepherdStart start_;
  const StepLaunch& launch_;
  EventLoop loop_;
  ClientHub hub_;
  TaskIo io_;
  RecentOutput recent_;
  TaskSet tasks_;
  OomCount oom_;
  std::unique_ptr<PmiServer> pmi_;  // of an MPI step
  UniqueFd children_, kill_;
  std::map<pid_t, uint32_t> epilogs_;  // those that run, and the node of each
  bool epilogs_ran_ = false;
  UniqueFd outside_root_;  // "/" as it is outside of our mount namespace
  bool executed_ = false;  // all tasks have opened their files and run their programs
  std::vector<std::string> early_notices_;  // came before that
  std::string failures_;                    // bytes of TaskFailure messages
  Phase phase_ = Phase::kWaiting;
  std::string failure_;
  StepUsage usage_;
  int64_t start_time_ = 0;
  EventLoop::TimerId patience_ = 0, drain_timer_ = 0;
  EventLoop::Clock::time_point give_up_at_;
  TaskSet::Helper pmix_;
  bool pmix_ready_ = false;
  bool go_wanted_ = false;
  bool childless_ = false;
  bool out_of_memory_ = false;
  bool first_end_seen_ = false;
  bool ending_gently_ = false;
};

void raise_open_files() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace

void run_shepherd(ShepherdStart start) {
  setsid();
  prctl(PR_SET_NAME, "grappe-shepherd");
  write_title(start.title, fmt::format("grappe-shepherd: [{}.{}]", start.launch.key.job_id,
                                       step_label(start.launch.key.step_id)));
  close_all_but({start.listener.get(), start.control.get(), start.exit_record.get()});
  detach_standard_streams();
  raise_open_files();
  signal(SIGPIPE, SIG_IGN);
  Shepherd(std::move(start)).run();
}

}  // namespace grappe::exec
