// Where tasks lie within nodes: sockets, cores, threads, distribution, binding, switches.
#include <cstdio>

#include "base/duration.h"
#include "base/text.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"

namespace grappe {
namespace {

using v1::JobSpec;

Status set_distribution(JobOptions& o, Value v) {
  Status good = check_distribution(v.text, o.plane_size);
  if (!good) return good;
  std::string text = spelt_out_distribution(v.text);
  if (iequals(text, "plane")) text += "=" + std::to_string(*o.plane_size);
  o.spec.set_distribution(text);
  return {};
}

constexpr std::string_view kHintHelp =
    "Application hint options:\n"
    "    --hint=             Bind tasks according to application hints\n"
    "        compute_bound   use all cores in each socket\n"
    "        memory_bound    use only one core in each socket\n"
    "        [no]multithread [don't] use extra threads with in-core multi-threading\n"
    "        help            show this help message\n";

constexpr std::string_view kMemBindHelp =
    "Memory bind options:\n"
    "    --mem-bind=         Bind memory to locality domains (ldom)\n"
    "        nosort          avoid sorting pages at startup\n"
    "        sort            sort pages at startup\n"
    "        q[uiet]         quietly bind before task runs (default)\n"
    "        v[erbose]       verbosely report binding before task runs\n"
    "        no[ne]          don't bind tasks to memory (default)\n"
    "        rank            bind by task rank\n"
    "        local           bind to memory local to processor\n"
    "        map_mem:<list>  specify a memory binding for each task\n"
    "                        where <list> is <cpuid1>,<cpuid2>,...<cpuidN>\n"
    "        mask_mem:<list> specify a memory binding mask for each tasks\n"
    "                        where <list> is <mask1>,<mask2>,...<maskN>\n"
    "        help            show this help message\n";

// An Error without a message: what there is to say has been said.
tl::unexpected<Error> explain(std::string_view text, int exit_code) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return fail(exit_code, "");
}

Status set_hint(JobOptions& o, Value v) {
  for (std::string_view word : split(v.text, ',')) {
    if (iequals(word, "help")) return explain(kHintHelp, 1);
    if (!iequals(word, "compute_bound") && !iequals(word, "memory_bound") &&
        !iequals(word, "multithread") && !iequals(word, "nomultithread")) {
      return fail(1, "unrecognized --hint argument \"" + std::string(word) + "\", see --hint=help");
    }
  }
  o.hint = v.text;
  return {};
}

Status set_mem_bind(JobOptions& o, Value v) {
  if (iequals(v.text, "help")) return explain(kMemBindHelp, 0);
  Status good = check_mem_bind(v.text);
  if (!good) return good;
  o.mem_bind = v.text;
  o.step.set_mem_bind(o.mem_bind);
  return {};
}

// The longest and, where nothing is said, the usual wait (max_switch_wait of a site).
constexpr int64_t kLongestSwitchWait = 300;

Status set_switches_wait(JobOptions& o, Value v) {
  auto seconds = parse_duration(v.text);
  if (!seconds) return invalid_specification(v.from);
  o.spec.set_switches_wait_s(std::min<int64_t>(*seconds, kLongestSwitchWait));
  return {};
}

Status set_switches(JobOptions& o, Value v) {
  size_t at = v.text.find('@');
  auto count = parse_count(v.text.substr(0, at), "--switches", true);
  if (!count) return tl::unexpected<Error>(count.error());
  o.spec.set_switches(*count);
  if (at == std::string_view::npos) {
    if (!o.spec.switches_wait_s()) o.spec.set_switches_wait_s(kLongestSwitchWait);
    return {};
  }
  return set_switches_wait(o, {.text = v.text.substr(at + 1), .from = "--switches"});
}

constexpr JobOption kRows[] = {
    {"cores-per-socket", 0, Arg::required, kAllThree, "", "", "", "C",
     "nodes with this many cores per socket or more", set_count<&JobSpec::set_cores_per_socket>},
    // Before --distribution, so that "plane" finds its size.
    {"", 0, Arg::required, kAllThree, "", "", "SLURM_DIST_PLANESIZE", "",
     "size of --distribution=plane",
     [](JobOptions& o, Value v) {
       if (auto n = parse_uint(v.text, 0xffff)) o.plane_size = static_cast<uint32_t>(*n);
       return Status();
     }},
    {"distribution", 'm', Arg::required, kAllThree, "SBATCH_DISTRIBUTION", "", "SLURM_DISTRIBUTION",
     "type", "distribution of tasks over nodes, sockets and cores", set_distribution},
    {"extra-node-info", 'B', Arg::required, kAllThree, "", "", "", "S[:C[:T]]",
     "sockets per node, cores per socket and threads per core,\n* for any",
     [](JobOptions& o, Value v) { return parse_extra_node_info(v.text, o); }},
    {"hint", 0, Arg::required, kAllThree, "SBATCH_HINT SLURM_HINT", "SALLOC_HINT SLURM_HINT",
     "SLURM_HINT", "type", "bind tasks as suits the application (see --hint=help)", set_hint},
    {"mem-bind", 0, Arg::required, kAllThree, "SBATCH_MEM_BIND", "SALLOC_MEM_BIND",
     "SLURM_MEM_BIND", "type", "none or local: memory is local to the task's CPUs", set_mem_bind},
    {"ntasks-per-core", 0, Arg::required, kAllThree, "", "", "SLURM_NTASKS_PER_CORE", "n",
     "tasks on each core at most", set_count<&JobSpec::set_ntasks_per_core>},
    {"ntasks-per-node", 0, Arg::required, kAllThree, "", "", "SLURM_NTASKS_PER_NODE", "n",
     "tasks on each node", set_count<&JobSpec::set_ntasks_per_node>},
    {"ntasks-per-socket", 0, Arg::required, kAllThree, "", "", "SLURM_NTASKS_PER_SOCKET", "n",
     "tasks on each socket at most", set_count<&JobSpec::set_ntasks_per_socket>},
    {"sockets-per-node", 0, Arg::required, kAllThree, "", "", "", "S",
     "nodes with this many sockets or more", set_count<&JobSpec::set_sockets_per_node>},
    {"switches", 0, Arg::required, kAllThree, "SBATCH_REQ_SWITCH", "SALLOC_REQ_SWITCH",
     "SLURM_REQ_SWITCH", "n[@time]", "at most n switches, and how long to wait for that",
     set_switches},
    {"", 0, Arg::required, kAllThree, "SBATCH_WAIT4SWITCH", "SALLOC_WAIT4SWITCH",
     "SLURM_WAIT4SWITCH", "", "how long to wait for --switches", set_switches_wait},
    {"tasks-per-node", 0, Arg::required, kAllThree, "", "", "", "n", "",
     set_count<&JobSpec::set_ntasks_per_node>},
    {"threads-per-core", 0, Arg::required, kAllThree, "SBATCH_THREADS_PER_CORE",
     "SALLOC_THREADS_PER_CORE", "SLURM_THREADS_PER_CORE", "T",
     "nodes with this many threads per core or more", set_count<&JobSpec::set_threads_per_core>},
};

}  // namespace

std::span<const JobOption> layout_rows() {
  return kRows;
}

}  // namespace grappe
