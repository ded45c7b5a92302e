#include "cli/sbatch/submit.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/datetime.h"
#include "cli/options/job_request.h"
#include "model/job_state.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

void say_when(const v1::SubmitResponse& answer, const Report& report) {
  report.info("Job " + std::to_string(answer.job_id()) + " to start at " +
              format_datetime(answer.start_time()) + " using " + std::to_string(answer.cpus()) +
              " processors on nodes " + answer.nodes() + " in partition " + answer.partition());
}

void say_submitted(const v1::SubmitResponse& answer, const JobOptions& options) {
  const std::string& cluster = options.spec.clusters();
  if (options.quiet) return;
  if (options.parsable) {
    std::printf("%u%s%s\n", answer.job_id(), cluster.empty() ? "" : ";", cluster.c_str());
  } else {
    std::printf("Submitted batch job %u%s%s\n", answer.job_id(),
                cluster.empty() ? "" : " on cluster ", cluster.c_str());
  }
  std::fflush(stdout);
}

int exit_code_of(const v1::JobInfo& job) {
  int status = static_cast<int>(job.exit_code());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int submit_batch_job(const v1::SubmitRequest& request, const JobOptions& options, Calls& calls,
                     const Report& report, int error_exit) {
  auto answer = send_submit(request, calls, report);
  if (!answer) {
    // Slurm's sbatch finds an unknown generic resource by itself, before it submits.
    bool early = answer.error().code == kErrInvalidGres;
    if (!request.test_only() || early) {
      report.error(answer.error(), early ? "" : "Batch job submission failed: ");
      return error_exit;
    }
    // Of what the service adds, Slurm says in this case only which partition there is not, and
    // which limit is in the way.
    if (answer.error().code == kErrInvalidPartition ||
        answer.error().code == kErrAccountingPolicy) {
      for (const std::string& note : answer.error().notes) report.error(note);
    }
    std::fprintf(stderr, "allocation failure: %s\n", answer.error().message.c_str());
    return 1;
  }
  for (const std::string& note : answer->notes()) report.info(note);
  if (request.test_only()) {
    say_when(*answer, report);
    return 0;
  }
  say_submitted(*answer, options);
  return options.wait ? wait_for_job(answer->job_id(), calls, report, error_exit) : 0;
}

int wait_for_job(uint32_t job_id, Calls& calls, const Report& report, int error_exit) {
  constexpr uint32_t kHold = 30'000;
  v1::WaitRequest wait;
  wait.set_job_id(job_id);
  wait.set_until(v1::WaitRequest::ENDED);
  wait.set_timeout_ms(kHold);
  v1::ListJobsRequest list;
  list.add_job_ids(std::to_string(job_id));
  list.set_all_states(true);
  for (;;) {
    auto waited =
        calls.call<v1::WaitResponse>("Jobs/Wait", wait, std::chrono::milliseconds(kHold + 30'000));
    auto jobs = waited ? calls.call<v1::ListJobsResponse>("Jobs/List", list)
                       : Result<v1::ListJobsResponse>(tl::unexpected<Error>(waited.error()));
    if (!jobs && !service_is_away(jobs.error().code)) {
      report.error("Job " + std::to_string(job_id) + " no longer found and exit code not found");
      return error_exit;
    }
    if (!jobs) {  // the service is being restarted: the job goes on
      sleep(1);
      continue;
    }
    if (waited->timed_out()) continue;
    int code = 0;
    uint32_t unfinished = 0;
    for (const v1::JobInfo& job : jobs->jobs()) {
      if (!is_finished(base_state(job.state()))) unfinished = job.job_id();
      code = std::max(code, exit_code_of(job));
    }
    if (unfinished == 0) return code;
    wait.set_job_id(unfinished);  // another task of the array
  }
}

}  // namespace grappe
