#include "embedded/step_launch.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "embedded/environment.h"
#include "embedded/file_pattern.h"
#include "embedded/rlimits.h"
#include "embedded/start.h"
#include "embedded/view.h"
#include "model/slurm_error.h"

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

CpuBindDefault preset_of(const Core& core, const Job& job, const MachineNode& machine) {
  if (machine.cpu_bind != CpuBindDefault::kUnset) return machine.cpu_bind;
  const ClusterPartition* partition = core.state.cluster.partition(job.partitions.front());
  if (partition && partition->config.cpu_bind != CpuBindDefault::kUnset) {
    return partition->config.cpu_bind;
  }
  return core.state.cluster.config.jobs.task.cpu_bind;
}

BindingRequest binding_request(const Core& core, const Job& job, const Step& step, uint32_t node) {
  const NodeAllocation& share = step.allocation.at(node);
  const MachineNode& machine = core.state.cluster.nodes.at(share.node).machine;
  const std::string& distribution = step.spec->distribution();
  BindingRequest out;
  out.cpus = share.cpus;
  out.real = machine.real_cpus;
  for (const ClusterNode& other : core.state.cluster.nodes) {
    for (const auto& threads : other.machine.real_cpus) {
      for (uint32_t cpu : threads) out.machine_cpus = std::max(out.machine_cpus, cpu + 1);
    }
  }
  out.threads_per_core = machine.topology.threads_per_core;
  out.cores_per_socket = machine.topology.cores_per_socket;
  out.tasks = static_cast<uint32_t>(std::count(step.task_node.begin(), step.task_node.end(), node));
  out.cpus_per_task = std::max(1u, step.spec->cpus_per_task());
  out.cyclic = distribution.find(":block") == std::string::npos;
  out.preset = preset_of(core, job, machine);
  out.fallback = core.state.cluster.config.jobs.task.autobind;
  return out;
}

// The variables that tell a task how it is bound.
void set_bind_variables(const CpuBind& asked, std::string_view type, std::string_view list,
                        EnvironmentBlock& env) {
  const std::string_view verbose = asked.verbose ? "verbose" : "quiet";
  env.set("SLURM_CPU_BIND", fmt::format("{},{}{}", verbose, type, list));
  env.set("SLURM_CPU_BIND_LIST", list);
  env.set("SLURM_CPU_BIND_TYPE", type);
  env.set("SLURM_CPU_BIND_VERBOSE", verbose);
}

void add_bindings(const Core& core, const Step& step, const StepBinding& binding,
                  exec::StepLaunch& launch) {
  std::vector<uint32_t> next(step.allocation.size());
  for (exec::TaskLaunch& task : launch.tasks) {
    const uint32_t local = next.at(task.node_index)++;
    EnvironmentBlock env;
    if (binding.nodes.empty()) {
      if (!step.spec->cpu_bind().empty()) {
        set_bind_variables(binding.asked, binding.asked.type(), binding.asked.list, env);
      }
    } else {
      const NodeBinding& node = binding.nodes.at(task.node_index);
      task.cpus = node.tasks.at(local);
      set_bind_variables(binding.asked, node.type, node.list, env);
      if (binding.asked.verbose || core.state.cluster.config.jobs.task.verbose) {
        task.notice +=
            fmt::format("cpu-bind={} - {}, task {:2} {:2} [%p]: mask 0x{}{}\n", node.label,
                        step.allocation[task.node_index].name, task.rank, local,
                        to_lower(cpu_mask(task.cpus)), task.cpus.empty() ? "" : " set");
      }
    }
    task.environment += env.take();
  }
}

}  // namespace

Result<StepBinding> bind_step(const Core& core, const Job& job, const Step& step) {
  StepBinding out;
  auto asked = parse_cpu_bind(step.spec->cpu_bind());
  if (!asked) return tl::unexpected(asked.error());
  out.asked = std::move(*asked);
  if (!core.state.cluster.config.jobs.task.affinity) return out;
  for (uint32_t node = 0; node < step.allocation.size(); ++node) {
    const NodeAllocation& share = step.allocation[node];
    if (core.state.cluster.nodes.at(share.node).machine.real_cpus.empty()) return out;
  }
  for (uint32_t node = 0; node < step.allocation.size(); ++node) {
    auto bound = bind_tasks(out.asked, binding_request(core, job, step, node));
    if (!bound) {
      Error error = slurm_fail(kErrCpuBind).value();
      error.notes = {
          bound.error().message,
          fmt::format("Task launch for StepId={}.{} failed on node {}: {}", job.id,
                      step_name(step.step_id), step.allocation[node].name, error.message)};
      error.message = "Application launch failed: " + error.message;
      return tl::unexpected(std::move(error));
    }
    out.nodes.push_back(std::move(*bound));
  }
  return out;
}

void launch_step(Core& core, uint32_t job_id, uint32_t step_id, const StepBinding& binding) {
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
  launch.environment =
      default_step_environment(job) + spec.environment() + step_environment(core, job, *step);
  std::vector<uint32_t> program_of;
  add_programs(spec, step->tasks, launch, program_of);
  for (const NodeAllocation& share : step->allocation) launch.node_names.push_back(share.name);
  launch.open_mode =
      spec.open_mode() == "append" ? exec::OpenMode::kAppend : exec::OpenMode::kTruncate;
  launch.umask = spec.has_umask() ? spec.umask() : 022;
  launch.rlimits = rlimits_of(spec, core.state.cluster.config.jobs);
  launch.pty = spec.pty();
  launch.rows = static_cast<uint16_t>(spec.pty_rows());
  launch.cols = static_cast<uint16_t>(spec.pty_cols());
  launch.wait_for_client = true;
  launch.kill_on_bad_exit = spec.has_kill_on_bad_exit()
                                ? spec.kill_on_bad_exit()
                                : core.state.cluster.config.jobs.kill_on_bad_exit;
  launch.wait_seconds = spec.wait_s();
  launch.kill_wait_seconds = core.state.cluster.config.jobs.kill_wait_s;
  launch.mpi = mpi_kind(spec.mpi());
  const HooksConfig& hooks = core.state.cluster.config.hooks;
  launch.task_prolog = hooks.task_prolog;
  launch.task_epilog = hooks.task_epilog;
  launch.user_task_prolog = spec.task_prolog();
  launch.user_task_epilog = spec.task_epilog();
  for (uint32_t t = 0; t < step->tasks; ++t) {
    exec::TaskLaunch& task = launch.tasks.emplace_back();
    task.rank = t;
    task.node_index = step->task_node[t];
    task.program = program_of[t];
    TaskSurroundings surroundings = task_surroundings(core, job, *step, t);
    task.environment = std::move(surroundings.environment);
    task.notice = std::move(surroundings.notice);
    PatternValues values{
        &job, step_id, false, step->allocation[task.node_index].name, task.node_index, t};
    auto file = [&](const std::string& pattern) {
      return pattern.empty() ? "" : expand_pattern(pattern, values, spec.work_dir());
    };
    task.std_in = file(spec.std_in());
    task.std_out = file(spec.std_out());
    task.std_err = file(spec.std_err());
  }
  add_bindings(core, *step, binding, launch);
  core.after_commit(
      [&core, launch = std::move(launch)]() mutable { core.executor.start(std::move(launch)); });
}

}  // namespace grappe::embedded
