// An interactive allocation as salloc holds it: asked for, waited for, watched, given back.
//
// Two threads help the one that runs the command: one waits for signals, one for the end of the
// job. Both only act on the job and its command; the process ends where main ends it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <optional>

#include "cli/options/job_options.h"
#include "cli/report.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe {

class Allocation {
 public:
  // Blocks the signals that the helper takes: before any other thread exists.
  Allocation(const JobOptions& options, const Report& report);

  // Submits and waits until the resources are there, telling the user. The exit code on failure.
  std::optional<int> obtain(const v1::SubmitRequest& request, v1::JobInfo& job);

  // From here on the end of the job is told to the user, and with --kill-command to the command.
  void watch(pid_t command);

  // Gives the resources back, unless that has happened already.
  void release(int wait_status);

 private:
  enum class State { kPending, kGranted, kRevoked };

  std::optional<int> wait_for_start(uint32_t job_id, v1::JobInfo& job);
  std::optional<int> wait_until_ready(v1::JobInfo& job);
  void give_up(uint32_t job_id, int error, std::string_view text);
  void take_signals();
  void watch_end();
  void revoked(uint32_t state);

  const JobOptions& options_;
  const Report& report_;
  std::atomic<bool> interrupted_{false};
  std::atomic<State> state_ = State::kPending;
  std::atomic<uint32_t> job_id_ = 0;
  std::atomic<pid_t> command_ = 0;
};

}  // namespace grappe
