#include "embedded/step_launch.h"

#include <algorithm>

#include "embedded/environment.h"
#include "embedded/file_pattern.h"
#include "embedded/start.h"

namespace grappe::embedded {
namespace {

exec::MpiKind mpi_kind(const std::string& name) {
  if (name == "pmi2") return exec::MpiKind::kPmi2;
  if (name.starts_with("pmix")) return exec::MpiKind::kPmix;
  return exec::MpiKind::kNone;
}

void add_programs(const v1::StepSpec& spec, uint32_t tasks, exec::StepLaunch& launch,
                  std::vector<uint32_t>& program_of) {
  program_of.assign(tasks, 0);
  if (spec.multi_prog().empty()) {
    launch.programs.push_back({spec.argv().begin(), spec.argv().end()});
    return;
  }
  for (const v1::MultiProg& row : spec.multi_prog()) {
    auto index = static_cast<uint32_t>(launch.programs.size());
    launch.programs.push_back({row.argv().begin(), row.argv().end()});
    for (uint32_t task : row.tasks()) {
      if (task < tasks) program_of[task] = index;
    }
  }
}

// Real CPUs for each task in turn, when the step was asked to bind and the node is pinned.
std::vector<uint32_t> task_cpus(const Core& core, const Step& step, uint32_t task) {
  const NodeAllocation& share = step.allocation.at(step.task_node.at(task));
  const MachineNode& machine = core.state.cluster.nodes.at(share.node).machine;
  if (machine.real_cpus.empty() || !core.state.cluster.config.cgroup.constrain_cores) return {};
  size_t first = 0, count = share.cpus.size();
  bool bind =
      !step.spec->cpu_bind().starts_with("no") && step.spec->has_cpus_per_task() && !step.overlap;
  if (bind) {
    size_t local = 0, size = step.spec->cpus_per_task();
    for (uint32_t t = 0; t < task; ++t) local += step.task_node[t] == step.task_node[task];
    if ((local + 1) * size <= count) first = local * size, count = size;
  }
  std::vector<uint32_t> cpus;
  for (size_t i = first; i < first + count; ++i) {
    const auto& threads = machine.real_cpus.at(share.cpus[i]);
    cpus.insert(cpus.end(), threads.begin(), threads.end());
  }
  return cpus;
}

}  // namespace

void launch_step(Core& core, uint32_t job_id, uint32_t step_id) {
  const Job& job = *core.state.find(job_id);
  const StepPtr step = core.state.find_step(job_id, step_id);
  const v1::StepSpec& spec = *step->spec;
  exec::StepLaunch launch;
  launch.key = key_of(*step);
  launch.uid = job.uid;
  launch.gid = job.gid;
  launch.user = job.user;
  launch.job = confinement_of(core, job);
  uint64_t job_memory = 0, step_memory = 0;
  for (const NodeAllocation& share : job.allocation) job_memory += share.memory_mb;
  for (const NodeAllocation& share : step->allocation) step_memory += share.memory_mb;
  if (launch.job.memory_mb && step_memory < job_memory) launch.step_memory_mb = step_memory;
  launch.work_dir = spec.work_dir();
  launch.environment = spec.environment() + step_environment(core, job, *step);
  std::vector<uint32_t> program_of;
  add_programs(spec, step->tasks, launch, program_of);
  for (const NodeAllocation& share : step->allocation) launch.node_names.push_back(share.name);
  launch.open_mode =
      spec.open_mode() == "append" ? exec::OpenMode::kAppend : exec::OpenMode::kTruncate;
  launch.umask = spec.has_umask() ? spec.umask() : 022;
  for (const v1::Rlimit& limit : spec.rlimits()) {
    launch.rlimits.push_back({limit.resource(), limit.soft(), limit.hard()});
  }
  launch.pty = spec.pty();
  launch.rows = static_cast<uint16_t>(spec.pty_rows());
  launch.cols = static_cast<uint16_t>(spec.pty_cols());
  launch.wait_for_client = true;
  launch.kill_on_bad_exit = spec.kill_on_bad_exit();
  launch.wait_seconds = spec.wait_s();
  launch.kill_wait_seconds = core.state.cluster.config.jobs.kill_wait_s;
  launch.mpi = mpi_kind(spec.mpi());
  const HooksConfig& hooks = core.state.cluster.config.hooks;
  launch.task_prolog = spec.task_prolog().empty() ? hooks.task_prolog : spec.task_prolog();
  launch.task_epilog = spec.task_epilog().empty() ? hooks.task_epilog : spec.task_epilog();
  for (uint32_t t = 0; t < step->tasks; ++t) {
    exec::TaskLaunch& task = launch.tasks.emplace_back();
    task.rank = t;
    task.node_index = step->task_node[t];
    task.program = program_of[t];
    task.environment = task_environment(core, *step, t);
    task.cpus = task_cpus(core, *step, t);
    PatternValues values{
        &job, step_id, false, step->allocation[task.node_index].name, task.node_index, t};
    auto file = [&](const std::string& pattern) {
      return pattern.empty() ? "" : expand_pattern(pattern, values, spec.work_dir());
    };
    task.std_in = file(spec.std_in());
    task.std_out = file(spec.std_out());
    task.std_err = file(spec.std_err());
  }
  core.after_commit(
      [&core, launch = std::move(launch)]() mutable { core.executor.start(std::move(launch)); });
}

}  // namespace grappe::embedded
