#include "cli/srun/hooks.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace grappe {
namespace {

void describe_step(const StepFace& face) {
  const std::string job = std::to_string(face.job_id);
  setenv("SLURM_JOB_ID", job.c_str(), 1);
  setenv("SLURM_JOBID", job.c_str(), 1);
  setenv("SLURM_STEP_ID", face.step.c_str(), 1);
  setenv("SLURM_STEPID", face.step.c_str(), 1);
  setenv("SLURM_NTASKS", std::to_string(face.task_node.size()).c_str(), 1);
  setenv("SLURM_NPROCS", std::to_string(face.task_node.size()).c_str(), 1);
  setenv("SLURM_NNODES", std::to_string(face.nodes.size()).c_str(), 1);
}

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& command) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(127);
}

}  // namespace

int run_hook(const std::string& program, const std::vector<std::string>& command,
             const StepFace& face, const Signals& signals, const Report& report) {
  if (program.empty() || program == "none") return 0;
  if (access(program.c_str(), R_OK | X_OK) != 0) {
    report.info("Access denied for " + program + ": " + std::strerror(errno));
    return 0;
  }
  const pid_t pid = fork();
  if (pid == 0) {
    signals.restore_in_child();
    describe_step(face);
    become(program, command);
  }
  if (pid < 0) {
    report.error("Unable to run " + program + ": " + std::strerror(errno));
    return 1;
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace grappe
