#include "cli/salloc/allocation.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "cli/calls.h"
#include "cli/options/job_request.h"
#include "model/job_state.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr auto kHold = seconds(30);       // one long poll
constexpr auto kBellAfter = seconds(10);  // a wait worth a bell

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int s : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2}) sigaddset(&set, s);
  return set;
}

v1::WaitRequest wait_request(uint32_t job_id, v1::WaitRequest::Until until, milliseconds hold) {
  v1::WaitRequest request;
  request.set_job_id(job_id);
  request.set_until(until);
  request.set_timeout_ms(static_cast<uint32_t>(hold.count()));
  return request;
}

void complete(Calls& calls, uint32_t job_id, int wait_status) {
  v1::CompleteRequest request;
  request.set_job_id(job_id);
  request.set_exit_code(static_cast<uint32_t>(wait_status));
  (void)calls.call<v1::CompleteResponse>("Jobs/Complete", request, seconds(10));
}

// As scancel does: the job shows as cancelled.
void cancel(Calls& calls, uint32_t job_id) {
  v1::CancelRequest request;
  request.add_job_ids(std::to_string(job_id));
  (void)calls.call<v1::CancelResponse>("Jobs/Cancel", request, seconds(10));
}

bool means_not_now(int code) {
  return code == ETIMEDOUT || code == kErrNotTopPriority || code == kErrNodesBusy ||
         code == kErrCanNotStartImmediately;
}

std::string job_text(uint32_t job_id) {
  return std::to_string(job_id);
}

}  // namespace

Allocation::Allocation(const JobOptions& options, const Report& report)
    : options_(options), report_(report) {
  sigset_t set = handled_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread(&Allocation::take_signals, this).detach();
}

std::optional<int> Allocation::obtain(const v1::SubmitRequest& request, v1::JobInfo& job) {
  auto begun = Clock::now();
  ServiceCalls calls;
  v1::SubmitRequest sent = request;
  // -I5 waits here; only a plain -I is for the scheduler to answer at once.
  if (sent.spec().immediate_s() > 1) sent.mutable_spec()->clear_immediate_s();
  auto answer = send_submit(sent, calls, report_);
  if (!answer) {
    bool not_now = request.spec().immediate_s() > 0 && means_not_now(answer.error().code);
    // Slurm's salloc finds an unknown generic resource by itself, before it asks for anything.
    bool early = answer.error().code == kErrInvalidGres;
    report_.error(answer.error(), early     ? ""
                                  : not_now ? "Unable to allocate resources: "
                                            : "Job submit/allocate failed: ");
    return error_exit_code(report_, not_now ? "SLURM_EXIT_IMMEDIATE" : "SLURM_EXIT_ERROR");
  }
  job_id_ = answer->job_id();
  for (const std::string& note : answer->notes()) report_.info(note);
  job = answer->job();
  if (!answer->started()) {
    if (answer->rc() != 0) report_.info(slurm_error_text(static_cast<int>(answer->rc())));
    report_.info("Pending job allocation " + job_text(job_id_));
    report_.info("job " + job_text(job_id_) + " queued and waiting for resources");
    if (auto exit = wait_for_start(job_id_, job)) return exit;
    report_.info("job " + job_text(job_id_) + " has been allocated resources");
  }
  report_.info("Granted job allocation " + job_text(job_id_));
  if (auto exit = wait_until_ready(job)) return exit;
  bool late = Clock::now() - begun >= kBellAfter;
  if (options_.bell.value_or(late) && isatty(STDOUT_FILENO)) {
    std::fputc('\a', stdout);
    std::fflush(stdout);
  }
  state_ = State::kGranted;
  return std::nullopt;
}

std::optional<int> Allocation::wait_for_start(uint32_t job_id, v1::JobInfo& job) {
  auto patience = seconds(options_.spec.immediate_s());
  auto deadline = Clock::now() + patience;
  ServiceCalls calls;
  for (;;) {
    milliseconds hold = kHold;
    if (patience.count() > 0) {
      hold = std::min(hold, std::chrono::duration_cast<milliseconds>(deadline - Clock::now()));
      if (hold.count() <= 0) {
        give_up(job_id, ETIMEDOUT, "Unable to allocate resources");
        return error_exit_code(report_, "SLURM_EXIT_IMMEDIATE");
      }
    }
    auto answer = calls.call<v1::WaitResponse>(
        "Jobs/Wait", wait_request(job_id, v1::WaitRequest::STARTED, hold), hold + seconds(30));
    if (!answer && !service_is_away(answer.error().code)) {
      report_.error(answer.error(), "Job submit/allocate failed: ");
      return error_exit_code(report_);
    }
    if (!answer) {  // the service is being restarted: the job keeps its place
      std::this_thread::sleep_for(seconds(1));
      continue;
    }
    if (answer->timed_out()) continue;
    job = answer->job();
    if (!is_finished(base_state(job.state()))) return std::nullopt;
    // The end that our own signal has brought: the thread that took it says so and exits.
    if (interrupted_) pause();
    const JobState state = base_state(job.state());
    if (state == JobState::kCancelled || state == JobState::kDeadline) {
      report_.info("Job has been cancelled");
    }
    report_.info("Job allocation " + job_text(job_id) + " has been revoked.");
    report_.error("Job submit/allocate failed: " + slurm_error_text(kErrAlreadyDone));
    return error_exit_code(report_);
  }
}

