// What depends on a site's hardware and plugins; most of it does not exist on one machine.
#include "base/text.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"

namespace grappe {
namespace {

using v1::JobSpec;

Status set_acctg_freq(JobOptions& o, Value v) {
  Status good = check_acctg_freq(v.text);
  if (!good) return good;
  o.spec.set_acctg_freq(std::string(v.text));
  o.step.set_acctg_freq(o.spec.acctg_freq());
  return {};
}

Status set_profile(JobOptions& o, Value v) {
  Status good = check_profile(v.text);
  if (!good) return good;
  if (!iequals(v.text, "none")) {
    return fail("--profile is not supported: no time series of a job are recorded");
  }
  o.spec.set_profile("none");
  return {};
}

constexpr const char* kNoBurstBuffer = "there is no burst buffer";
constexpr const char* kNoFrequency =
    "frequencies belong to the whole machine and are not changed for one job";

constexpr JobOption kRows[] = {
    {"acctg-freq", 0, Arg::required, kAllThree, "SBATCH_ACCTG_FREQ", "SALLOC_ACCTG_FREQ",
     "SLURM_ACCTG_FREQ", "<type>=<secs>", "how often use is measured", set_acctg_freq},
    {"batch", 0, Arg::required, kSbatch, "SBATCH_BATCH", "", "", "list",
     "features of the node of the batch script", nullptr,
     "the script runs on the first node; choose nodes with --constraint"},
    {"bb", 0, Arg::required, kAllThree, "SBATCH_BURST_BUFFER", "SALLOC_BURST_BUFFER",
     "SLURM_BURST_BUFFER", "<spec>", "burst buffer specifications", nullptr, kNoBurstBuffer},
    {"bbf", 0, Arg::required, kAllThree, "", "", "", "<file_name>",
     "burst buffer specification file", nullptr, kNoBurstBuffer},
    {"cluster", 0, Arg::required, kAllThree, "", "", "", "names", "",
     set_text<&JobSpec::mutable_clusters>},
    {"cluster-constraint", 0, Arg::required, kAllThree, "SBATCH_CLUSTER_CONSTRAINT",
     "SALLOC_CLUSTER_CONSTRAINT", "SLURM_CLUSTER_CONSTRAINT", "list",
     "features of clusters of a federation", nullptr, "there is no federation of clusters"},
    {"clusters", 'M', Arg::required, kAllThree, "SBATCH_CLUSTERS SLURM_CLUSTERS",
     "SALLOC_CLUSTERS SLURM_CLUSTERS", "SLURM_CLUSTERS", "names",
     "cluster to submit to; only this one is known", set_text<&JobSpec::mutable_clusters>},
    {"container", 0, Arg::required, kAllThree, "SBATCH_CONTAINER", "SALLOC_CONTAINER",
     "SRUN_CONTAINER SLURM_CONTAINER", "path", "path to an OCI container bundle",
     set_text<&JobSpec::mutable_container>},
    {"context", 0, Arg::required, kAllThree, "", "", "", "context", "", nullptr,
     "there are no SELinux contexts of jobs"},
    {"cpu-freq", 0, Arg::required, kAllThree, "SBATCH_CPU_FREQ_REQ", "SALLOC_CPU_FREQ_REQ",
     "SLURM_CPU_FREQ_REQ", "min[-max[:gov]]", "requested cpu frequency (and governor)", nullptr,
     kNoFrequency},
    {"mcs-label", 0, Arg::required, kAllThree, "", "", "", "mcs", "label of mcs/group", nullptr,
     "there are no MCS labels here"},
    {"network", 0, Arg::required, kAllThree, "SBATCH_NETWORK", "SALLOC_NETWORK", "SLURM_NETWORK",
     "type", "network performance counters", nullptr, "there is no switch to configure"},
    {"power", 0, Arg::required, kAllThree, "SBATCH_POWER", "SALLOC_POWER", "SLURM_POWER", "flags",
     "power management options", nullptr, "there is no power management"},
    {"profile", 0, Arg::required, kAllThree, "SBATCH_PROFILE", "SALLOC_PROFILE", "SLURM_PROFILE",
     "value", "time series to record: only none is known", set_profile},
    {"x11", 0, Arg::optional, kSalloc | kSrun, "", "", "", "all|first|last", "X11 forwarding",
     nullptr, "X11 is not forwarded to jobs"},
};

}  // namespace

std::span<const JobOption> site_rows() {
  return kRows;
}

}  // namespace grappe
