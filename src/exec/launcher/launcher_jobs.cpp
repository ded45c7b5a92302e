// The life of a job: what is made before its first step and removed after its last.
#include <fmt/core.h>

#include <csignal>

#include "base/log.h"
#include "exec/launcher/hook.h"
#include "exec/launcher/launcher.h"
#include "exec/os/process.h"

namespace grappe::exec {
namespace {

constexpr std::chrono::milliseconds kRemovalPause{20};
constexpr int kRemovalAttempts = 1500;  // half a minute

}  // namespace

std::vector<StepKey> Launcher::steps_of(uint32_t job_id, StepPhase phase) const {
  std::vector<StepKey> keys;
  for (auto it = steps_.lower_bound({job_id, 0, 0});
       it != steps_.end() && it->first.job_id == job_id; ++it) {
    if (it->second.phase == phase) keys.push_back(it->first);
  }
  return keys;
}

std::optional<JobTmp> Launcher::tmp_of(const Job& job) {
  const JobConfinement& wanted = job.record.confinement;
  const bool is_private = wanted.private_tmp && can_mount_;
  if (wanted.tmp_parent.empty() && !is_private) return std::nullopt;
  JobTmp tmp;
  tmp.job_id = job.record.job_id;
  tmp.uid = job.record.uid;
  tmp.gid = job.record.gid;
  tmp.parent = wanted.tmp_parent.empty() ? options_.state_dir + "/tmp" : wanted.tmp_parent;
  tmp.is_private = is_private;
  tmp.service_name = options_.cgroup;
  tmp.spares = &*tmp_spares_;
  tmp.shown = {options_.run_dir, options_.state_dir + "/steps", options_.program_dir};
  return tmp;
}

std::vector<std::string> Launcher::unconfined() const {
  auto sentences = cgroups_->unconfined();
  if (!privileged_) {
    sentences.emplace_back("All jobs run as the user who started the service.");
    sentences.emplace_back("Jobs share /tmp, /var/tmp and /dev/shm: own ones need root.");
  } else if (!can_mount_) {
    sentences.emplace_back(
        "Jobs share /tmp, /var/tmp and /dev/shm: this machine allows no mount namespaces.");
  }
  return sentences;
}

void Launcher::prepare(Job& job) {
  const JobConfinement& wanted = job.record.confinement;
  const auto tmp = tmp_of(job);
  if (wanted.prolog.empty()) job.record.prolog_done = true;
  // What a later launcher has to clean up is written down before it is made.
  if (tmp || !wanted.prolog.empty() || !wanted.epilog.empty()) {
    if (auto done = store_->save_job(job.record); !done) {
      return prolog_failed(job, done.error().message);
    }
  }
  if (auto done = cgroups_->create_job(job.record.job_id, wanted); !done) {
    return prolog_failed(job, done.error().message);
  }
  if (tmp) {
    if (auto done = tmp->create(); !done) return prolog_failed(job, done.error().message);
  }
  if (job.record.prolog_done) return prepared(job);
  job.phase = JobPhase::kPreparing;
  run_hooks(job.record.job_id, "prolog", hook_programs(wanted.prolog),
            [this, id = job.record.job_id](const std::string& failure) {
              Job& done = jobs_.at(id);
              if (!failure.empty()) return prolog_failed(done, failure);
              done.record.prolog_done = true;
              (void)store_->update_job(done.record);
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

void Launcher::handle(const ConfineJob& confine) {
  const auto found = jobs_.find(confine.job_id);
  if (found == jobs_.end() || found->second.record.restart != confine.restart) return;
  Job& job = found->second;
  // Of the rest a cleaning must know what was made.
  JobConfinement& known = job.record.confinement;
  known.memory_mb = confine.confinement.memory_mb;
  known.cpus = confine.confinement.cpus;
  known.devices = confine.confinement.devices;
  if (job.phase != JobPhase::kReady || job.clean_wanted) return;
  if (auto done = cgroups_->create_job(confine.job_id, known); !done) {
    log_warn("job {} keeps the limits that it had: {}", confine.job_id, done.error().message);
  }
}

void Launcher::handle(const CleanJob& clean) {
  const auto [place, is_new] = jobs_.try_emplace(clean.job_id);
  Job& job = place->second;
  if (is_new) {  // all that may be left of it is a cgroup
    job.record.job_id = clean.job_id;
    job.record.restart = clean.restart;
  }
  if (job.record.restart != clean.restart) {
    brain_.tell(JobCleaned{clean.job_id, clean.restart, ""});
    return;
  }
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
  if (wanted.epilog.empty()) return remove_tmp(job);
  run_hooks(id, "epilog", hook_programs(wanted.epilog), [this, id](const std::string& failure) {
    Job& done = jobs_.at(id);
    done.epilog_failure = failure;
    remove_tmp(done);
  });
}

// One after the other; the first that fails is the last.
void Launcher::run_hooks(uint32_t job_id, const char* kind, std::vector<std::string> programs,
                         std::function<void(const std::string& failure)> done) {
  if (programs.empty()) return done("");
  const JobConfinement& wanted = jobs_.at(job_id).record.confinement;
  const std::string program = programs.front();
  programs.erase(programs.begin());
  auto pid = start_hook(program, wanted.script_environment);
  if (!pid) return done(fmt::format("{} {}", kind, pid.error().message));
  hooks_.insert(*pid);
  EventLoop::TimerId timer = 0;
  if (wanted.hook_timeout_s > 0) {
    // It leads its session: the signal goes to all it has started in it.
    timer = loop_.after(std::chrono::seconds(wanted.hook_timeout_s),
                        [group = *pid] { kill(-group, SIGKILL); });
  }
  on_exit(*pid, [this, job_id, kind, program, timer, programs = std::move(programs),
                 done = std::move(done)](int status) mutable {
    if (timer != 0) loop_.cancel(timer);
    if (status != 0) return done(fmt::format("{} {} {}", kind, program, describe_status(status)));
    run_hooks(job_id, kind, std::move(programs), std::move(done));
  });
}

void Launcher::remove_tmp(Job& job) {
  const uint32_t id = job.record.job_id;
  const auto tmp = tmp_of(job);
  if (!tmp || tmp->remove_if_empty()) return remove_cgroups(id, kRemovalAttempts);
  const pid_t pid = fork();
  if (pid == 0) {
    detach_standard_streams();
    close_all_but({});
    _exit(tmp->remove() ? 0 : 1);
  }
  if (pid < 0) return remove_cgroups(id, kRemovalAttempts);
  on_exit(pid, [this, id](int status) {
    if (status != 0) log_error("job {}: its temporary folder can't be removed", id);
    remove_cgroups(id, kRemovalAttempts);
  });
}

// A killed process may take a moment to be gone.
void Launcher::remove_cgroups(uint32_t job_id, int attempts_left) {
  if (!cgroups_->remove_job(job_id)) {
    if (attempts_left > 0) {
      cgroups_->kill_job(job_id);
      loop_.after(kRemovalPause,
                  [this, job_id, attempts_left] { remove_cgroups(job_id, attempts_left - 1); });
      return;
    }
    log_error("job {}: processes that can't be killed are left in its cgroup", job_id);
  }
  finish_cleaning(jobs_.at(job_id));
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
  if (cgroups_->freeze_job(freeze.job_id, freeze.frozen)) return;
  const int number = freeze.frozen ? SIGSTOP : SIGCONT;
  for (const StepKey key : steps_of(freeze.job_id, StepPhase::kRunning)) {
    handle(SignalStep{key, number, SignalTarget::kEverything});
  }
}

}  // namespace grappe::exec
