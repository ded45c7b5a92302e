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
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "exec/executor.h"
#include "exec/launcher_client.h"

namespace grappe::exec::testing {

// An ordinary account of this machine to run steps as; made if there is none.
struct Account {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
};

class Service {
 public:
  Service();
  ~Service();  // stops the launcher, checks that nothing is left, removes the folders

  static bool available();

  // Waits for the relay of a (new) launcher and for its ExecutorReady.
  ExecutorReady connect();
  Executor& executor() { return *executor_; }

  // The next event that `matches`; others are kept for later calls. Fails the test after 20 s.
  ExecEvent wait(const std::function<bool(const ExecEvent&)>& matches, const char* what);
  StepEnded wait_end(StepKey key);
  StepStarted wait_start(StepKey key);
  JobCleaned clean(uint32_t job_id);
  // Starts, waits for the end, forgets and cleans.
  StepEnded run(const StepLaunch& launch);

  // A batch step of the test account: out goes to `out()`.
  StepLaunch batch(uint32_t job_id, const std::string& script) const;
  std::string out() const { return home_ + "/out"; }
  std::string read_out() const;
  // Waits until the file that a step writes holds `text`.
  void wait_for_text(const std::string& path, const std::string& text);

  pid_t keeper() const { return keeper_; }
  pid_t launcher() const;  // child of the keeper
  pid_t relay() const;     // child of the launcher
  const Account& account() const { return account_; }
  const std::string& home() const { return home_; }  // of the test account, writable by it
  const std::string& dir() const { return dir_; }    // root's
  const std::string& cgroup() const { return cgroup_; }

  void start_keeper();
  void stop_keeper();

 private:
  Account account_;
  std::string dir_, home_, cgroup_;
  UniqueFd listener_;
  pid_t keeper_ = 0;
  std::unique_ptr<LauncherExecutor> executor_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<ExecEvent> events_;
};

// The direct children of a process, by the name of their program.
std::vector<pid_t> children_named(pid_t parent, const std::string& name);

}  // namespace grappe::exec::testing
