// A real launcher with a relay in place of grapped, for end-to-end tests: the test is the brain.
//
// Needs root, because the point is to run as somebody else; Service::available() says so.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "exec/executor.h"
#include "exec/launcher_client.h"
#include "exec/shepherd/frames.h"

namespace grappe::exec::testing {

// An ordinary account of this machine, of which no process runs, to run steps as.
struct Account {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
};

class Service {
 public:
  enum class Mode { kRoot, kPersonal };  // personal: the launcher itself runs as the test account
  explicit Service(Mode mode = Mode::kRoot);
  ~Service();  // stops the launcher, checks that nothing is left, removes the folders

  static bool available();

  // Waits for the relay of a (new) launcher and for its ExecutorReady.
  ExecutorReady connect();
  Executor& executor() { return *executor_; }

  // The next event that `matches`; others are kept for later calls. Fails the test after a minute.
  ExecEvent wait(const std::function<bool(const ExecEvent&)>& matches, const char* what);
  StepEnded wait_end(StepKey key);
  StepStarted wait_start(StepKey key);
  JobCleaned wait_cleaned(uint32_t job_id);
  JobCleaned clean(uint32_t job_id);  // asks for it and waits
  // Starts, waits for the end, forgets and cleans.
  StepEnded run(const StepLaunch& launch);

  // A batch step of the test account: out goes to `out()`.
  StepLaunch batch(uint32_t job_id, const std::string& script) const;
  // A step as srun makes it: its tasks speak through the socket.
  StepLaunch step(uint32_t job_id, uint32_t tasks, std::vector<std::string> argv) const;
  std::string out() const { return home_ + "/out"; }
  std::string read_out() const;
  // Waits until the file that a step writes holds `text`.
  void wait_for_text(const std::string& path, const std::string& text);

  pid_t keeper() const { return keeper_; }
  pid_t launcher() const { return child_of_keeper("grappe-launcher"); }
  pid_t relay() const { return child_of_keeper("exec_relay"); }
  const Account& account() const { return account_; }
  const std::string& home() const { return home_; }  // of the test account, writable by it
  const std::string& dir() const { return dir_; }    // root's
  const std::string& cgroup() const { return cgroup_; }

  void start_keeper();
  void stop_keeper();
  void disconnect() { executor_.reset(); }

 private:
  pid_t child_of_keeper(const std::string& name) const;

  Mode mode_;
  Account account_;
  std::string dir_, home_, cgroup_;
  UniqueFd listener_;
  pid_t keeper_ = 0;
  std::unique_ptr<LauncherExecutor> executor_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<ExecEvent> events_;
};

// The descendants of a process, by the name of their program.
std::vector<pid_t> children_named(pid_t parent, const std::string& name);

// A client of a step's socket, as srun is one.
class StepClient {
 public:
  StepClient(const std::string& path, bool supplies_input);
  bool connected() const { return connected_; }
  void send(FrameType type, uint32_t task, std::string_view payload = {});
  // Reads until a frame of this type came (which is returned), or the connection ended. Everything
  // is kept in `frames`.
  std::optional<FrameReader::Frame> wait(FrameType type);
  // Reads until the standard output of all tasks holds `text`.
  bool wait_for_output(const std::string& text);
  std::string output(FrameType type = FrameType::kStdout, uint32_t task = kAllTasks) const;
  void close() { socket_.reset(); }

  std::vector<FrameReader::Frame> frames;

 private:
  bool read_some();
  UniqueFd socket_;
  FrameReader reader_;
  bool connected_ = false;
};

}  // namespace grappe::exec::testing