// Its nodes are prepared by PrologSlurmctld.
std::optional<int> Allocation::wait_until_ready(v1::JobInfo& job) {
  if (!(job.state() & kStateConfiguring)) return std::nullopt;
  report_.info("Waiting for resource configuration");
  ServiceCalls calls;
  for (;;) {
    auto answer = calls.call<v1::WaitResponse>(
        "Jobs/Wait", wait_request(job_id_, v1::WaitRequest::READY, kHold), kHold + seconds(30));
    if (!answer && service_is_away(answer.error().code)) {
      std::this_thread::sleep_for(seconds(1));
      continue;
    }
    if (answer && !answer->notice().empty()) report_.info(answer->notice());
    if (answer && answer->timed_out()) continue;
    if (answer) job = answer->job();
    if (answer && !is_finished(base_state(job.state()))) break;
    if (interrupted_) pause();
    report_.info("Job allocation " + job_text(job_id_) + " has been revoked.");
    report_.error("Job allocation " + job_text(job_id_) + " has been revoked");
    return error_exit_code(report_);
  }
  report_.info("Nodes " + job.nodes() + " are ready for job");
  return std::nullopt;
}

void Allocation::give_up(uint32_t job_id, int error, std::string_view text) {
  ServiceCalls calls;
  cancel(calls, job_id);
  report_.error(std::string(text) + ": " + std::strerror(error));
  report_.info("Job allocation " + job_text(job_id) + " has been revoked.");
}

void Allocation::take_signals() {
  sigset_t set = handled_signals();
  for (int number = 0; sigwait(&set, &number) == 0;) {
    interrupted_ = true;
    uint32_t job_id = job_id_;
    ServiceCalls calls;
    if (job_id != 0 && state_ != State::kRevoked) {
      cancel(calls, job_id);
      revoked(0);
    }
    if (command_ == 0) {
      report_.info("Job aborted due to signal");
      _exit(error_exit_code(report_));
    }
  }
}

void Allocation::watch(pid_t command) {
  command_ = command;
  std::thread(&Allocation::watch_end, this).detach();
}

void Allocation::watch_end() {
  ServiceCalls calls;
  while (state_ == State::kGranted) {
    auto answer = calls.call<v1::WaitResponse>(
        "Jobs/Wait", wait_request(job_id_, v1::WaitRequest::ENDED, kHold), kHold + seconds(30));
    if (!answer && service_is_away(answer.error().code)) {
      std::this_thread::sleep_for(seconds(1));
      continue;
    }
    if (answer && !answer->notice().empty()) report_.info(answer->notice());
    if (answer && answer->timed_out()) continue;
    revoked(answer ? answer->job().state() : 0);
  }
}

// Told once, whoever notices first; not at all when salloc itself has given it back.
void Allocation::revoked(uint32_t job_state) {
  State expected = state_;
  if (expected == State::kRevoked || !state_.compare_exchange_strong(expected, State::kRevoked)) {
    return;
  }
  if (base_state(job_state) == JobState::kTimeout) {
    report_.info("Job " + job_text(job_id_) +
                 " has exceeded its time limit and its allocation has been revoked.");
  } else {
    report_.info("Job allocation " + job_text(job_id_) + " has been revoked.");
  }
  pid_t command = command_;
  if (command > 0 && options_.kill_command) kill(-command, *options_.kill_command);
}

void Allocation::release(int wait_status) {
  State expected = State::kGranted;
  if (!state_.compare_exchange_strong(expected, State::kRevoked)) return;
  report_.info("Relinquishing job allocation " + job_text(job_id_));
  ServiceCalls calls;
  complete(calls, job_id_, wait_status);
}

}  // namespace grappe
