// The life of a job: what is made before its first step and removed after its last.
#include <fmt/core.h>

#include <csignal>

#include "base/log.h"
#include "exec/launcher/hook.h"
#include "exec/launcher/launcher.h"
#include "exec/os/process.h"

namespace grappe::exec {

std::vector<StepKey> Launcher::steps_of(uint32_t job_id, StepPhase phase) const {
  std::vector<StepKey> keys;
  for (auto it = steps_.lower_bound({job_id, 0, 0});
       it != steps_.end() && it->first.job_id == job_id; ++it) {
    if (it->second.phase == phase) keys.push_back(it->first);
  }
  return keys;
}

void Launcher::prepare(Job& job) {
  const JobConfinement& wanted = job.record.confinement;
  if (wanted.prolog.empty() && wanted.epilog.empty()) {
    job.record.prolog_done = true;
    return prepared(job);
  }
  if (auto done = store_->save_job(job.record); !done) {
    return prolog_failed(job, done.error().message);
  }
  if (wanted.prolog.empty()) return prepared(job);
  job.phase = JobPhase::kPreparing;
  auto pid = start_hook(wanted.prolog, wanted.script_environment);
  if (!pid) return prolog_failed(job, pid.error().message);
  on_exit(*pid, [this, id = job.record.job_id](int status) {
    Job& done = jobs_.at(id);
    if (status != 0) {
      return prolog_failed(done, fmt::format("prolog {} {}", done.record.confinement.prolog,
                                             describe_status(status)));
    }
    done.record.prolog_done = true;
    (void)store_->save_job(done.record);
    prepared(done);
  });
}

void Launcher::prepared(Job& job) {
  job.phase = JobPhase::kReady;
  for (const StepKey key : steps_of(job.record.job_id, StepPhase::kWaiting)) {
    Step& step = steps_.at(key);
    if (!job.clean_wanted) {
      start_step(step);
      continue;
    }
    StepEnded ended;
    for (const TaskLaunch& task : step.launch->tasks) ended.exits.push_back({task.rank, SIGKILL});
    end_unstarted(step, key, std::move(ended));
  }
  if (job.clean_wanted) continue_cleaning(job);
}

void Launcher::prolog_failed(Job& job, const std::string& why) {
  log_error("job {}: {}", job.record.job_id, why);
  job.phase = JobPhase::kNew;
  for (const StepKey key : steps_of(job.record.job_id, StepPhase::kWaiting)) {
    steps_.erase(key);
    brain_.tell(PrologFailed{key, why});
  }
  if (job.clean_wanted) continue_cleaning(job);
}

void Launcher::handle(const CleanJob& clean) {
  const auto found = jobs_.find(clean.job_id);
  if (found == jobs_.end() || found->second.record.restart != clean.restart) {
    brain_.tell(JobCleaned{clean.job_id, clean.restart, ""});
    return;
  }
  Job& job = found->second;
  if (job.clean_wanted) return;  // the answer is on its way
  job.clean_wanted = true;
  for (const StepKey key : steps_of(clean.job_id, StepPhase::kRunning)) {
    handle(SignalStep{key, SIGKILL, SignalTarget::kEverything});
  }
  continue_cleaning(job);
}

// Called again whenever something that cleaning waits for has happened.
void Launcher::continue_cleaning(Job& job) {
  const uint32_t id = job.record.job_id;
  if (job.phase == JobPhase::kPreparing || job.phase == JobPhase::kCleaning) return;
  if (!steps_of(id, StepPhase::kRunning).empty()) return;
  job.phase = JobPhase::kCleaning;
  const JobConfinement& wanted = job.record.confinement;
  if (wanted.epilog.empty()) return finish_cleaning(job);
  auto pid = start_hook(wanted.epilog, wanted.script_environment);
  if (!pid) {
    job.epilog_failure = fmt::format("epilog {}", pid.error().message);
    return finish_cleaning(job);
  }
  on_exit(*pid, [this, id](int status) {
    Job& done = jobs_.at(id);
    if (status != 0) {
      done.epilog_failure =
          fmt::format("epilog {} {}", done.record.confinement.epilog, describe_status(status));
    }
    finish_cleaning(done);
  });
}

void Launcher::finish_cleaning(Job& job) {
  if (!job.epilog_failure.empty()) {
    log_error("job {}: {}", job.record.job_id, job.epilog_failure);
  }
  const JobCleaned cleaned{job.record.job_id, job.record.restart, job.epilog_failure};
  store_->remove_job(cleaned.job_id);
  jobs_.erase(cleaned.job_id);
  brain_.tell(cleaned);
}

void Launcher::handle(const FreezeJob& freeze) {
  const int number = freeze.frozen ? SIGSTOP : SIGCONT;
  for (const StepKey key : steps_of(freeze.job_id, StepPhase::kRunning)) {
    handle(SignalStep{key, number, SignalTarget::kEverything});
  }
}

}  // namespace grappe::exec
