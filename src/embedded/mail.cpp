#include "embedded/mail.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include "base/duration.h"
#include "embedded/outside.h"
#include "model/mail.h"

namespace grappe::embedded {
namespace {

std::string address(const Core& core, const Job& job) {
  // The domain is for names of users; an address that was given stays as it is.
  const std::string& domain = core.state.cluster.config.hooks.mail_domain;
  if (!job.spec->mail_user().empty()) return job.spec->mail_user();
  return domain.empty() ? job.user : job.user + "@" + domain;
}

std::string job_name(const Job& job) {
  if (!job.array_task_id) return fmt::format("Job_id={}", job.id);
  return fmt::format("Array Summary Job_id={}_{} ({})", job.array_job_id, *job.array_task_id,
                     job.id);
}

}  // namespace

void mail_event(Core& core, const Job& job, uint32_t event, const std::string& what) {
  uint32_t wanted = job.spec->mail_type();
  if ((wanted & event) == 0) return;
  // One mail for a whole array, unless each task is asked for: that of its last task.
  if (job.array_job_id && !(wanted & kMailArrayTasks) && job.id != job.array_job_id) return;
  std::string subject = fmt::format("Slurm {} Name={} {}", job_name(job), job.spec->name(), what);
  std::string program = core.state.cluster.config.hooks.mail_prog;
  core.after_commit([program, subject, to = address(core, job)] {
    run_outside({program, "-s", subject, to});
  });
}

void mail_at_start(Core& core, const Job& job) {
  int64_t waited = core.now - job.submit_time;
  mail_event(core, job, kMailBegin, "Began, Queued time " + format_duration(waited));
}

void mail_at_end(Core& core, const Job& job) {
  std::string ran = format_duration(job.end_time - job.start_time);
  std::string state(job_state_name(job.state & kStateBaseMask));
  std::string how = fmt::format("{}, ExitCode {}", state, WEXITSTATUS(job.exit_code));
  bool well = job.base() == JobState::kCompleted;
  if (job.spec->mail_type() & kMailEnd) {
    mail_event(core, job, kMailEnd, fmt::format("Ended, Run time {}, {}", ran, how));
  } else if (!well) {
    mail_event(core, job, kMailFail, fmt::format("Failed, Run time {}, {}", ran, how));
  }
}

}  // namespace grappe::embedded
