// grapped, seen from the launcher: its process and the socketpair to it.
//
// It is started as the unprivileged user, and started again when it dies. Requests arrive as
// values; a message that can't be understood ends the connection, and with it that grapped.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/unique_fd.h"
#include "exec/launcher/keeper.h"
#include "exec/launcher/options.h"
#include "exec/os/event_loop.h"
#include "exec/protocol.h"

namespace grappe::exec {

class Brain {
 public:
  Brain(EventLoop& loop, const LauncherOptions& options, KeeperPage& page,
        std::function<void(LauncherRequest&)> handle);

  void start();
  void tell(const ExecEvent& event);
  void terminate(int signal_number);  // the process; it may take its time

  pid_t pid() const { return pid_; }
  bool running() const { return pid_ > 0; }
  // The process has ended. True: it will be started again, after a pause that grows as it keeps
  // dying. Never when it said that this would not help, nor when `restart` is false.
  bool ended(int status, bool restart);

 private:
  [[noreturn]] void become_brain(int socket, pid_t launcher);
  void serve(uint32_t events);
  bool read_requests();  // false: there is nothing to read now
  void flush();
  bool disconnect(const std::string& why);  // always false

  EventLoop& loop_;
  const LauncherOptions& options_;
  KeeperPage& page_;
  std::function<void(LauncherRequest&)> handle_;
  pid_t pid_ = 0;
  UniqueFd socket_;
  // For what is read. Not on the stack, of which every fork copies the pages it touches.
  static constexpr size_t kRoom = 65536;
  std::unique_ptr<char[]> room_ = std::make_unique_for_overwrite<char[]>(kRoom);
  FrameSplitter splitter_;
  std::string outgoing_;
  EventLoop::Clock::time_point started_;
  std::chrono::milliseconds backoff_{0};
};

}  // namespace grappe::exec
