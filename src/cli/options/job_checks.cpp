#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "base/gres_spec.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "cli/options/gpu_checks.h"
#include "cli/options/job_command_line.h"
#include "cli/options/values.h"
#include "cli/report.h"

namespace grappe {
namespace {

constexpr std::string_view kMemoryOptions[] = {"mem", "mem-per-cpu", "mem-per-gpu"};

// An option of the script or of the command line: Slurm lets those two exclude each other, and
// lets both silently replace what the environment says.
bool typed(const JobOptions& o, std::string_view name) {
  Source source = o.source(name);
  return source == Source::kScript || source == Source::kCommandLine;
}

// What can not be asked together; the text is empty if all is well.
std::string conflict(const JobOptions& o) {
  int typed_memory = 0, env_memory = 0;
  for (std::string_view name : kMemoryOptions) {
    typed_memory += typed(o, name);
    env_memory += o.source(name) == Source::kEnvironment;
  }
  if (typed_memory > 1) return "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.";
  if (typed_memory == 0 && env_memory > 1) {
    return "SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually exclusive.";
  }
  if (typed(o, "core-spec") && typed(o, "thread-spec")) {
    return "-S/--core-spec and --thred-spec options are mutually exclusive";
  }
  if (o.source("core-spec") == Source::kEnvironment &&
      o.source("thread-spec") == Source::kEnvironment) {
    return "Both --core-spec and --thread-spec set using environment variables. Those options are "
           "mutually exclusive.";
  }
  if (typed(o, "ntasks-per-gpu") || typed(o, "ntasks-per-tres")) {
    for (std::string_view name : {"gpus-per-task", "gpus-per-socket", "ntasks-per-node"}) {
      if (typed(o, name)) {
        return "--" + std::string(name) +
               " is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU";
      }
    }
  }
  return "";
}

// What --hint and other options say of the same comes from different places: the later one counts.
// False where the hint does not.
bool hint_counts(JobOptions& o, const Report& report) {
  Source others = Source::kNone;
  for (const char* name : {"ntasks-per-core", "threads-per-core", "extra-node-info", "cpu-bind"}) {
    others = std::max(others, o.source(name));
  }
  const Source hint = o.source("hint");
  if (others < hint) {
    o.spec.clear_ntasks_per_core();
    o.spec.clear_threads_per_core();
    return true;
  }
  if (others > hint) {
    std::erase_if(o.settings,
                  [](const auto& s) { return std::string_view(s.row->name) == "hint"; });
  } else if (hint == Source::kEnvironment) {
    report.verbose(
        "Following options are mutually exclusive with --hint: --ntasks-per-core, "
        "--threads-per-core, -B and --cpu-bind, but more than one set by environment variables. "
        "Ignoring SLURM_HINT.");
  } else {
    report.verbose(
        "Following options are mutually exclusive with --hint: --ntasks-per-core, "
        "--threads-per-core, -B and --cpu-bind (other then --cpu-bind=verbose). Ignoring --hint.");
  }
  return false;
}

// --hint stands for other options.
void apply_hint(JobOptions& o, const Report& report) {
  if (o.hint.empty()) return;
  if (!hint_counts(o, report)) {
    o.hint.clear();
    return;
  }
  for (std::string_view word : split(o.hint, ',')) {
    if (iequals(word, "multithread")) continue;
    o.spec.set_threads_per_core(1);
    if (iequals(word, "memory_bound")) o.spec.set_cores_per_socket(1);
  }
}

// The nodes of --distribution=arbitrary, where -w names none: from the file of SLURM_HOSTFILE, or
// what the job around this srun was given.
Status find_places(JobOptions& o, const char* file) {
  v1::JobSpec& spec = o.spec;
  const char* around = std::getenv("SLURM_ARBITRARY_NODELIST");
  if (file) {
    auto names = read_node_file(file);
    if (!names) {
      return tl::unexpected<Error>(
          Error{1, "Failure getting NodeNames from hostfile", {names.error().message}});
    }
    spec.set_required_nodes(*names);
  } else if (around && o.jobid) {
    spec.set_required_nodes(around);
  } else if (o.source("distribution") == Source::kEnvironment) {
    spec.clear_distribution();
  } else {
    return fail(
        1,
        "With Arbitrary distribution you need to specify a nodelist or hostfile with the -w "
        "option");
  }
  return {};
}

// With --distribution=arbitrary each name stands for one task.
Status settle_arbitrary(JobOptions& o) {
  v1::JobSpec& spec = o.spec;
  const char* file = std::getenv("SLURM_HOSTFILE");
  if (file && o.command == kSrun && spec.distribution().empty()) spec.set_distribution("arbitrary");
  if (!spec.distribution().starts_with("arbitrary")) return {};
  const bool listed = !spec.required_nodes().empty();
  if (!listed) {
    if (Status found = find_places(o, file); !found) return found;
  }
  auto names = expand_hostlist(spec.required_nodes());
  if (!names || names->empty()) return {};  // the service refuses it in Slurm's words
  if (!typed(o, "ntasks")) spec.set_ntasks(static_cast<uint32_t>(names->size()));
  if (spec.ntasks() > names->size()) {
    return fail(1, listed ? fmt::format("You asked for {} tasks but hostlist specified {} nodes",
                                        spec.ntasks(), names->size())
                          : "Too few NodeNames in Slurm Hostfile");
  }
  names->resize(spec.ntasks());
  spec.set_required_nodes(fold_hostlist(*names));
  return {};
}

// More nodes named than -N allows: Slurm's srun leaves some out, the others refuse.
Status limit_named_nodes(JobOptions& o, std::vector<std::string>& names, const Report& report) {
  const uint32_t most = o.spec.max_nodes();
  if (o.spec.distribution().starts_with("arbitrary")) return {};  // each name is a task
  if (!typed(o, "nodes") || !o.spec.has_max_nodes() || names.size() <= most) return {};
  if (o.command != kSrun) {
    return fail(1, fmt::format("invalid number of nodes (-N {}-{})", names.size(), most));
  }
  report.error(
      fmt::format("Required nodelist includes more nodes than permitted by max-node count "
                  "({} > {}). Eliminating nodes from the nodelist.",
                  names.size(), most));
  names.resize(most);
  o.spec.set_required_nodes(fold_hostlist(names));
  return {};
}

// Named nodes count as a request for that many.
Status count_named_nodes(JobOptions& o, const Report& report) {
  if (o.spec.required_nodes().empty()) return {};
  auto names = expand_hostlist(o.spec.required_nodes());
  if (!names) return {};  // the service refuses it in Slurm's words
  std::sort(names->begin(), names->end(), hostname_less);
  names->erase(std::unique(names->begin(), names->end()), names->end());
  if (Status fits = limit_named_nodes(o, *names, report); !fits) return fits;
  uint32_t count = static_cast<uint32_t>(names->size());
  // GPUs of the whole job may need more nodes than are named.
  if (!o.spec.has_min_nodes() && !o.spec.gpus().empty()) o.spec.set_max_nodes(UINT32_MAX);
  o.spec.set_min_nodes(std::max(count, o.spec.min_nodes()));
  if (o.spec.has_max_nodes() && o.spec.max_nodes() < o.spec.min_nodes()) {
    o.spec.set_max_nodes(o.spec.min_nodes());
  }
  return {};
}

uint64_t count_gpus(const Result<std::vector<GresSpec>>& wanted) {
  uint64_t gpus = 0;
  if (!wanted) return 0;  // the service refuses it in Slurm's words
  for (const GresSpec& part : *wanted) gpus += part.name == "gpu" ? part.count : 0;
  return gpus;
}

// --gpus and --gpus-per-task say how many tasks there are.
void count_tasks_with_gpus(v1::JobSpec& spec) {
  const uint64_t gpus = count_gpus(parse_gpus(spec.gpus()));
  const uint64_t of_task = count_gpus(parse_gpus(spec.gpus_per_task()));
  if (spec.has_ntasks() || gpus == 0 || of_task == 0 || gpus % of_task) return;
  spec.set_ntasks(static_cast<uint32_t>(gpus / of_task));
}

// How many tasks the step of srun has: Slurm's srun counts the GPUs of one node only, while its
// allocation has tasks for all of them.
uint32_t tasks_of_own_step(const v1::JobSpec& spec, uint64_t gpus_on_node) {
  const auto tasks = static_cast<uint32_t>(gpus_on_node * spec.ntasks_per_gpu());
  return std::max({spec.ntasks(), spec.min_nodes(), tasks});
}

// --ntasks-per-gpu with a number of GPUs says how many tasks there are, and with a number of tasks
// how many GPUs.
void count_tasks_of_gpus(JobOptions& o) {
  v1::JobSpec& spec = o.spec;
  const uint32_t each = spec.ntasks_per_gpu();
  if (!each) return count_tasks_with_gpus(spec);
  const uint32_t nodes = std::max(1u, spec.min_nodes());
  uint64_t gpus = count_gpus(parse_gpus(spec.gpus()));
  if (!gpus) {
    uint64_t on_node = count_gpus(parse_gpus(spec.gpus_per_node()));
    if (!on_node) on_node = count_gpus(parse_gres(spec.gres()));
    gpus = nodes * on_node;
    if (gpus && o.command == kSrun) o.step.set_ntasks(tasks_of_own_step(spec, on_node));
  }
  if (!gpus) {
    if (!spec.has_ntasks() && !spec.has_min_nodes()) return;
    if (spec.has_ntasks() && spec.ntasks() % each) return;  // gpu_conflict() says why not
    gpus = spec.has_ntasks() ? spec.ntasks() / each : nodes;
    spec.set_gpus(std::to_string(gpus));
    spec.set_gpus_of_tasks(true);
  }
  spec.set_ntasks(std::max(spec.ntasks(), static_cast<uint32_t>(gpus * each)));
}

// Fewer tasks than nodes: Slurm takes fewer nodes and says so.
void trim_nodes_to_tasks(JobOptions& o, const Report& report) {
  uint32_t tasks = o.spec.ntasks(), nodes = o.spec.min_nodes();
  Report told = report;
  if (o.command == kSrun) told.verbosity = 0;  // srun says it even with -Q
  told.info("Warning: can't run " + std::to_string(tasks) + " processes on " +
            std::to_string(nodes) + " nodes, setting nnodes to " + std::to_string(tasks));
  o.spec.set_min_nodes(tasks);
  if (o.spec.has_max_nodes()) o.spec.set_max_nodes(tasks);
  auto names = expand_hostlist(o.spec.required_nodes());
  if (names && names->size() > tasks) {
    names->resize(tasks);
    o.spec.set_required_nodes(fold_hostlist(*names));
  }
}

// srun has a number of tasks, its own or the allocation's, that can't be so many on each of its
// nodes: that number counts, and the other is forgotten. It is said where it changes anything.
void forget_unfitting_tasks_per_node(JobOptions& o, const Report& report) {
  v1::JobSpec& spec = o.spec;
  if (o.command != kSrun || !spec.has_ntasks_per_node() || !spec.min_nodes()) return;
  const uint32_t tasks = spec.ntasks(), nodes = spec.min_nodes(), each = spec.ntasks_per_node();
  if (tasks / nodes == each) return;
  spec.clear_ntasks_per_node();
  if (tasks <= each) return;
  Report told = report;
  told.verbosity = 0;  // srun says it even with -Q
  told.info(
      fmt::format("Warning: can't honor --ntasks-per-node set to {} which doesn't match the "
                  "requested tasks {} with the number of requested nodes {}. Ignoring "
                  "--ntasks-per-node.",
                  each, tasks, nodes));
}

Status settle_tasks(JobOptions& o, const Report& report) {
  v1::JobSpec& spec = o.spec;
  if (Status settled = settle_arbitrary(o); !settled) return settled;
  if (Status counted = count_named_nodes(o, report); !counted) return counted;
  if (!o.jobid) count_tasks_of_gpus(o);
  bool exact_nodes = !spec.has_max_nodes() || spec.min_nodes() == spec.max_nodes();
  if (spec.has_ntasks()) {
    if (spec.has_min_nodes() && spec.ntasks() < spec.min_nodes()) trim_nodes_to_tasks(o, report);
    forget_unfitting_tasks_per_node(o, report);
    return {};
  }
  uint32_t nodes = std::max(1u, spec.min_nodes());
  if (spec.has_ntasks_per_node()) {
    spec.set_ntasks(nodes * spec.ntasks_per_node());
    return {};
  }
  if (!(spec.has_min_nodes() || o.extra_node_info) || !exact_nodes) return {};
  bool implied = spec.has_sockets_per_node() || spec.has_cores_per_socket() ||
                 (spec.has_threads_per_core() && o.hint.empty());
  // The step of srun has as many tasks only where all three are said.
  if (o.command == kSrun) {
    implied = spec.has_sockets_per_node() && spec.has_cores_per_socket() &&
              spec.has_threads_per_core() && o.hint.empty();
  }
  if (!implied) return {};
  spec.set_ntasks(nodes * std::max(1u, spec.sockets_per_node()) *
                  std::max(1u, spec.cores_per_socket()) * std::max(1u, spec.threads_per_core()));
  report.verbose("Number of tasks implicitly set to " + std::to_string(spec.ntasks()) + ".");
  return {};
}

}  // namespace

std::optional<int> check_job_options(JobOptions& o, const CommandHelp& command) {
  Report report(command.name);
  report.verbosity = o.quiet ? -1 : o.verbose;
  if (o.quiet && o.verbose > 0) {
    report.error("don't specify both --verbose (-v) and --quiet (-Q)");
    return 1;
  }
  if (std::string text = conflict(o); !text.empty()) {
    report.fatal(text);
    return 1;
  }
  if (typed(o, "cpus-per-task") && typed(o, "cpus-per-gpu")) {
    report.error("--cpus-per-gpu is mutually exclusive with --cpus-per-task");
    report.error("Invalid generic resource (gres) specification");
    return 1;
  }
  if (o.spec.has_begin_time() && o.spec.has_deadline() && o.spec.deadline() < o.spec.begin_time()) {
    report.error("Incompatible begin and deadline time specification");
    return 1;
  }
  for (const std::string& line : o.warnings) report.error(line);
  apply_hint(o, report);
  // Inside an allocation the environment holds the job's own counts: they describe it, they do
  // not ask for anything.
  if (Status settled = settle_tasks(o, report); !settled) {
    report.error(settled.error());
    return settled.error().code;
  }
  if (std::string text = o.jobid ? "" : gpu_conflict(o.spec); !text.empty()) {
    report.error(text);
    report.error("Invalid generic resource (gres) specification");
    return 1;
  }
  if (o.command == kSrun && o.jobid && o.source("job-name") == Source::kEnvironment) {
    o.spec.clear_name();
  }
  return std::nullopt;
}

}  // namespace grappe
