// The Executor of the daemon: grapped's end of the socketpair to grappe-launcher.
//
// Calls only queue a message; one thread of this object writes them out, reads the events and
// calls the listener. When the launcher is gone the listener gets ExecutorLost, once, and
// grapped should end: a new launcher starts a new grapped.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "exec/executor.h"
#include "exec/gpu/gpu_meter.h"
#include "exec/site_programs.h"

namespace grappe::exec {

class LauncherExecutor : public Executor {
 public:
  // `run_dir` is the launcher's --run, where the sockets of the steps are.
  LauncherExecutor(UniqueFd socket, std::string run_dir);
  ~LauncherExecutor() override;

  // From GRAPPE_LAUNCHER_FD and GRAPPE_RUN_DIR, which the launcher sets.
  static Result<std::unique_ptr<LauncherExecutor>> from_environment();

  // The library of the GPUs' driver; looked for when it is first needed.
  void set_gpu_library(std::string path) { gpu_library_ = std::move(path); }

  // Must be called once, before anything else: the thread starts here.
  void listen(Listener listener) override;
  void start(StepLaunch launch) override;
  void signal(StepKey key, int signal_number, SignalTarget target) override;
  void end_node(StepKey key, uint32_t node_index) override;
  void confine(uint32_t job_id, uint32_t restart, JobConfinement confinement) override;
  void notify(StepKey key, std::string text, NoticeKind kind) override;
  void freeze(uint32_t job_id, bool frozen) override;
  void forget(StepKey key) override;
  void clean(uint32_t job_id, uint32_t restart) override;
  void run(SiteProgram program) override;
  void measure(uint64_t request, std::vector<StepKey> keys) override;
  void measure_gpus() override;
  std::string socket_path(StepKey key) const override;

 private:
  class Connection;
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<SitePrograms> programs_;  // from listen() on
  std::unique_ptr<GpuMeter> gpus_;          // the same
  std::string run_dir_;
  std::string gpu_library_ = "libnvidia-ml.so.1";
};

}  // namespace grappe::exec
