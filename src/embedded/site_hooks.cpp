#include "embedded/site_hooks.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include "base/log.h"
#include "embedded/environment.h"
#include "embedded/file_pattern.h"
#include "embedded/finish.h"
#include "embedded/start.h"
#include "embedded/steps.h"
#include "embedded/waiting.h"

namespace grappe::embedded {
namespace {

using exec::SiteProgramKind;

constexpr size_t kMostFailures = 256;

void set_files(const Job& job, EnvironmentBlock& env) {
  if (!job.spec->batch()) return;
  const JobFiles files = batch_files(job);
  env.set("SLURM_JOB_STDIN", files.in);
  env.set("SLURM_JOB_STDOUT", files.out);
  if (!job.spec->std_err().empty()) env.set("SLURM_JOB_STDERR", files.err);
}

void set_end(const Job& job, EnvironmentBlock& env) {
  env.set("SLURM_JOB_DERIVED_EC", static_cast<uint64_t>(job.derived_exit_code));
  env.set("SLURM_JOB_EXIT_CODE", static_cast<uint64_t>(job.exit_code));
  const int signal = WIFSIGNALED(job.exit_code) ? WTERMSIG(job.exit_code) : 0;
  env.set("SLURM_JOB_EXIT_CODE2", fmt::format("{}:{}", WEXITSTATUS(job.exit_code), signal));
}

EnvironmentBlock about_job(const Core& core, const Job& job) {
  EnvironmentBlock env;
  env.set("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
  add_array_variables(job, env);
  env.set("SLURM_CLUSTER_NAME", core.state.cluster.config.service.cluster_name);
  env.set("SLURM_JOBID", job.id);
  env.set("SLURM_JOB_ACCOUNT", job.account.empty() ? "(null)" : job.account);
  if (!job.spec->comment().empty()) env.set("SLURM_JOB_COMMENT", job.spec->comment());
  if (!job.spec->constraint().empty()) env.set("SLURM_JOB_CONSTRAINTS", job.spec->constraint());
  std::vector<uint32_t> cpus;
  for (const NodeAllocation& share : job.allocation) {
    cpus.push_back(static_cast<uint32_t>(share.cpus.size()));
  }
  env.set("SLURM_JOB_CPUS_PER_NODE", folded_counts(cpus));
  env.set("SLURM_JOB_GID", job.gid);
  env.set("SLURM_JOB_GROUP", job.group);
  env.set("SLURM_JOB_ID", job.id);
  env.set("SLURM_JOB_NAME", job.spec->name());
  env.set("SLURM_JOB_NODELIST", job.nodes);
  env.set("SLURM_JOB_NUM_NODES", job.allocation.size());
  env.set("SLURM_JOB_PARTITION", job.partitions.front());
  env.set("SLURM_JOB_RESTART_COUNT", job.restarts);
  set_files(job, env);
  env.set("SLURM_JOB_UID", job.uid);
  env.set("SLURM_JOB_USER", job.user);
  env.set("SLURM_JOB_WORK_DIR", job.spec->work_dir());
  return env;
}

exec::SiteProgram prolog_of(const Core& core, const Job& job) {
  EnvironmentBlock env = about_job(core, job);
  env.set("SLURM_SCRIPT_CONTEXT", "prolog_slurmctld");
  return {job.id, job.restarts, SiteProgramKind::kProlog,
          core.state.cluster.config.hooks.prolog_slurmctld, env.take()};
}

exec::SiteProgram epilog_of(const Core& core, const Job& job) {
  EnvironmentBlock env = about_job(core, job);
  set_end(job, env);
  env.set("SLURM_SCRIPT_CONTEXT", "epilog_slurmctld");
  return {job.id, job.restarts, SiteProgramKind::kEpilog,
          core.state.cluster.config.hooks.epilog_slurmctld, env.take()};
}

void run_after_commit(Core& core, exec::SiteProgram program) {
  const uint32_t id = program.job_id;
  core.after_commit(
      [&core, program = std::move(program)]() mutable { core.executor.run(std::move(program)); },
      id);
}

void prolog_ended(Core& core, uint32_t job_id, const std::string& failure) {
  Job& job = core.state.edit(job_id);
  job.state &= ~kStateConfiguring;
  if (failure.empty()) {
    start_script(core, job_id);
    retry_steps(core, job_id);
    return wake_waiters(core, job_id);
  }
  log_error("job {}: PrologSlurmctld {}", job_id, failure);
  if (!job.spec->batch()) {
    core.failed_prologs.insert(job_id);
    if (core.failed_prologs.size() > kMostFailures) {
      core.failed_prologs.erase(core.failed_prologs.begin());
    }
  }
  if (may_run_again(core, job)) {
    (void)requeue_job(core, job_id, Requeue::kRun);
  } else {
    end_job(core, job_id, JobState::kCancelled, Reason::kNone, 0);
  }
}

}  // namespace

bool run_site_prolog(Core& core, uint32_t job_id) {
  if (core.state.cluster.config.hooks.prolog_slurmctld.empty()) return false;
  Job& job = core.state.edit(job_id);
  job.state |= kStateConfiguring;
  core.prologs[{job_id, job.restarts}].reset();
  run_after_commit(core, prolog_of(core, job));
  return true;
}

void resume_site_prolog(Core& core, uint32_t job_id) {
  const Job& job = *core.state.find(job_id);
  if (job.finished() || !(job.state & kStateConfiguring)) return;
  if (core.prologs.contains({job_id, job.restarts})) return;
  if (!run_site_prolog(core, job_id)) prolog_ended(core, job_id, "");
}

void run_site_epilog(Core& core, uint32_t job_id) {
  if (core.state.cluster.config.hooks.epilog_slurmctld.empty()) return;
  const Job& job = *core.state.find(job_id);
  auto program = epilog_of(core, job);
  const auto prolog = core.prologs.find({job_id, job.restarts});
  if (prolog == core.prologs.end()) return run_after_commit(core, std::move(program));
  prolog->second = std::move(program);
}

void run_unkillable_program(Core& core, const Step& step) {
  const std::string& path = core.state.cluster.config.hooks.unkillable_step_program;
  if (path.empty()) return;
  const Job& job = *core.state.find(step.job_id);
  EnvironmentBlock env = about_job(core, job);
  env.set("SLURM_STEPID", static_cast<uint32_t>(step.step_id));
  env.set("SLURM_STEP_ID", static_cast<uint32_t>(step.step_id));
  run_after_commit(core, {job.id, job.restarts, SiteProgramKind::kUnkillable, path, env.take()});
}

void site_program_ended(Core& core, const exec::SiteProgramEnded& ended) {
  if (ended.kind != SiteProgramKind::kProlog) {
    if (ended.failure.empty()) return;
    const bool epilog = ended.kind == SiteProgramKind::kEpilog;
    return log_error("job {}: {} {}", ended.job_id,
                     epilog ? "EpilogSlurmctld" : "UnkillableStepProgram", ended.failure);
  }
  const auto prolog = core.prologs.extract({ended.job_id, ended.restart});
  if (prolog && prolog.mapped()) return run_after_commit(core, std::move(*prolog.mapped()));
  const Job* job = core.state.find(ended.job_id);
  if (!job || job->restarts != ended.restart || job->finished()) return;
  if (job->state & kStateConfiguring) prolog_ended(core, ended.job_id, ended.failure);
}

}  // namespace grappe::embedded
