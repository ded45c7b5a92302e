// An Executor with no processes, for tests of the engine and for the simulator.
//
// start() answers with StepStarted at once, and the step runs
// until the test calls end(). SIGKILL ends it too, unless `ends_on_kill` is off. Every call is
// kept, so that a test can look at what the engine asked for. One thread only.
#pragma once

#include <csignal>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "exec/executor.h"

namespace grappe::exec {

class FakeExecutor : public Executor {
 public:
  struct Signal {
    StepKey key;
    int number;
    SignalTarget target;
  };

  // What the test reads.
  std::vector<StepLaunch> started;
  std::vector<Signal> signals;
  std::vector<std::pair<StepKey, std::string>> notices;
  std::vector<StepKey> forgotten;
  std::vector<std::pair<uint32_t, uint32_t>> cleaned;  // job, restart
  std::map<uint32_t, bool> frozen;
  std::vector<SiteProgram> programs;
  std::vector<std::pair<StepKey, uint32_t>> ended_nodes;
  std::map<uint32_t, JobConfinement> confined;  // anew
  struct Measure {
    uint64_t request;
    std::vector<StepKey> keys;
  };
  std::vector<Measure> measures;
  size_t gpu_measures = 0;

  // What the test sets.
  bool starts_at_once = true;  // else started_now() says when
  bool ends_on_kill = true;
  bool cleans_at_once = true;  // else cleaned_now() says when
  int64_t now = 0;             // the times in StepEnded

  void listen(Listener listener) override { listener_ = std::move(listener); }

  void start(StepLaunch launch) override {
    const StepKey key = launch.key;
    if (const auto known = running_.find(key); known != running_.end()) {
      if (starts_at_once) started_now(key);
      return;
    }
    if (const auto done = ended_.find(key); done != ended_.end()) return tell(done->second);
    running_.emplace(key, Run{launch, now});
    started.push_back(std::move(launch));
    if (starts_at_once) started_now(key);
  }

  void signal(StepKey key, int number, SignalTarget target) override {
    signals.push_back({key, number, target});
    if (number == SIGKILL && ends_on_kill) end(key, SIGKILL);
  }
  void end_node(StepKey key, uint32_t node_index) override {
    ended_nodes.emplace_back(key, node_index);
  }
  void confine(uint32_t job_id, uint32_t, JobConfinement confinement) override {
    confined[job_id] = std::move(confinement);
  }
  void notify(StepKey key, std::string text, NoticeKind) override {
    notices.emplace_back(key, std::move(text));
  }
  void freeze(uint32_t job_id, bool is_frozen) override { frozen[job_id] = is_frozen; }
  void forget(StepKey key) override {
    forgotten.push_back(key);
    ended_.erase(key);
  }
  void clean(uint32_t job_id, uint32_t restart) override {
    cleaned.emplace_back(job_id, restart);
    for (const StepKey& key : running()) {
      if (key.job_id == job_id) end(key, SIGKILL);
    }
    if (cleans_at_once) cleaned_now(job_id, restart);
  }
  void run(SiteProgram program) override { programs.push_back(std::move(program)); }
  void measure(uint64_t request, std::vector<StepKey> keys) override {
    measures.push_back({request, std::move(keys)});
  }
  void measure_gpus() override { ++gpu_measures; }
  std::string socket_path(StepKey key) const override {
    return "/fake/" + std::to_string(key.job_id) + "." + std::to_string(key.step_id);
  }

  // The executor says that it is there, with what still runs and every end that was not
  // forgotten: what a real one does when the engine comes back.
  void ready() {
    ExecutorReady event;
    event.running = running();
    for (const auto& [key, ended] : ended_) event.ended.push_back(ended);
    tell(std::move(event));
  }

  void started_now(StepKey key) {
    const auto found = running_.find(key);
    if (found == running_.end()) return;
    StepStarted event{key, {}};
    for (const TaskLaunch& task : found->second.launch.tasks) {
      event.pids.emplace_back(task.rank, static_cast<pid_t>(100000 + task.rank));
    }
    tell(std::move(event));
  }

  // Every task of the step ends with `status` (as wait(2) gives it). No effect on a step that
  // does not run.
  void end(StepKey key, int status) {
    StepEnded event;
    event.key = key;
    if (const auto found = running_.find(key); found != running_.end()) {
      for (const TaskLaunch& task : found->second.launch.tasks) {
        event.exits.push_back({task.rank, status});
      }
    }
    end(std::move(event));
  }

  // The same, with everything said: out of memory, a failure, exits that differ.
  void end(StepEnded event) {
    const auto found = running_.find(event.key);
    if (found == running_.end()) return;
    event.start_time = found->second.start_time;
    event.end_time = now;
    running_.erase(found);
    ended_[event.key] = event;
    tell(std::move(event));
  }

  void prolog_fails(StepKey key, std::string message) {
    running_.erase(key);
    tell(PrologFailed{key, std::move(message)});
  }
  void cleaned_now(uint32_t job_id, uint32_t restart, std::string epilog_failure = "") {
    tell(JobCleaned{job_id, restart, std::move(epilog_failure)});
  }
  // The last program that was run ends; `failure` says how, if not well.
  void program_ends(std::string failure = "") {
    const SiteProgram& last = programs.back();
    tell(SiteProgramEnded{last.job_id, last.restart, last.kind, std::move(failure)});
  }
  // The answer to the last measure().
  void measured(std::vector<StepSample> steps) {
    tell(StepsMeasured{measures.back().request, std::move(steps)});
  }
  void gpus_measured(std::vector<GpuUse> gpus) { tell(GpusMeasured{std::move(gpus)}); }
  void lose() { tell(ExecutorLost{}); }

  bool is_running(StepKey key) const { return running_.contains(key); }
  std::vector<StepKey> running() const {
    std::vector<StepKey> keys;
    for (const auto& [key, run] : running_) keys.push_back(key);
    return keys;
  }

 private:
  struct Run {
    StepLaunch launch;
    int64_t start_time;
  };
  void tell(ExecEvent event) {
    if (listener_) listener_(one_event(std::move(event)));
  }

  Listener listener_;
  std::map<StepKey, Run> running_;
  std::map<StepKey, StepEnded> ended_;
};

}  // namespace grappe::exec
