// GPUs and other generic resources.
#include "base/text.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"

namespace grappe {
namespace {

using v1::JobSpec;

Status set_gpu_bind(JobOptions& o, Value v) {
  Status good = check_gpu_bind(v.text);
  if (!good) return good;
  o.spec.set_gpu_bind(std::string(v.text));
  return {};
}

// Where nobody may set frequencies, Slurm takes the wish and says so in the step.
Status set_gpu_freq(JobOptions& o, Value v) {
  Status good = check_gpu_freq(v.text);
  if (!good) return good;
  o.spec.set_gpu_freq(std::string(v.text));
  return {};
}

Status set_gres_flags(JobOptions& o, Value v) {
  if (!iequals(v.text, "enforce-binding") && !iequals(v.text, "disable-binding")) {
    return invalid_specification("--gres-flags");
  }
  o.spec.set_gres_flags(to_lower(v.text));
  return {};
}

// "none" is how a step or a script undoes a default.
Status set_gres(JobOptions& o, Value v) {
  o.spec.set_gres(std::string(v.text));
  return {};
}

constexpr JobOption kRows[] = {
    {"cpus-per-gpu", 0, Arg::required, kAllThree, "SBATCH_CPUS_PER_GPU", "SALLOC_CPUS_PER_GPU",
     "SLURM_CPUS_PER_GPU", "n", "CPUs for each GPU", set_count<&JobSpec::set_cpus_per_gpu>},
    {"gpu-bind", 0, Arg::required, kAllThree, "SBATCH_GPU_BIND", "SALLOC_GPU_BIND",
     "SLURM_GPU_BIND", "...", "which GPUs each task sees", set_gpu_bind},
    {"gpu-freq", 0, Arg::required, kAllThree, "SBATCH_GPU_FREQ", "SALLOC_GPU_FREQ",
     "SLURM_GPU_FREQ", "...", "frequency of GPUs: a wish, no step may set it", set_gpu_freq},
    {"gpus", 'G', Arg::required, kAllThree, "SBATCH_GPUS", "SALLOC_GPUS", "SLURM_GPUS", "n",
     "GPUs of the whole job: 2, a100:2", set_text<&JobSpec::mutable_gpus>},
    {"gpus-per-node", 0, Arg::required, kAllThree, "SBATCH_GPUS_PER_NODE", "SALLOC_GPUS_PER_NODE",
     "SLURM_GPUS_PER_NODE", "n", "GPUs on each node", set_text<&JobSpec::mutable_gpus_per_node>},
    {"gpus-per-socket", 0, Arg::required, kAllThree, "SBATCH_GPUS_PER_SOCKET",
     "SALLOC_GPUS_PER_SOCKET", "SLURM_GPUS_PER_SOCKET", "n", "GPUs on each socket",
     set_text<&JobSpec::mutable_gpus_per_socket>},
    {"gpus-per-task", 0, Arg::required, kAllThree, "SBATCH_GPUS_PER_TASK", "SALLOC_GPUS_PER_TASK",
     "SLURM_GPUS_PER_TASK", "n", "GPUs for each task", set_text<&JobSpec::mutable_gpus_per_task>},
    {"gres", 0, Arg::required, kAllThree, "SBATCH_GRES", "SALLOC_GRES", "SLURM_GRES", "list",
     "devices on each node: gpu:2, gpu:a100:1", set_gres},
    {"", 0, Arg::required, kSrun, "", "", "SLURM_STEP_GRES", "", "--gres of a step",
     [](JobOptions& o, Value v) {
       o.step_gres = v.text;
       return Status();
     }},
    {"gres-flags", 0, Arg::required, kAllThree, "SBATCH_GRES_FLAGS", "SALLOC_GRES_FLAGS",
     "SLURM_GRES_FLAGS", "opts", "binding of generic resources and CPUs", set_gres_flags},
    {"ntasks-per-gpu", 0, Arg::required, kAllThree, "", "", "SLURM_NTASKS_PER_GPU", "n",
     "number of tasks to invoke for each GPU", set_count<&JobSpec::set_ntasks_per_gpu>},
    {"ntasks-per-tres", 0, Arg::required, kAllThree, "", "", "SLURM_NTASKS_PER_TRES", "n", "",
     set_count<&JobSpec::set_ntasks_per_gpu>},
};

}  // namespace

std::span<const JobOption> gpu_rows() {
  return kRows;
}

}  // namespace grappe
