// grappe-launcher: starts, signals and cleans up steps on grapped's request.
//
// One thread, one epoll loop, no network. It parses nothing that a user wrote: environments,
// arguments and scripts are blocks of bytes that it passes on. Its own state can be lost at any
// moment: a new launcher finds the shepherds by their sockets and the ends by their records.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/cgroup/cgroups.h"
#include "exec/launcher/brain.h"
#include "exec/launcher/job_tmp.h"
#include "exec/launcher/keeper.h"
#include "exec/launcher/options.h"
#include "exec/launcher/step_store.h"
#include "exec/os/event_loop.h"
#include "exec/shepherd/frames.h"

namespace grappe::exec {

class Launcher {
 public:
  Launcher(const LauncherOptions& options, KeeperPage& page);

  // Returns the status to exit with: 0 and kDoNotRestart mean that it is over.
  int run();

 private:
  enum class StepPhase { kWaiting, kRunning, kEnded };
  struct Step {
    StepPhase phase = StepPhase::kWaiting;
    std::optional<StepLaunch> launch;       // while it waits
    std::vector<NotifyStep> early_notices;  // came while it waited
    std::optional<uid_t> owner;             // none: an earlier launcher started it
    UniqueFd control;                       // to its shepherd, while it runs
    bool awaits_account = false;            // which is its first frame
    FrameReader reader;
    StepStarted started;  // no pids: not yet
    StepEnded ended;
  };
  enum class JobPhase { kNew, kPreparing, kReady, kCleaning };
  struct Job {
    JobRecord record;
    JobPhase phase = JobPhase::kNew;
    bool clean_wanted = false;
    bool epilog_started = false;
    std::string epilog_failure;
  };

  // Requests.
  void handle(LauncherRequest& request);
  void handle(const Hello& hello);
  void handle(StepLaunch& launch);
  void handle(const SignalStep& signal);
  void handle(const NotifyStep& notice);
  void tell_shepherd(Step& step, const NotifyStep& notice);
  void handle(const EndNode& end);
  void handle(const ConfineJob& confine);
  void handle(const FreezeJob& freeze);
  void handle(const ForgetStep& forget);
  void handle(const CleanJob& clean);
  void handle(const MeasureSteps& wanted);

  // The life of a step.
  Job* job_for(const StepLaunch& launch);
  void start_step(Step& step);
  Status fork_shepherd(Step& step);
  void watch_control(StepKey key);
  void read_control(StepKey key);
  bool take_frame(Step& step, const FrameReader::Frame& frame);  // false: the step has ended
  void step_ended(StepKey key);
  const AccountEntry* known_account(uid_t uid);
  void end_unstarted(Step& step, StepKey key, StepEnded ended);
  void retell(StepKey key, const Step& step);

  // The life of a job.
  void prepare(Job& job);
  void prepared(Job& job);
  void prolog_failed(Job& job, const std::string& why);
  void run_hooks(uint32_t job_id, const char* kind, std::vector<std::string> programs,
                 std::function<void(const std::string& failure)> done);
  void continue_cleaning(Job& job);
  void remove_tmp(Job& job);
  void remove_cgroups(uint32_t job_id, int attempts_left);
  void finish_cleaning(Job& job);
  std::optional<JobTmp> tmp_of(const Job& job);
  std::string marker_of(StepKey key) const;
  void kill_step(StepKey key);
  std::vector<std::string> unconfined() const;
  std::vector<StepKey> steps_of(uint32_t job_id, StepPhase phase) const;

  // Processes and signals.
  Status set_up();
  Status lock_state();
  void recover();
  void recover_step(StepKey key);
  void watch_signals();
  void take_signal();
  void reap();
  void on_exit(pid_t pid, std::function<void(int status)> action);
  void stop(int code);

  LauncherOptions options_;
  bool privileged_;
  uint64_t open_files_limit_ = 0;
  bool can_mount_ = false;  // in a namespace of its own
  EventLoop loop_;
  Brain brain_;
  std::optional<StepStore> store_;
  std::optional<Spares> tmp_spares_;
  std::optional<Cgroups> cgroups_;
  UniqueFd lock_, signals_;
  std::map<StepKey, Step> steps_;
  std::map<uint32_t, Job> jobs_;
  std::unordered_map<pid_t, std::function<void(int)>> children_;
  std::set<pid_t> hooks_;  // those of them that are prologs and epilogs
  struct KnownAccount {
    AccountEntry entry;
    EventLoop::Clock::time_point learned;
  };
  std::unordered_map<uid_t, KnownAccount> accounts_;
  bool brain_greeted_ = false;
  bool stopping_ = false;
  int exit_code_ = 0;
};

}  // namespace grappe::exec
