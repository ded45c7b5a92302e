// salloc: obtain an allocation and run a command in it.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/options/gres_help.h"
#include "cli/options/job_command_line.h"
#include "cli/options/job_environment.h"
#include "cli/options/job_request.h"
#include "cli/salloc/allocation.h"
#include "cli/salloc/allocation_environment.h"
#include "cli/salloc/run_command.h"

namespace grappe {
namespace {

// What Slurm's salloc takes only with other settings than its defaults.
std::string unsupported(const JobOptions& options) {
  if (!options.spec.container().empty()) {
    return "--container requires LaunchParameters=use_interactive_step";
  }
  if (!options.spec.get_user_env().empty()) {
    return "--get-user-env is not supported: the command runs here, in this environment";
  }
  return "";
}

Environment command_environment(const JobOptions& options, const v1::JobInfo& job) {
  Environment e = Environment::of_this_process();
  e.set("SLURM_SUBMIT_DIR", options.submit_dir);
  e.set("SLURM_SUBMIT_HOST", options.spec.submit_host());
  add_requested(options, e);
  if (!options.spec.gpu_freq().empty()) e.set("SLURM_GPU_FREQ", options.spec.gpu_freq());
  add_allocation(job, options, e);
  return e;
}

int run_in(Allocation& allocation, const JobOptions& options, const v1::JobInfo& job,
           const std::vector<std::string>& command, const Report& report) {
  std::string path = find_command(command[0]);
  if (path.empty()) {
    report.error("_fork_command: Unable to find command \"" + command[0] + "\"");
    allocation.release(1 << 8);
    return 1;
  }
  Identity identity{options.spec.as_uid(), options.spec.as_gid()};
  Environment environment = command_environment(options, job);
  auto child =
      start_command(path, command, environment, options.spec.has_as_uid() ? &identity : nullptr);
  if (!child) {
    report.error(child.error());
    allocation.release(1 << 8);
    return 1;
  }
  allocation.watch(*child);
  int status = wait_for_command(*child);
  if (WIFSIGNALED(status)) {
    report.verbose("Command \"" + command[0] + "\" was terminated by signal " +
                   std::to_string(WTERMSIG(status)));
  }
  allocation.release(status);
  // Slurm's salloc says nothing of a signal in its exit code.
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

}  // namespace

int run_salloc(int argc, char** argv) {
  Report report("salloc");
  JobOptions options(kSalloc);
  describe_caller(argc, argv, options);
  JobCommandLine line(kSalloc);
  Parsed parsed = line.read(argc, argv);
  if (parsed.exit_code) return *parsed.exit_code;
  if (auto exit = line.settle(options)) return *exit;
  report.verbosity = options.quiet ? -1 : options.verbose;
  int error_exit = error_exit_code(report);
  std::vector<std::string> command(argv + parsed.first_operand, argv + argc);
  if (!command.empty() && command[0] == ":") {
    report.error("\":\" is not supported: a job has one set of resources, not several");
    return error_exit;
  }
  if (std::string text = unsupported(options); !text.empty()) {
    report.error(text);
    return error_exit;
  }
  list_options(options, report);
  ServiceCalls calls;
  if (options.spec.gres() == "help") return list_gres(calls, report);
  if (!knows_clusters(calls, options.spec.clusters(), report)) return error_exit;
  if (chdir(options.spec.work_dir().c_str()) != 0) {
    report.error("chdir(" + options.spec.work_dir() + "): " + std::strerror(errno));
    return 1;
  }
  if (!options.given("job-name")) options.spec.set_name("interactive");
  if (options.kill_command && !options.given_text("kill-command") && isatty(STDIN_FILENO)) {
    options.kill_command = SIGHUP;
  }
  if (command.empty()) command = shell_command();
  for (const std::string& word : command) options.spec.add_argv(word);

  v1::SubmitRequest request;
  *request.mutable_spec() = options.spec;
  request.set_ends_with_client(!options.no_shell);
  Allocation allocation(options, report);
  v1::JobInfo job;
  if (auto exit = allocation.obtain(request, job)) return *exit;
  if (options.no_shell) return 0;
  int code = run_in(allocation, options, job, command, report);
  std::fflush(nullptr);
  _exit(code);  // the helpers may still be inside a call
}

}  // namespace grappe
