#include "cli/srun/broadcast.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/text.h"

namespace grappe {
namespace {

// The file that would be executed under this name; empty if there is none.
std::string program_file(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  for (std::string_view folder : split(path ? path : "", ':')) {
    std::string file = std::string(folder) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

std::string copy_name(const JobOptions& options, uint32_t job_id) {
  const std::string& asked = *options.bcast;
  const std::string name = fmt::format("slurm_bcast_{}", job_id);
  if (asked.ends_with('/')) return asked + name;
  if (asked.starts_with('/')) return asked;
  return options.spec.work_dir() + "/" + (asked.empty() ? name : asked);
}

// sbcast knows where a job's files are: a job may have a /tmp of its own.
int run_sbcast(uint32_t job_id, const std::string& from, const std::string& to,
               const Signals& signals) {
  const std::string job = fmt::format("--jobid={}", job_id);
  const pid_t pid = fork();
  if (pid == 0) {
    signals.restore_in_child();
    execl("/proc/self/exe", "sbcast", "--force", "--preserve", job.c_str(), from.c_str(),
          to.c_str(), nullptr);
    _exit(127);
  }
  if (pid < 0) return errno;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

bool broadcast_program(uint32_t job_id, JobOptions& options, const Signals& signals,
                       const Report& report) {
  if (!options.bcast || options.step.argv().empty()) return true;
  std::string& program = *options.step.mutable_argv(0);
  const std::string from = program_file(program);
  if (from.empty()) {
    report.error(fmt::format("{}: there is no such program to copy to the nodes", program));
    return false;
  }
  const std::string to = copy_name(options, job_id);
  if (run_sbcast(job_id, from, to, signals) != 0) {
    report.error(fmt::format("Failed to broadcast '{}'. Step launch aborted.", program));
    return false;
  }
  program = to;
  return true;
}

}  // namespace grappe
