#include "exec/shepherd/task_prolog.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "exec/os/process.h"

namespace grappe::exec {
namespace {

constexpr size_t kMaxOutput = 1 << 20;

std::string_view without_leading_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// "export NAME=value" with keyword "export" gives "NAME=value"; empty if it is another line.
std::string_view after_keyword(std::string_view line, std::string_view keyword) {
  line = without_leading_blanks(line);
  if (!line.starts_with(keyword)) return {};
  line.remove_prefix(keyword.size());
  if (line.empty() || (line[0] != ' ' && line[0] != '\t')) return {};
  return without_leading_blanks(line);
}

void apply_line(std::string_view line, std::vector<std::string>& environment, std::string& print) {
  if (const auto text = after_keyword(line, "print"); !text.empty()) {
    print.append(text).append("\n");
  } else if (const auto assignment = after_keyword(line, "export"); !assignment.empty()) {
    const size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0) return;
    set_environment_value(environment, std::string(assignment.substr(0, equals)),
                          std::string(assignment.substr(equals + 1)));
  } else if (const auto name = after_keyword(line, "unset"); !name.empty()) {
    unset_environment_value(environment, std::string(name));
  }
}

}  // namespace

std::string apply_task_prolog(const std::string& output, std::vector<std::string>& environment) {
  std::string print;
  std::string_view rest = output;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    apply_line(rest.substr(0, end), environment, print);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return print;
}

Status run_task_prolog(const std::string& kind, const std::string& program,
                       std::vector<std::string>& environment) {
  const std::string option = kind.starts_with("user ") ? "--task-prolog" : "TaskProlog";
  if (access(program.c_str(), X_OK) != 0) {
    Error error{1, "", {}};
    error.notes = {
        fmt::format("run_command: {} can not be executed ({}) {}", kind, program,
                    std::strerror(errno)),
        kind + " did not exit normally. reason: Run command failed - configuration error",
        option + " failed status=1"};
    return tl::unexpected(std::move(error));
  }
  Pipe pipe = make_pipe();
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe.write_end.get(), 1);
    std::vector<std::string> words{program};
    const auto argv = as_argv(words);
    const auto envp = as_argv(environment);
    execve(program.c_str(), argv.data(), envp.data());
    _exit(127);
  }
  pipe.write_end.reset();
  std::string output;
  char buffer[4096];
  ssize_t n;
  while (output.size() < kMaxOutput && (n = read(pipe.read_end.get(), buffer, sizeof buffer)) > 0) {
    output.append(buffer, static_cast<size_t>(n));
  }
  int status = child > 0 ? 0 : 1 << 8;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) {
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    return tl::unexpected(Error{code, "", {fmt::format("{} failed status={}", option, code)}});
  }
  const std::string print = apply_task_prolog(output, environment);
  [[maybe_unused]] const ssize_t written = write(1, print.data(), print.size());
  return {};
}

}  // namespace grappe::exec
