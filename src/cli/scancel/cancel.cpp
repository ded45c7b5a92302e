#include "cli/scancel/cancel.h"

#include <fmt/core.h>

#include <cstdio>

#include "base/text.h"
#include "cli/report.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

// Whole jobs by their numbers: Slurm doesn't look at them first, and says nothing of those that
// are over or never were.
bool is_plain(const ScancelOptions& o) {
  if (o.interactive || o.signal_given || o.request.batch_only() || !o.filters.empty()) return false;
  for (const std::string& id : o.request.job_ids()) {
    if (id.find('.') != std::string::npos) return false;
  }
  return true;
}

struct Target {
  std::string id;  // "12", "12_3", "12_[2-5%2]", "12.0"
  bool step = false;
};

// As people see the job: the record of an array by its tasks.
Target target_of(const v1::JobOutcome& outcome) {
  Target target{outcome.job_id(), outcome.job_id().find('.') != std::string::npos};
  const v1::JobInfo& job = outcome.job();
  if (job.array_job_id() && !target.step) {
    target.id = job.has_array_task_id()
                    ? fmt::format("{}_{}", job.array_job_id(), job.array_task_id())
                    : fmt::format("{}_[{}]", job.array_job_id(), job.array_tasks());
  }
  if (!outcome.step_id().empty() && !target.step) {
    target.id += "." + outcome.step_id();
    target.step = true;
  }
  return target;
}

class Canceller {
 public:
  Canceller(Calls& calls, const ScancelOptions& options)
      : calls_(calls), options_(options), plain_(is_plain(options)) {
    report_.verbosity = options.quiet ? -1 : options.verbose;
  }

  void send(const v1::CancelRequest& request) {
    auto answer = calls_.call<v1::CancelResponse>("Jobs/Cancel", request);
    if (!answer) return failed(answer.error());
    if (answer->outcomes().empty() && !options_.filters.empty() && options_.verbose) {
      report_.error(
          "No active jobs match ALL job filters, including: " + join(options_.filters, " ") + " ");
    }
    for (const v1::JobOutcome& outcome : answer->outcomes()) tell(outcome);
  }

  // With -i: which jobs it would be, then one question each.
  void ask(std::istream& answers) {
    v1::CancelRequest request = options_.request;
    request.set_dry_run(true);
    auto found = calls_.call<v1::CancelResponse>("Jobs/Cancel", request);
    if (!found) return failed(found.error());
    for (const v1::JobOutcome& outcome : found->outcomes()) {
      if (outcome.error()) {
        tell(outcome);
      } else if (confirmed(outcome, answers)) {
        request.set_dry_run(false);
        request.set_filtered(false);
        request.clear_job_ids();
        request.add_job_ids(target_request_id(outcome));
        send(request);
      }
    }
  }

  int exit_code() const { return exit_code_; }

 private:
  static std::string target_request_id(const v1::JobOutcome& outcome) {
    bool step = !outcome.step_id().empty() && outcome.job_id().find('.') == std::string::npos;
    return step ? outcome.job_id() + "." + outcome.step_id() : outcome.job_id();
  }

  void failed(const Error& error) {
    report_.error(error);
    exit_code_ = error.code ? error.code & 0xff : 1;
  }

  bool confirmed(const v1::JobOutcome& outcome, std::istream& answers) {
    Target target = target_of(outcome);
    std::string question =
        fmt::format("Cancel {}={} name={} partition={} [y/n]? ", target.step ? "step_id" : "job_id",
                    target.id, outcome.job().name(), outcome.job().partition());
    for (std::string line;;) {
      std::fwrite(question.data(), 1, question.size(), stdout);
      std::fflush(stdout);
      if (!std::getline(answers, line)) return false;
      if (iequals(line, "y") || iequals(line, "yes")) return true;
      if (iequals(line, "n") || iequals(line, "no")) return false;
    }
  }

  std::string doing(const Target& target) const {
    std::string_view what = target.step ? "step" : "job";
    if (!options_.signal_given) return fmt::format("Terminating {} {}", what, target.id);
    return fmt::format("Signal {} to {}{} {}", options_.request.signal(),
                       options_.request.batch_only() ? "batch " : "", what, target.id);
  }

  void tell(const v1::JobOutcome& outcome) {
    Target target = target_of(outcome);
    report_.verbose(doing(target));
    if (!outcome.error()) return;
    int code = static_cast<int>(outcome.error());
    bool over = code == kErrInvalidJobId || code == kErrAlreadyDone;
    if (over && plain_ && !options_.verbose) return;
    // Looked at first, a job that is over is not there.
    if (over && !plain_) code = kErrInvalidJobId;
    bool said_by_service = static_cast<uint32_t>(code) == outcome.error();
    std::string text =
        said_by_service && !outcome.message().empty() ? outcome.message() : slurm_error_text(code);
    if (!(over && options_.quiet)) {
      report_.error(fmt::format("Kill job error on job {} {}: {}", target.step ? "step id" : "id",
                                target.id, text));
    }
    if (!over) exit_code_ = code & 0xff;
    if (over && !plain_) exit_code_ = 1;
  }

  Calls& calls_;
  const ScancelOptions& options_;
  bool plain_;
  Report report_{"scancel"};
  int exit_code_ = 0;
};

}  // namespace

int cancel_jobs(Calls& calls, const ScancelOptions& options, std::istream& answers) {
  Canceller canceller(calls, options);
  if (options.interactive) {
    canceller.ask(answers);
  } else {
    canceller.send(options.request);
  }
  return canceller.exit_code();
}

}  // namespace grappe
