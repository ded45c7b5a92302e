#include "cli/salloc/run_command.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "cli/accounts.h"

namespace grappe {
namespace {

bool is_program(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

bool in_foreground() {
  return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

// Changing the foreground group from the background would stop us.
void set_foreground(pid_t group) {
  signal(SIGTTOU, SIG_IGN);
  tcsetpgrp(STDIN_FILENO, group);
  signal(SIGTTOU, SIG_DFL);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void become_command(const char* path, char** argv, char** envp, bool foreground,
                                 const Identity* identity) {
  setpgid(0, 0);
  if (foreground) set_foreground(getpid());
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (identity) {
    const Account nameless{.uid = identity->uid, .gid = identity->gid};
    if (!become(find_account(identity->uid).value_or(nameless), identity->gid)) _exit(1);
  }
  execve(path, argv, envp);
  _exit(errno == ENOENT ? 127 : 126);
}

}  // namespace

std::vector<std::string> shell_command() {
  if (const char* shell = std::getenv("SHELL"); shell && *shell) return {shell};
  const auto user = find_account(getuid());
  return {user && !user->shell.empty() ? user->shell : "/bin/sh"};
}

std::string find_command(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* path = std::getenv("PATH");
  for (std::string_view place : split(path ? path : "", ':')) {
    std::string candidate = std::string(place.empty() ? "." : place) + "/" + name;
    if (is_program(candidate)) return candidate;
  }
  return "";
}

Result<pid_t> start_command(const std::string& path, const std::vector<std::string>& argv,
                            const Environment& environment, const Identity* identity) {
  std::vector<char*> words = pointers(argv);
  std::vector<char*> variables = pointers(environment.lines());
  bool foreground = in_foreground();
  pid_t child = fork();
  if (child < 0) return fail_errno("_fork_command: fork failed", errno);
  if (child == 0) {
    become_command(path.c_str(), words.data(), variables.data(), foreground, identity);
  }
  setpgid(child, child);
  return child;
}

int wait_for_command(pid_t command) {
  int status = 0;
  for (;;) {
    pid_t done = waitpid(command, &status, WUNTRACED);
    if (done < 0 && errno != EINTR) return 0;
    if (done == command && WIFSTOPPED(status)) {
      kill(-command, SIGCONT);
    } else if (done == command) {
      break;
    }
  }
  if (isatty(STDIN_FILENO)) set_foreground(getpgrp());
  return status;
}

}  // namespace grappe
