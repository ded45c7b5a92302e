#include "cli/salloc/allocation_environment.h"

#include <algorithm>
#include <numeric>

#include "model/openmpi.h"
#include "model/task_turns.h"

namespace grappe {

std::string repeat_counts(const std::vector<uint32_t>& counts) {
  std::string out;
  for (size_t i = 0; i < counts.size();) {
    size_t end = i;
    while (end < counts.size() && counts[end] == counts[i]) ++end;
    if (!out.empty()) out += ',';
    out += std::to_string(counts[i]);
    if (end - i > 1) out += "(x" + std::to_string(end - i) + ")";
    i = end;
  }
  return out;
}

std::vector<uint32_t> tasks_per_node(const v1::JobSpec& spec, const std::vector<uint32_t>& cpus) {
  std::vector<uint32_t> room;
  for (uint32_t count : cpus) {
    uint32_t tasks = std::max(1u, count / std::max(1u, spec.cpus_per_task()));
    if (spec.has_ntasks_per_node()) tasks = std::min(tasks, spec.ntasks_per_node());
    room.push_back(tasks);
  }
  if (!spec.has_ntasks() || room.empty()) return room;
  std::vector<uint32_t> tasks(room.size(), 0);
  for (uint32_t node : deal_tasks(spec.ntasks(), room)) ++tasks[node];
  return tasks;
}

void add_allocation(const v1::JobInfo& job, const JobOptions& options, Environment& e) {
  const v1::JobSpec& spec = options.spec;
  std::string id = std::to_string(job.job_id());
  std::string nodes = std::to_string(job.num_nodes());
  std::vector<uint32_t> cpus;
  for (const v1::NodeShare& share : job.shares()) {
    cpus.push_back(static_cast<uint32_t>(share.cpu_ids_size()));
  }
  e.set("SLURM_CLUSTER_NAME", job.cluster());
  e.set("SLURM_JOBID", id);
  if (!job.account().empty()) e.set("SLURM_JOB_ACCOUNT", job.account());
  e.set("SLURM_JOB_CPUS_PER_NODE", repeat_counts(cpus));
  e.set("SLURM_JOB_ID", id);
  e.set("SLURM_JOB_NAME", job.name());
  e.set("SLURM_JOB_NODELIST", job.nodes());
  e.set("SLURM_JOB_NUM_NODES", nodes);
  e.set("SLURM_JOB_PARTITION", job.partition());
  if (!job.qos().empty()) e.set("SLURM_JOB_QOS", job.qos());
  if (!job.resv_name().empty()) e.set("SLURM_JOB_RESERVATION", job.resv_name());
  if (spec.has_mem_per_cpu_mb()) e.set("SLURM_MEM_PER_CPU", std::to_string(spec.mem_per_cpu_mb()));
  if (spec.mem_per_node_mb()) {
    e.set("SLURM_MEM_PER_NODE", std::to_string(spec.mem_per_node_mb()));
  }
  e.set("SLURM_NNODES", nodes);
  e.set("SLURM_NODELIST", job.nodes());
  e.set("SLURM_NODE_ALIASES", "(null)");
  e.set("SLURM_TASKS_PER_NODE", repeat_counts(tasks_per_node(spec, cpus)));
  if (job.num_nodes() > 1 && !e.get(kOpenMpiTransports)) {
    e.set(kOpenMpiTransports, kNoSharedMemory);
  }
}

}  // namespace grappe
