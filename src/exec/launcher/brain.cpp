#include "exec/launcher/brain.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/log.h"
#include "exec/os/process.h"

namespace grappe::exec {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kMaxBackoff{2'000};
constexpr std::chrono::seconds kLongEnough{1};  // one that lived so long had a good start
constexpr int kBrainFd = 3, kServiceFd = 4;

[[noreturn]] void refuse(const std::string& why) {
  log_error("grapped can't be started: {}", why);
  _exit(kDoNotRestart);
}

void drop_to(const std::string& user) {
  const passwd* account = getpwnam(user.c_str());
  if (account == nullptr) refuse("there is no account '" + user + "' (--user)");
  if (initgroups(user.c_str(), account->pw_gid) != 0 ||
      setresgid(account->pw_gid, account->pw_gid, account->pw_gid) != 0 ||
      setresuid(account->pw_uid, account->pw_uid, account->pw_uid) != 0) {
    refuse("its privileges can't be dropped");
  }
}

}  // namespace

Brain::Brain(EventLoop& loop, const LauncherOptions& options, KeeperPage& page,
             std::function<void(LauncherRequest&)> handle)
    : loop_(loop), options_(options), page_(page), handle_(std::move(handle)) {}

void Brain::start() {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    log_error("no socketpair for grapped: errno {}", errno);
    return;
  }
  socket_.reset(pair[0]);
  UniqueFd theirs(pair[1]);
  splitter_ = {};
  outgoing_.clear();
  const pid_t launcher = getpid();
  pid_ = fork();
  if (pid_ == 0) become_brain(theirs.get(), launcher);
  page_.brain = pid_;
  started_ = EventLoop::Clock::now();
  fcntl(socket_.get(), F_SETFL, O_NONBLOCK);
  loop_.add(socket_.get(), EPOLLIN, [this](uint32_t events) { serve(events); });
}

void Brain::become_brain(int socket, pid_t launcher) {
  page_.brain = getpid();  // the launcher may die before it can write this down
  reset_signals();
  // Both may be where the other is to go, so neither moves there at once.
  const int ours = fcntl(socket, F_DUPFD, kServiceFd + 1);
  const int service = fcntl(options_.service_fd, F_DUPFD, kServiceFd + 1);
  dup2(ours, kBrainFd);
  if (service >= 0) dup2(service, kServiceFd);
  close_all_but({kBrainFd, service >= 0 ? kServiceFd : kBrainFd});
  umask(options_.brain_umask);
  if (geteuid() == 0) drop_to(options_.user);
  // After the change of user, which resets it. A grapped without its launcher is of no use.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != launcher) _exit(0);
  std::vector<std::string> words = options_.brain;
  auto environment = merge_environment(options_.brain_environment, "");
  set_environment_value(environment, "GRAPPE_LAUNCHER_FD", std::to_string(kBrainFd));
  set_environment_value(environment, "GRAPPE_RUN_DIR", options_.run_dir);
  if (service >= 0) {
    set_environment_value(environment, "GRAPPE_SERVICE_FD", std::to_string(kServiceFd));
  }
  execve(words[0].c_str(), as_argv(words).data(), as_argv(environment).data());
  refuse(words[0] + ": " + std::strerror(errno));
}

void Brain::serve(uint32_t events) {
  if (events & EPOLLOUT) flush();
  if (socket_ && (events & (EPOLLIN | EPOLLHUP | EPOLLERR))) read_requests();
}

bool Brain::read_requests() {
  const ssize_t n = recv(socket_.get(), room_.get(), kRoom, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) return disconnect("");
  splitter_.append(room_.get(), static_cast<size_t>(n));
  while (socket_) {
    auto frame = splitter_.next();
    if (!frame) return disconnect(frame.error().message);
    if (!*frame) return true;
    auto request = decode_request((*frame)->type, (*frame)->payload);
    if (!request) return disconnect(request.error().message);
    handle_(*request);
  }
  return false;
}

void Brain::tell(const ExecEvent& event) {
  if (!socket_) return;
  outgoing_ += encode_event(event);
  flush();
}

void Brain::flush() {
  while (!outgoing_.empty()) {
    const ssize_t n =
        send(socket_.get(), outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;  // full, or closed: then the reader finds out
    outgoing_.erase(0, static_cast<size_t>(n));
  }
  loop_.modify(socket_.get(), EPOLLIN | (outgoing_.empty() ? 0U : uint32_t{EPOLLOUT}));
}

bool Brain::disconnect(const std::string& why) {
  if (!why.empty()) log_error("grapped's message is refused and the connection closed: {}", why);
  loop_.remove(socket_.get());
  socket_.reset();
  return false;
}

void Brain::terminate(int signal_number) {
  if (pid_ > 0) kill(pid_, signal_number);
}

bool Brain::ended(int status, bool restart) {
  pid_ = 0;
  page_.brain = 0;
  while (socket_ && read_requests()) {  // what it said before it ended still counts
  }
  if (socket_) disconnect("");
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 0 || code == kDoNotRestart || !restart) return false;
  if (EventLoop::Clock::now() - started_ > kLongEnough) backoff_ = milliseconds(0);
  log_error("grapped {}; it is started again in {} ms", describe_status(status), backoff_.count());
  loop_.after(backoff_, [this] { start(); });
  backoff_ = std::min(std::max(backoff_ * 2, milliseconds(50)), kMaxBackoff);
  return true;
}

}  // namespace grappe::exec
