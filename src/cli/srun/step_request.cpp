#include "cli/srun/step_request.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "cli/options/job_environment.h"
#include "cli/srun/multi_prog.h"
#include "cli/srun/terminal.h"

namespace grappe {
namespace {

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

Status read_multi_prog(const std::string& path, JobOptions& options) {
  std::ifstream file(path);
  if (!file) return fail("Could not open multi_prog config file " + path);
  std::ostringstream text;
  text << file.rdbuf();
  std::optional<uint32_t> ntasks;
  if (options.spec.has_ntasks()) ntasks = options.spec.ntasks();
  auto programs = parse_multi_prog(text.str(), path, ntasks);
  if (!programs) return tl::unexpected(programs.error());
  options.spec.set_ntasks(programs->ntasks);
  options.step.clear_ntasks();
  for (v1::MultiProg& row : programs->rows) *options.step.add_multi_prog() = std::move(row);
  return {};
}

// Whether a program of this name can be executed from here; what PATH says counts.
bool can_execute(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  for (std::string_view folder : split(path ? path : "", ':')) {
    if (access((std::string(folder) + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

void settle_terminal(JobOptions& options, const Report& report) {
  if (!options.step.pty()) return;
  const auto size = window_size(STDIN_FILENO);
  if (!size) {
    report.error(std::string("ioctl(TIOCGWINSZ): ") + std::strerror(errno));
    report.error("Not using a pseudo-terminal, disregarding --pty option");
    options.step.set_pty(false);
    return;
  }
  options.step.set_pty_rows(size->ws_row);
  options.step.set_pty_cols(size->ws_col);
  options.step.set_unbuffered(true);
}

// What excludes what among the options of a step, in Slurm's words.
Status check_step_options(const JobOptions& options) {
  if (options.step.exact() && options.whole) {
    return fail("--exact and --whole are mutually exclusive.");
  }
  if (options.step.exclusive() && options.step.overlap()) {
    return fail("--exclusive and --overlap are mutually exclusive");
  }
  // Inside an allocation its size is known from the environment.
  const char* allocated = options.jobid ? std::getenv("SLURM_JOB_NUM_NODES") : nullptr;
  auto nodes = parse_uint(allocated ? allocated : "", UINT32_MAX);
  if (!nodes || options.source("jobid") != Source::kEnvironment) return {};
  const uint32_t wanted = options.spec.min_nodes();
  const uint32_t relative = options.step.relative();
  if (options.step.has_relative() && relative + std::max(1u, wanted) > *nodes) {
    return fail("--relative and --nodes option incompatible with count of allocated nodes (" +
                std::to_string(relative) + "+" + std::to_string(std::max(1u, wanted)) + ">" +
                std::to_string(*nodes) + ")");
  }
  if (wanted > *nodes) {
    return fail("Only allocated " + std::to_string(*nodes) + " nodes asked for " +
                std::to_string(wanted));
  }
  return {};
}

}  // namespace

Status settle_program(std::span<char*> operands, JobOptions& options, const Report& report) {
  if (Status good = check_step_options(options); !good) return good;
  const std::string program = operands[0];
  for (const char* word : operands) {
    if (std::string_view(word) == ":") {
      return fail("\":\" is not supported: a job has one set of resources, not several");
    }
  }
  if (options.multi_prog) {
    if (Status read = read_multi_prog(program, options); !read) return read;
  } else {
    if (std::getenv("SLURM_TEST_EXEC") && !can_execute(program)) {
      report.fatal("Can not execute " + program);
      return fail(1, "");
    }
    for (const char* word : operands) options.step.add_argv(word);
  }
  if (options.spec.name().empty()) options.spec.set_name(base_name(program));
  settle_terminal(options, report);
  return add_rlimits(options.propagate, options.spec);
}

uint32_t expected_tasks(const JobOptions& options) {
  const v1::JobSpec& spec = options.spec;
  if (options.step.has_ntasks()) return options.step.ntasks();
  if (spec.has_ntasks()) return spec.ntasks();
  return std::max(1u, spec.min_nodes()) * std::max(1u, spec.ntasks_per_node());
}

// How a step is bound whose layout was asked for in sockets, cores or threads. "quiet": where that
// can't be done nothing is said, as in Slurm, but of threads.
std::string implied_cpu_bind(const JobOptions& options) {
  auto typed = [&](std::string_view name) { return options.source(name) == Source::kCommandLine; };
  const v1::JobSpec& spec = options.spec;
  if (to_lower(options.hint).find("bound") != std::string::npos) return "quiet,cores";
  if (!options.hint.empty()) return "quiet,threads";
  if (options.extra_node_info) {
    if (spec.has_threads_per_core()) return "quiet,threads";
    return spec.has_cores_per_socket() ? "quiet,cores" : "quiet,sockets";
  }
  if (spec.has_threads_per_core()) return "threads";
  if (typed("ntasks-per-core")) return "quiet,cores";
  if (typed("ntasks-per-socket")) return "quiet,sockets";
  return "";
}

std::string task_environment(const JobOptions& options, bool in_own_allocation) {
  Environment own = Environment::of_this_process();
  // In another's allocation, and where memory is asked for, Slurm's srun settles itself how tasks
  // are laid out, and says so.
  const bool settled =
      !in_own_allocation || options.spec.mem_per_node_mb() || options.spec.mem_per_cpu_mb();
  if (settled && options.step.distribution().empty()) {
    bool spread = expected_tasks(options) <= std::max(1u, options.spec.min_nodes());
    own.set("SLURM_DISTRIBUTION", spread ? "cyclic" : "block");
  }
  if (in_own_allocation) own.set("SLURM_SUBMIT_DIR", options.submit_dir);
  // Slurm's srun repeats it under the name of a component of a het job, where it has found it.
  const char* cpus = in_own_allocation ? nullptr : std::getenv("SLURM_JOB_CPUS_PER_NODE");
  if (cpus) own.set("SLURM_JOB_CPUS_PER_NODE_PACK_GROUP_0", cpus);
  add_requested(options, own);
  const std::string& mpi = options.step.mpi();
  if (!mpi.empty() && mpi != "none") own.set("SLURM_MPI_TYPE", mpi);
  // In another's allocation -J names the step, and what the tasks read as the name of the job.
  const bool named = in_own_allocation || options.source("job-name") == Source::kCommandLine;
  if (named) own.set("SLURM_JOB_NAME", options.spec.name());
  if (options.step.preserve_env()) {
    for (const char* name : {"SLURM_NTASKS", "SLURM_NPROCS"}) {
      const char* before = std::getenv(name);
      before ? own.set(name, before) : own.unset(name);
    }
  }
  char mask[8];
  std::snprintf(mask, sizeof mask, "%04o", options.spec.umask() & 0777);
  own.set("SLURM_UMASK", mask);
  own.set("SLURM_PRIO_PROCESS", std::to_string(getpriority(PRIO_PROCESS, 0)));
  own.set("SRUN_DEBUG", std::to_string(options.quiet ? 2 : 3 + options.verbose));
  // Of the allocation in which srun runs; the tasks have their own.
  for (const char* name : {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID", "SLURM_TASK_PID"}) {
    own.unset(name);
  }
  bool load_login = false;  // Slurm's srun does not
  return exported_environment(own, options.export_env.value_or("ALL"), load_login).packed();
}

v1::StepSpec make_step_spec(const JobOptions& options, const FilesPlan& files,
                            std::optional<uint32_t> own_nodes) {
  v1::StepSpec step = step_spec(options);
  files.fill(step);
  step.set_environment(task_environment(options, own_nodes.has_value()));
  if (step.cpu_bind().empty()) step.set_cpu_bind(implied_cpu_bind(options));
  step.set_mem_bind(options.mem_bind);
  step.set_acctg_freq(options.spec.acctg_freq());
  step.set_profile(options.spec.profile());
  step.set_cpu_freq(options.spec.cpu_freq());
  // srun counts these seconds itself, to say what it does.
  step.clear_wait_s();
  if (own_nodes) {
    step.set_min_nodes(*own_nodes);
    step.set_max_nodes(*own_nodes);
    // --exclusive was for the allocation.
    step.set_exclusive(false);
  }
  return step;
}

}  // namespace grappe
