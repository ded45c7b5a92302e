#include "embedded/environment.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/cpu_bind.h"
#include "base/hostlist.h"
#include "embedded/gpu_binding.h"
#include "embedded/start.h"
#include "model/openmpi.h"

namespace grappe::embedded {
namespace {

constexpr uint32_t kFirstPort = 32768;
constexpr uint32_t kPorts = 28232;

std::vector<uint32_t> gpu_indexes(const NodeAllocation& share) {
  std::vector<uint32_t> out;
  for (const GresAllocation& gres : share.gres) {
    if (gres.name == "gpu") out.insert(out.end(), gres.indexes.begin(), gres.indexes.end());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string comma_list(const std::vector<uint32_t>& numbers) {
  std::string out;
  for (uint32_t n : numbers) out += (out.empty() ? "" : ",") + std::to_string(n);
  return out;
}

std::vector<uint32_t> cpus_per_node(const std::vector<NodeAllocation>& allocation) {
  std::vector<uint32_t> counts;
  for (const NodeAllocation& share : allocation) {
    counts.push_back(static_cast<uint32_t>(share.cpus.size()));
  }
  return counts;
}

// Where nobody has said how many tasks there are, as many as the CPUs hold: mpirun starts those.
std::vector<uint32_t> tasks_per_node(const Job& job) {
  const v1::JobSpec& spec = *job.spec;
  const bool counted = spec.has_ntasks() || spec.has_ntasks_per_node();
  std::vector<uint32_t> counts;
  for (const NodeAllocation& share : job.allocation) {
    const auto fit = static_cast<uint32_t>(share.cpus.size()) / std::max(spec.cpus_per_task(), 1u);
    counts.push_back(std::max(counted ? share.tasks : fit, 1u));
  }
  return counts;
}

const MachineDevice* gpu_of(const MachineNode& machine, uint32_t index) {
  for (const MachineDevice& device : machine.devices) {
    if (device.name == "gpu" && device.index == index) return &device;
  }
  return nullptr;
}

// Whether processes see only the GPUs of their job.
bool filters_gpus(const Core& core, const NodeAllocation& share) {
  const MachineNode& machine = core.state.cluster.nodes.at(share.node).machine;
  return core.state.cluster.config.cgroup.constrain_devices &&
         std::any_of(machine.devices.begin(), machine.devices.end(),
                     [](const MachineDevice& d) { return !d.path.empty(); });
}

// Where a device filter hides the others, a program counts the devices that it sees from 0: all
// those of its job, on whichever node of this machine.
std::vector<uint32_t> visible_numbers(const Core& core, const Job& job, const NodeAllocation& share,
                                      std::vector<uint32_t> gpus) {
  if (!filters_gpus(core, share)) return gpus;
  using Place = std::pair<size_t, std::string>;  // /dev/nvidia9 comes before /dev/nvidia10
  auto place = [&](uint32_t node, uint32_t index) {
    const MachineDevice* device = gpu_of(core.state.cluster.nodes.at(node).machine, index);
    return device ? Place{device->path.size(), device->path} : Place{};
  };
  std::vector<Place> seen;
  for (const NodeAllocation& part : job.allocation) {
    for (uint32_t index : gpu_indexes(part)) seen.push_back(place(part.node, index));
  }
  std::sort(seen.begin(), seen.end());
  for (uint32_t& gpu : gpus) {
    const auto found = std::lower_bound(seen.begin(), seen.end(), place(share.node, gpu));
    gpu = static_cast<uint32_t>(found - seen.begin());
  }
  return gpus;
}

// CUDA_VISIBLE_DEVICES and its like, for those of a share's GPUs.
void set_visible_gpus(const Core& core, const Job& job, const NodeAllocation& share,
                      const std::vector<uint32_t>& gpus, EnvironmentBlock& env) {
  if (gpus.empty()) return;
  const std::string list = comma_list(visible_numbers(core, job, share, gpus));
  const MachineDevice* device = gpu_of(core.state.cluster.nodes.at(share.node).machine, gpus[0]);
  const GpuEnvironment names = device ? device->environment : GpuEnvironment();
  if (names.cuda) env.set("CUDA_VISIBLE_DEVICES", list);
  if (names.opencl) env.set("GPU_DEVICE_ORDINAL", list);
  if (names.rocr) env.set("ROCR_VISIBLE_DEVICES", list);
  if (names.ze) env.set("ZE_AFFINITY_MASK", list);
}

// On a node with GPUs who has none sees none, whatever the environment says.
void hide_gpus(const Core& core, const NodeAllocation& share, EnvironmentBlock& env) {
  const auto& devices = core.state.cluster.nodes.at(share.node).machine.devices;
  const bool any = std::any_of(devices.begin(), devices.end(),
                               [](const MachineDevice& device) { return device.name == "gpu"; });
  if (!any) return;
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES",
                           "ZE_AFFINITY_MASK", "SLURM_GPUS_ON_NODE", "SLURM_STEP_GPUS"}) {
    env.unset(name);
  }
}

GpuShare gpu_share(const Core& core, const NodeAllocation& share) {
  GpuShare out{gpu_indexes(share), {}, filters_gpus(core, share)};
  for (uint32_t gpu : out.gpus) {
    const MachineDevice* device = gpu_of(core.state.cluster.nodes.at(share.node).machine, gpu);
    const bool near =
        device && std::any_of(share.cpus.begin(), share.cpus.end(), [&](uint32_t cpu) {
          return std::find(device->near_cpus.begin(), device->near_cpus.end(), cpu) !=
                 device->near_cpus.end();
        });
    if (near) out.closest.push_back(gpu);
  }
  return out;
}

void set_memory(const Job& job, EnvironmentBlock& env) {
  if (job.settled.mem_per_node_mb) {
    env.set("SLURM_MEM_PER_NODE", job.settled.mem_per_node_mb);
  } else if (job.settled.mem_per_cpu_mb) {
    env.set("SLURM_MEM_PER_CPU", job.settled.mem_per_cpu_mb);
  }
  if (job.spec->has_mem_per_gpu_mb()) env.set("SLURM_MEM_PER_GPU", job.spec->mem_per_gpu_mb());
}

// Options that a nested srun takes over as its defaults.
void set_requests(const Job& job, EnvironmentBlock& env) {
  const v1::JobSpec& spec = *job.spec;
  if (spec.has_ntasks() || spec.has_ntasks_per_node()) {
    env.set("SLURM_NTASKS", job.settled.tasks);
    env.set("SLURM_NPROCS", job.settled.tasks);
  }
  if (spec.has_ntasks_per_node()) env.set("SLURM_NTASKS_PER_NODE", spec.ntasks_per_node());
  if (spec.has_ntasks_per_core()) env.set("SLURM_NTASKS_PER_CORE", spec.ntasks_per_core());
  if (spec.has_ntasks_per_socket()) env.set("SLURM_NTASKS_PER_SOCKET", spec.ntasks_per_socket());
  if (spec.has_ntasks_per_gpu()) env.set("SLURM_NTASKS_PER_GPU", spec.ntasks_per_gpu());
  if (spec.has_cpus_per_task()) env.set("SLURM_CPUS_PER_TASK", spec.cpus_per_task());
  if (spec.has_cpus_per_gpu()) env.set("SLURM_CPUS_PER_GPU", spec.cpus_per_gpu());
  if (!spec.gpus().empty() && !spec.gpus_of_tasks()) env.set("SLURM_GPUS", spec.gpus());
  if (!spec.gpus_per_node().empty()) env.set("SLURM_GPUS_PER_NODE", spec.gpus_per_node());
  if (!spec.gpus_per_task().empty()) env.set("SLURM_GPUS_PER_TASK", spec.gpus_per_task());
  if (!spec.gpus_per_socket().empty()) env.set("SLURM_GPUS_PER_SOCKET", spec.gpus_per_socket());
  if (!spec.gpu_bind().empty()) env.set("SLURM_GPU_BIND", spec.gpu_bind());
  if (!spec.gpu_freq().empty()) env.set("SLURM_GPU_FREQ", spec.gpu_freq());
  if (spec.overcommit()) env.set("SLURM_OVERCOMMIT", "1");
  if (spec.has_threads_per_core()) env.set("SLURM_THREADS_PER_CORE", spec.threads_per_core());
}

void set_name(const Job& job, EnvironmentBlock& env) {
  bool nameless = job.spec->command().empty() && job.spec->name() == "sbatch";
  if (!nameless) env.set("SLURM_JOB_NAME", job.spec->name());
}

// What the batch script and every step of a job see alike.
// `nodes` are those that SLURM_NNODES counts: the job's or the step's.
void set_job(const Core& core, const Job& job, std::optional<size_t> nodes, EnvironmentBlock& env) {
  const Cluster& cluster = core.state.cluster;
  env.set("SLURM_JOB_ID", job.id);
  env.set("SLURM_JOBID", job.id);
  env.set("SLURM_JOB_USER", job.user);
  env.set("SLURM_JOB_UID", job.uid);
  env.set("SLURM_JOB_GID", job.gid);
  if (!job.account.empty()) env.set("SLURM_JOB_ACCOUNT", job.account);
  if (!job.qos.empty()) env.set("SLURM_JOB_QOS", job.qos);
  env.set("SLURM_JOB_PARTITION", job.partitions.front());
  env.set("SLURM_JOB_NODELIST", job.nodes);
  // In this order, which readers of the whole environment know.
  env.set("SLURM_JOB_NUM_NODES", job.allocation.size());
  env.set("SLURM_NODELIST", job.nodes);
  if (nodes) env.set("SLURM_NNODES", *nodes);
  env.set("SLURM_JOB_CPUS_PER_NODE", folded_counts(cpus_per_node(job.allocation)));
  env.set("SLURM_CLUSTER_NAME", cluster.config.service.cluster_name);
  env.set("SLURM_SUBMIT_HOST", job.spec->submit_host());
  env.set("SLURM_WORKING_CLUSTER",
          cluster.config.service.cluster_name + ":" + cluster.host + ":0:9728:109");
  if (!job.spec->reservation().empty()) {
    env.set("SLURM_JOB_RESERVATION", job.spec->reservation());
  }
  if (!job.spec->dependency().empty()) {
    env.set("SLURM_JOB_DEPENDENCY", job.spec->dependency());
  }
  if (job.restarts > 0) env.set("SLURM_RESTART_COUNT", job.restarts);
  if (!core.site.conf.empty()) env.set("SLURM_CONF", core.site.conf);
  env.set("GRAPPE_SOCKET", core.site.socket);
  if (!core.site.tmp_roots.empty()) {
    env.set("SLURM_TMPDIR", core.site.tmp_roots.front() + "/job_" + std::to_string(job.id));
  }
  // Whose /tmp a command sees, so that sbcast knows.
  if (has_private_tmp(core)) env.set("GRAPPE_PRIVATE_TMP", job.id);
  add_array_variables(job, env);
}

// Variables of a process's place: its node, its number.
void set_place(const NodeAllocation& share, uint32_t node_index, uint32_t local, uint32_t rank,
               EnvironmentBlock& env) {
  env.set("SLURMD_NODENAME", share.name);
  env.set("SLURM_NODEID", node_index);
  env.set("SLURM_LOCALID", local);
  env.set("SLURM_PROCID", rank);
  env.set("SLURM_CPUS_ON_NODE", share.cpus.size());
  env.set("SLURM_TOPOLOGY_ADDR", share.name);
  env.set("SLURM_TOPOLOGY_ADDR_PATTERN", "node");
}

std::vector<uint32_t> step_tasks_per_node(const Step& step) {
  std::vector<uint32_t> counts(step.allocation.size());
  for (uint32_t node : step.task_node) ++counts.at(node);
  return counts;
}

}  // namespace

void add_array_variables(const Job& job, EnvironmentBlock& env) {
  if (!job.array_task_id) return;
  env.set("SLURM_ARRAY_JOB_ID", job.array_job_id);
  env.set("SLURM_ARRAY_TASK_ID", *job.array_task_id);
  auto spec = parse_array_spec(job.spec->array(), 4000001);
  if (!spec) return;
  env.set("SLURM_ARRAY_TASK_COUNT", spec->tasks.count());
  env.set("SLURM_ARRAY_TASK_MIN", spec->tasks.first().value_or(0));
  env.set("SLURM_ARRAY_TASK_MAX", spec->tasks.last().value_or(0));
  env.set("SLURM_ARRAY_TASK_STEP", spec->step);
}

std::string folded_counts(const std::vector<uint32_t>& counts) {
  std::string out;
  for (size_t i = 0; i < counts.size();) {
    size_t same = i;
    while (same < counts.size() && counts[same] == counts[i]) ++same;
    if (!out.empty()) out += ",";
    out += std::to_string(counts[i]);
    if (same - i > 1) out += fmt::format("(x{})", same - i);
    i = same;
  }
  return out;
}

std::string default_environment(const Job& job) {
  EnvironmentBlock env;
  if (job.allocation.size() > 1) env.set(kOpenMpiTransports, kNoSharedMemory);
  // The commands say where they were started; the folder of the job may be another (--chdir).
  env.set("SLURM_SUBMIT_DIR", job.spec->work_dir());
  return env.take();
}

std::string default_step_environment(const Job& job) {
  EnvironmentBlock env;
  set_name(job, env);
  return env.take();
}

std::string batch_environment(const Core& core, const Job& job) {
  EnvironmentBlock env;
  set_name(job, env);
  set_job(core, job, job.allocation.size(), env);
  set_requests(job, env);
  set_memory(job, env);
  env.set("SLURM_NODE_ALIASES", "(null)");
  set_place(job.allocation.front(), 0, 0, 0, env);
  env.set("SLURM_TASKS_PER_NODE", folded_counts(tasks_per_node(job)));
  env.set("SLURM_GTIDS", "0");
  env.set("ENVIRONMENT", "BATCH");
  env.set("HOSTNAME", job.allocation.front().name);
  std::vector<uint32_t> gpus = gpu_indexes(job.allocation.front());
  set_visible_gpus(core, job, job.allocation.front(), gpus, env);
  if (!gpus.empty()) {
    env.set("SLURM_GPUS_ON_NODE", gpus.size());
    env.set("SLURM_JOB_GPUS", comma_list(gpus));
  } else {
    hide_gpus(core, job.allocation.front(), env);
  }
  return env.take();
}

std::string step_environment(const Core& core, const Job& job, const Step& step) {
  EnvironmentBlock env;
  const bool keeps_counts = step.spec && step.spec->preserve_env();
  set_job(core, job, keeps_counts ? std::nullopt : std::optional(step.allocation.size()), env);
  env.set("SLURM_STEP_ID", step.step_id);
  env.set("SLURM_STEPID", step.step_id);
  env.set("SLURM_STEP_NODELIST", step.nodes);
  env.set("SLURM_STEP_NUM_NODES", step.allocation.size());
  env.set("SLURM_STEP_NUM_TASKS", step.tasks);
  std::string per_node = folded_counts(step_tasks_per_node(step));
  env.set("SLURM_STEP_TASKS_PER_NODE", per_node);
  if (!keeps_counts) {
    env.set("SLURM_TASKS_PER_NODE", per_node);
    env.set("SLURM_NTASKS", step.tasks);
    env.set("SLURM_NPROCS", step.tasks);
  }
  env.set("SLURM_LAUNCH_NODE_IPADDR", "127.0.0.1");
  env.set("SLURM_SRUN_COMM_HOST", "127.0.0.1");
  // A number of its own for each srun, as a port would be; nothing listens there.
  const uint32_t port = kFirstPort + step.srun_pid % kPorts;
  env.set("SLURM_STEP_LAUNCHER_PORT", port);
  env.set("SLURM_SRUN_COMM_PORT", port);
  if (step.spec && step.spec->has_cpus_per_task()) {
    env.set("SLURM_CPUS_PER_TASK", step.spec->cpus_per_task());
  }
  if (step.spec && !step.spec->gpu_freq().empty()) {
    env.set("SLURMD_TRES_FREQ", "gpu:" + step.spec->gpu_freq());
  }
  return env.take();
}

TaskSurroundings task_surroundings(const Core& core, const Job& job, const Step& step,
                                   uint32_t task) {
  TaskSurroundings out;
  EnvironmentBlock env;
  uint32_t node = step.task_node.at(task);
  const NodeAllocation& share = step.allocation.at(node);
  uint32_t local = 0;
  std::string on_node;
  for (uint32_t t = 0; t < step.task_node.size(); ++t) {
    if (step.task_node[t] != node) continue;
    if (t < task) ++local;
    on_node += (on_node.empty() ? "" : ",") + std::to_string(t);
  }
  set_place(share, node, local, task, env);
  env.set("SLURM_GTIDS", on_node);
  const GpuShare gpus = gpu_share(core, share);
  if (!gpus.gpus.empty()) {
    env.set("SLURM_GPUS_ON_NODE", gpus.gpus.size());
    // The only task of a node has all of its GPUs, whatever was said, as in Slurm.
    const bool shared = on_node.find(',') != std::string::npos;
    const std::string bind = shared ? gpu_bind_of(*step.spec) : "";
    if (!bind.empty()) env.set("SLURMD_TRES_BIND", "gpu:" + bind);
    GpuBinding bound = bind_gpus(bind, gpus, local, task);
    for (const std::string& line : bound.notices) out.notice += "slurmstepd: error: " + line + "\n";
    if (local == 0 && !step.spec->gpu_freq().empty()) out.notice += "GpuFreq=control_disabled\n";
    if (says_binding(*step.spec) && !bound.hidden) {
      out.notice += fmt::format(
          "gpu-bind: usable_gres=0x{}; bit_alloc=0x{}; local_inx=0; global_list={}; "
          "local_list={}\n",
          cpu_mask(bound.gpus), cpu_mask(gpus.gpus), comma_list(bound.gpus),
          comma_list(visible_numbers(core, job, share, bound.gpus)));
    }
    if (bound.hidden) {
      for (const char* name : {"CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES",
                               "ZE_AFFINITY_MASK"}) {
        env.unset(name);
      }
    } else {
      set_visible_gpus(core, job, share, bound.gpus, env);
      env.set("SLURM_STEP_GPUS", comma_list(bound.gpus));
    }
  } else {
    hide_gpus(core, share, env);
  }
  out.environment = env.take();
  return out;
}

std::string prolog_environment(const Core& core, const Job& job) {
  EnvironmentBlock env;
  env.set("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
  env.set("SLURM_JOB_ID", job.id);
  env.set("SLURM_JOBID", job.id);
  env.set("SLURM_JOB_UID", job.uid);
  env.set("SLURM_JOB_GID", job.gid);
  env.set("SLURM_JOB_USER", job.user);
  env.set("SLURM_JOB_GROUP", job.group);
  env.set("SLURM_JOB_PARTITION", job.partitions.front());
  env.set("SLURM_JOB_NODELIST", job.nodes);
  env.set("SLURM_JOB_NUM_NODES", job.allocation.size());
  env.set("SLURM_CLUSTER_NAME", core.state.cluster.config.service.cluster_name);
  env.set("SLURMD_NODENAME", job.allocation.front().name);
  std::vector<uint32_t> gpus = gpu_indexes(job.allocation.front());
  if (!gpus.empty()) env.set("SLURM_JOB_GPUS", comma_list(gpus));
  return env.take();
}

}  // namespace grappe::embedded
