// How much: nodes, tasks, CPUs, memory, and which nodes.
#include "base/memory_size.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"

namespace grappe {
namespace {

using v1::JobSpec;

template <auto Set>
Status set_megabytes(JobOptions& o, Value v) {
  auto mb = parse_megabytes(v.text);
  if (!mb) return invalid_specification(v.from);
  (o.spec.*Set)(*mb);
  return {};
}

// The three ways to ask for memory exclude each other; the checks refuse two of one source, and
// what stands here makes a stronger source replace a weaker one.
template <auto Set>
Status set_memory(JobOptions& o, Value v) {
  auto mb = parse_megabytes(v.text);
  if (!mb) return invalid_specification(v.from);
  o.spec.clear_mem_per_node_mb();
  o.spec.clear_mem_per_cpu_mb();
  o.spec.clear_mem_per_gpu_mb();
  (o.spec.*Set)(*mb);
  return {};
}

Status set_nodes(JobOptions& o, Value v) {
  auto range = parse_node_range(v.text);
  if (!range) return tl::unexpected<Error>(range.error());
  o.spec.set_min_nodes(range->min);
  o.spec.set_max_nodes(range->max);
  return {};
}

template <auto Mutable>
Status set_node_list(JobOptions& o, Value v) {
  auto names = node_list(v.text);
  if (!names) return tl::unexpected<Error>(names.error());
  *(o.spec.*Mutable)() = *names;
  return {};
}

Status set_nodefile(JobOptions& o, Value v) {
  auto names = read_node_file(std::string(v.text));
  if (!names) {
    return tl::unexpected<Error>(Error{0, "Invalid --nodefile node file", {names.error().message}});
  }
  o.spec.set_required_nodes(*names);
  return {};
}

Status set_exclusive(JobOptions& o, Value v) {
  if (!v.given || v.text.empty()) {
    o.spec.set_sharing(JobSpec::EXCLUSIVE);
  } else if (v.text == "user") {
    o.spec.set_sharing(JobSpec::EXCLUSIVE_USER);
  } else if (v.text == "mcs") {
    return fail("--exclusive=mcs is not supported: there are no MCS labels here");
  } else {
    return invalid_specification("--exclusive");
  }
  o.step.set_exclusive(true);
  return {};
}

// Slurm answers so where AllowSpecResourcesUsage is off, which it is unless a site set it.
Status ignore_specialized(JobOptions& o, Value v) {
  auto n = parse_count(v.text, v.from, false);
  if (!n) return tl::unexpected<Error>(n.error());
  std::string name = v.from == "--core-spec" ? "-S" : std::string(v.from);
  o.warnings.push_back("Ignoring " + name +
                       " since it's not allowed by configuration (AllowSpecResourcesUsage = No)");
  return {};
}

constexpr JobOption kWhichNodes[] = {
    {"constraint", 'C', Arg::required, kAllThree, "SBATCH_CONSTRAINT", "SALLOC_CONSTRAINT",
     "SLURM_CONSTRAINT", "list", "features that the nodes must have",
     set_text<&JobSpec::mutable_constraint>},
    {"contiguous", 0, Arg::none, kAllThree, "", "", "", "", "nodes must follow each other",
     set_flag<&JobSpec::set_contiguous>},
    {"exclude", 'x', Arg::required, kAllThree, "", "", "", "hosts...",
     "not on these nodes: node[2-3]", set_node_list<&JobSpec::mutable_excluded_nodes>},
    {"mem", 0, Arg::required, kAllThree, "SBATCH_MEM_PER_NODE", "SALLOC_MEM_PER_NODE",
     "SLURM_MEM_PER_NODE", "MB", "memory per node; 0 is all of it",
     set_memory<&JobSpec::set_mem_per_node_mb>},
    {"mincpus", 0, Arg::required, kAllThree, "", "", "", "n",
     "minimum number of logical processors per node", set_count<&JobSpec::set_min_cpus_per_node>},
    {"nodefile", 'F', Arg::required, kAllThree, "", "", "", "filename",
     "file with a list of hosts that are required", set_nodefile},
    {"nodelist", 'w', Arg::required, kAllThree, "", "", "", "hosts...",
     "on these nodes, and others if more are needed",
     set_node_list<&JobSpec::mutable_required_nodes>},
    {"prefer", 0, Arg::required, kAllThree, "", "", "", "list",
     "features that the nodes should have if possible", set_text<&JobSpec::mutable_prefer>},
    {"tmp", 0, Arg::required, kAllThree, "", "", "", "MB", "temporary disk space per node",
     set_megabytes<&JobSpec::set_tmp_mb>},
};

constexpr JobOption kHowMuch[] = {
    {"core-spec", 'S', Arg::required, kAllThree, "SBATCH_CORE_SPEC", "SALLOC_CORE_SPEC",
     "SLURM_CORE_SPEC", "cores", "cores reserved for the system", ignore_specialized},
    {"cpus-per-task", 'c', Arg::required, kAllThree, "", "", "SRUN_CPUS_PER_TASK", "ncpus",
     "CPUs for each task", set_count<&JobSpec::set_cpus_per_task>},
    {"exclusive", 0, Arg::optional, kAllThree, "SBATCH_EXCLUSIVE", "SALLOC_EXCLUSIVE",
     "SLURM_EXCLUSIVE", "user", "whole nodes, or nodes shared only with one's own jobs",
     set_exclusive},
    {"licenses", 'L', Arg::required, kAllThree, "", "", "", "names",
     "licences to hold: matlab:2,ansys", set_text<&JobSpec::mutable_licenses>},
    {"mem-per-cpu", 0, Arg::required, kAllThree, "SBATCH_MEM_PER_CPU", "SALLOC_MEM_PER_CPU",
     "SLURM_MEM_PER_CPU", "MB", "memory for each CPU: 500M, 4G",
     set_memory<&JobSpec::set_mem_per_cpu_mb>},
    {"mem-per-gpu", 0, Arg::required, kAllThree, "SBATCH_MEM_PER_GPU", "SALLOC_MEM_PER_GPU",
     "SLURM_MEM_PER_GPU", "MB", "memory per allocated gpu",
     set_memory<&JobSpec::set_mem_per_gpu_mb>},
    {"nodes", 'N', Arg::required, kAllThree, "", "", "SLURM_JOB_NUM_NODES SLURM_NNODES", "N",
     "nodes: 2, or at least and at most 2-4", set_nodes},
    {"ntasks", 'n', Arg::required, kAllThree, "", "", "SLURM_NTASKS SLURM_NPROCS", "ntasks",
     "tasks, that is processes started by srun", set_count<&JobSpec::set_ntasks>},
    {"overcommit", 'O', Arg::none, kAllThree, "SBATCH_OVERCOMMIT", "SALLOC_OVERCOMMIT",
     "SLURM_OVERCOMMIT", "", "more tasks than cpus", set_flag<&JobSpec::set_overcommit>},
    {"oversubscribe", 's', Arg::none, kAllThree, "", "", "", "", "share resources with other jobs",
     [](JobOptions& o, Value) {
       o.spec.set_sharing(JobSpec::OVERSUBSCRIBE);
       return Status();
     }},
    {"spread-job", 0, Arg::none, kAllThree, "SBATCH_SPREAD_JOB", "SALLOC_SPREAD_JOB",
     "SLURM_SPREAD_JOB", "", "spread the job across as many nodes as possible",
     set_flag<&JobSpec::set_spread_job>},
    {"thread-spec", 0, Arg::required, kAllThree, "SBATCH_THREAD_SPEC", "SALLOC_THREAD_SPEC",
     "SLURM_THREAD_SPEC", "threads", "threads reserved for the system", ignore_specialized},
    {"use-min-nodes", 0, Arg::none, kAllThree, "SBATCH_USE_MIN_NODES", "SALLOC_USE_MIN_NODES",
     "SLURM_USE_MIN_NODES", "", "of a range of node counts, prefer the smaller",
     set_flag<&JobSpec::set_use_min_nodes>},
};

}  // namespace

std::span<const JobOption> constraint_rows() {
  return kWhichNodes;
}

std::span<const JobOption> resource_rows() {
  return kHowMuch;
}

}  // namespace grappe
