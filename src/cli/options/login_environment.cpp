#include "cli/options/login_environment.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/unique_fd.h"
#include "cli/accounts.h"

namespace grappe {
namespace {

using Clock = std::chrono::steady_clock;

// Before what `env` prints, because a profile may print lines of its own.
constexpr std::string_view kMark = "=== grappe environment ===";

Result<Account> find_user(uid_t uid) {
  auto account = find_account(uid);
  if (!account) return fail("there is no account with the number " + std::to_string(uid));
  if (account->shell.empty()) account->shell = "/bin/sh";
  return *account;
}

[[noreturn]] void become_shell(const Account& user, bool login, int output) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  setsid();
  if (getuid() != user.uid && !become(user, user.gid)) _exit(1);
  if (chdir(user.home.c_str()) != 0 && chdir("/") != 0) _exit(1);
  std::string command = "echo '" + std::string(kMark) + "'; env -0; true";
  // A name that begins with '-' is how login(1) tells a shell what it is.
  std::string name = (login ? "-" : "") + user.shell.substr(user.shell.rfind('/') + 1);
  std::vector<std::string> lines = {
      "HOME=" + user.home,
      "USER=" + user.name,
      "LOGNAME=" + user.name,
      "SHELL=" + user.shell,
      "MAIL=/var/mail/" + user.name,
      "PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"};
  std::vector<char*> variables;
  for (std::string& line : lines) variables.push_back(line.data());
  variables.push_back(nullptr);
  char option[] = "-c";
  char* argv[] = {name.data(), option, command.data(), nullptr};
  execve(user.shell.c_str(), argv, variables.data());
  _exit(127);
}

// All it writes until it ends; nothing if that takes too long.
Result<std::string> read_all(int fd, Clock::time_point deadline) {
  std::string text;
  char buffer[8192];
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd wanted{fd, POLLIN, 0};
    int ready = left.count() > 0 ? poll(&wanted, 1, static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return fail("the login shell did not answer in time");
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n <= 0) return text;
    text.append(buffer, static_cast<size_t>(n));
  }
}

}  // namespace

LoginMode parse_login_mode(std::string_view text) {
  LoginMode mode;
  if (!text.empty() && to_lower(text.back()) == 's') mode.login = false;
  while (!text.empty() && !is_digit(text.back())) text.remove_suffix(1);
  auto seconds = parse_uint(text, 3600);
  // "1" is what the option means without a value.
  if (seconds && *seconds > 1) mode.patience = std::chrono::seconds(*seconds);
  return mode;
}

Result<Environment> login_environment(uid_t uid, const LoginMode& mode) {
  auto user = find_user(uid);
  if (!user) return tl::unexpected<Error>(user.error());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail_errno("pipe", errno);
  UniqueFd output(ends[0]), input(ends[1]);
  pid_t child = fork();
  if (child < 0) return fail_errno("fork", errno);
  if (child == 0) become_shell(*user, mode.login, input.get());
  input.reset();
  auto text = read_all(output.get(), Clock::now() + mode.patience);
  if (!text) kill(-child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!text) return tl::unexpected<Error>(text.error());
  size_t mark = text->find(kMark);
  if (mark == std::string::npos) return fail("the login shell gave no environment");
  Environment e;
  std::string_view lines = std::string_view(*text).substr(mark + kMark.size() + 1);
  for (std::string_view line : split(lines, '\0')) {
    size_t equals = line.find('=');
    if (equals != std::string_view::npos && equals > 0) {
      e.set(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  return e;
}

void add_missing(const Environment& login, Environment& environment) {
  for (const std::string& line : login.lines()) {
    std::string_view name = std::string_view(line).substr(0, line.find('='));
    if (!environment.get(name)) environment.set(name, line.substr(name.size() + 1));
  }
}

}  // namespace grappe
