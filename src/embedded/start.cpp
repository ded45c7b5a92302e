#include "embedded/start.h"

#include <algorithm>

#include "base/hostlist.h"
#include "base/log.h"
#include "embedded/arrays.h"
#include "embedded/dependencies.h"
#include "embedded/environment.h"
#include "embedded/file_pattern.h"
#include "embedded/mail.h"
#include "embedded/rlimits.h"
#include "embedded/site_hooks.h"
#include "embedded/tres.h"
#include "embedded/waiting.h"

namespace grappe::embedded {
namespace {

std::vector<GresAllocation> gres_of(const MachineNode& node, const std::vector<uint32_t>& devices) {
  std::vector<GresAllocation> out;
  for (uint32_t d : devices) {
    const MachineDevice& device = node.devices.at(d);
    auto same = std::find_if(out.begin(), out.end(), [&](const GresAllocation& g) {
      return g.name == device.name && g.type == device.type;
    });
    if (same == out.end()) {
      out.push_back({device.name, device.type, {device.index}});
    } else {
      same->indexes.push_back(device.index);
    }
  }
  return out;
}

std::vector<NodeAllocation> allocation_of(const Cluster& cluster, const sched::Start& start) {
  std::vector<NodeAllocation> out;
  for (const sched::NodeShare& share : start.shares) {
    const MachineNode& machine = cluster.nodes.at(share.node).machine;
    out.push_back({share.node, machine.name, share.cpus.members(), share.memory_mb, share.tasks,
                   gres_of(machine, share.devices)});
  }
  return out;
}

void add_batch_step(Core& core, const Job& job) {
  Step step;
  step.job_id = job.id;
  step.step_id = exec::kBatchStep;
  step.restart = job.restarts;
  step.name = "batch";
  step.start_time = core.now;
  step.allocation = {job.allocation.front()};
  step.nodes = job.allocation.front().name;
  step.tasks = 1;
  step.task_node = {0};
  core.state.add_step(std::move(step));
}

}  // namespace

std::string hostlist_of(const std::vector<NodeAllocation>& allocation) {
  std::vector<std::string> names;
  for (const NodeAllocation& share : allocation) names.push_back(share.name);
  return fold_sorted_hostlist(std::move(names));
}

bool has_private_tmp(const Core& core) {
  return !core.site.personal &&
         core.state.cluster.config.service.job_container_type == "job_container/tmpfs";
}

std::vector<uint32_t> real_cpus_of(const Cluster& cluster, const NodeAllocation& share) {
  const auto& real = cluster.nodes.at(share.node).machine.real_cpus;
  std::vector<uint32_t> out;
  for (uint32_t cpu : share.cpus) {
    if (cpu < real.size()) out.insert(out.end(), real[cpu].begin(), real[cpu].end());
  }
  return out;
}

exec::JobConfinement confinement_of(const Core& core, const Job& job) {
  const Cluster& cluster = core.state.cluster;
  const CgroupConfig& rules = cluster.config.cgroup;
  exec::JobConfinement out;
  bool pinned = rules.constrain_cores;
  for (const NodeAllocation& share : job.allocation) {
    const MachineNode& machine = cluster.nodes.at(share.node).machine;
    out.memory_mb += share.memory_mb;
    pinned = pinned && !machine.real_cpus.empty();
    const std::vector<uint32_t> real = real_cpus_of(cluster, share);
    out.cpus.insert(out.cpus.end(), real.begin(), real.end());
    for (const MachineDevice& device : machine.devices) {
      bool mine = std::any_of(share.gres.begin(), share.gres.end(), [&](const auto& gres) {
        return gres.name == device.name && std::find(gres.indexes.begin(), gres.indexes.end(),
                                                     device.index) != gres.indexes.end();
      });
      if (mine && !device.path.empty()) out.devices.push_back(device.path);
    }
  }
  if (!pinned) out.cpus.clear();
  if (!rules.constrain_ram_space) out.memory_mb = 0;
  for (const ClusterNode& node : cluster.nodes) {
    for (const MachineDevice& device : node.machine.devices) {
      if (!device.path.empty()) out.all_devices.push_back(device.path);
    }
  }
  out.confine_devices = rules.constrain_devices && !out.all_devices.empty();
  out.private_tmp = has_private_tmp(core);
  out.tmp_parent = core.site.tmp_roots.empty() ? "" : core.site.tmp_roots.front();
  const HooksConfig& hooks = cluster.config.hooks;
  out.prolog = hooks.prolog;
  out.epilog = hooks.epilog;
  out.hook_timeout_s = hooks.prolog_epilog_timeout_s.value_or(0);
  out.script_environment = prolog_environment(core, job);
  return out;
}

void launch_batch(Core& core, uint32_t job_id) {
  JobPtr job = core.state.get(job_id);
  exec::StepLaunch launch;
  launch.key = {job->id, exec::kBatchStep, job->restarts};
  launch.uid = job->uid;
  launch.gid = job->gid;
  launch.user = job->user;
  launch.job = confinement_of(core, *job);
  const v1::JobSpec& spec = *job->spec;
  launch.work_dir = spec.work_dir();
  launch.programs.push_back({spec.argv().begin(), spec.argv().end()});
  launch.node_names = {job->allocation.front().name};
  launch.umask = spec.has_umask() ? spec.umask() : 022;
  launch.kill_wait_seconds = core.state.cluster.config.jobs.kill_wait_s;
  launch.rlimits = rlimits_of(spec, core.state.cluster.config.jobs);
  bool append = spec.open_mode() == "append" ||
                (spec.open_mode().empty() && core.state.cluster.config.jobs.file_append);
  launch.open_mode = append ? exec::OpenMode::kAppend : exec::OpenMode::kTruncate;
  exec::TaskLaunch& task = launch.tasks.emplace_back();
  JobFiles files = batch_files(*job);
  task.std_in = files.in;
  task.std_out = files.out;
  task.std_err = files.err;
  task.environment = batch_environment(core, *job);
  if (core.state.cluster.config.jobs.task.affinity) {
    task.cpus = real_cpus_of(core.state.cluster, job->allocation.front());
  }
  core.after_commit(
      [&core, job, launch = std::move(launch)]() mutable {
        auto script = core.store.content(job->script_key);
        auto environment = core.store.content(job->environment_key);
        if (!script || !environment) {
          log_error("job {}: {}", job->id,
                    script ? environment.error().message : script.error().message);
          return;
        }
        launch.script = std::move(*script);
        launch.environment = default_environment(*job) + *environment;
        core.executor.start(std::move(launch));
      },
      job_id);
}

void start_script(Core& core, uint32_t job_id) {
  const Job& job = *core.state.find(job_id);
  if (!job.spec->batch()) return;
  add_batch_step(core, job);
  launch_batch(core, job_id);
}

void start_job(Core& core, const sched::Start& start, const std::string& magnet) {
  State& state = core.state;
  auto id = static_cast<uint32_t>(start.tag);
  const Job* record = state.find(id);
  if (!record || !record->pending()) return;
  note_start(core, *record);
  if (record->waiting) {
    auto task = next_task(state, *record);
    if (!task) return;
    id = split_task(core, id, *task);
  }
  Job& job = state.edit(id);
  job.partitions = {state.cluster.partitions.at(start.partition).config.name};
  job.allocation = allocation_of(state.cluster, start);
  job.nodes = hostlist_of(job.allocation);
  job.billing = billing_of(state.cluster, job);
  job.state = static_cast<uint32_t>(JobState::kRunning);
  job.reason = Reason::kNone;
  job.reason_detail.clear();
  job.expected_start = 0;
  job.expected_nodes.clear();
  job.start_time = core.now;
  job.last_sched_eval = core.now;
  if (!job.eligible_time) job.eligible_time = core.now;
  if (!job.accrue_time) job.accrue_time = core.now;
  job.backfilled = start.backfilled;
  job.boot_id = state.cluster.boot_id;
  if (!magnet.empty()) {
    auto spec = std::make_shared<v1::JobSpec>(*job.spec);
    spec->set_reservation(magnet);
    job.spec = std::move(spec);
  }
  // What a reservation leaves is no limit of the job's own.
  bool own_limit = job.spec->reservation().empty() || job.spec->has_time_min();
  if (own_limit && start.time_limit && start.time_limit < sched::kForever) {
    job.settled.time_limit = static_cast<uint32_t>(start.time_limit / 60);
  }
  state.occupy(job);
  state.reindex(id);
  ++core.counters.started;
  if (start.backfilled) ++core.counters.backfilled, ++core.counters.backfilled_since_reset;
  if (!run_site_prolog(core, id)) start_script(core, id);
  wake_waiters(core, id);
  mail_at_start(core, job);
  resolve_dependents(core, id);
  log_debug("job {} starts on {}", id, job.nodes);
}

}  // namespace grappe::embedded
