#include "exec/testing/service.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "exec/os/files.h"
#include "exec/os/identity.h"
#include "exec/os/process.h"
#include "exec/shepherd/process_tree.h"

namespace grappe::exec::testing {
namespace {

using std::chrono::milliseconds;
// For what must happen; an emulated machine (tests/v2) says that it needs longer.
std::chrono::seconds patience() {
  const char* seconds = std::getenv("GRAPPE_TEST_PATIENCE");
  return std::chrono::seconds(seconds != nullptr ? std::atoi(seconds) : 60);
}

Account find_account() {
  const passwd* found = getpwnam("games");
  if (found == nullptr) return {};
  return {found->pw_name, found->pw_uid, found->pw_gid};
}

// After a test that failed: nothing of it may stay on the machine.
void remove_cgroup(const std::string& dir) {
  (void)write_file(dir + "/cgroup.kill", "1");
  std::this_thread::sleep_for(milliseconds(50));
  for (const std::string& name : list_dir(dir)) {
    if (name.starts_with("job_") || name.starts_with("step_")) remove_cgroup(dir + "/" + name);
  }
  rmdir(dir.c_str());
}

}  // namespace

std::vector<pid_t> children_named(pid_t parent, const std::string& name) {
  std::vector<pid_t> found;
  for (const pid_t pid : descendants_of(parent)) {
    const auto comm = read_file(fmt::format("/proc/{}/comm", pid));
    if (comm && *comm == name + "\n") found.push_back(pid);
  }
  return found;
}

bool Service::available() {
  return geteuid() == 0;
}

Service::Service(Mode mode) : mode_(mode), account_(find_account()) {
  const char* parent = std::getenv("TMPDIR");
  dir_ = std::string(parent != nullptr ? parent : "/tmp") + "/grappe-exec-XXXXXX";
  if (mkdtemp(dir_.data()) == nullptr) std::abort();
  chmod(dir_.c_str(), 0755);
  cgroup_ = "grappe-test-" + dir_.substr(dir_.rfind('-') + 1);
  home_ = dir_ + "/home";
  mkdir(home_.c_str(), 0755);
  EXPECT_EQ(chown(home_.c_str(), account_.uid, account_.gid), 0);
  if (mode_ == Mode::kPersonal) {
    EXPECT_EQ(chown(dir_.c_str(), account_.uid, account_.gid), 0);
  }

  listener_.reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  fmt::format_to_n(address.sun_path, sizeof address.sun_path - 1, "{}/brain", dir_);
  EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  chmod(address.sun_path, 0777);
  EXPECT_EQ(listen(listener_.get(), 8), 0);
  start_keeper();
}

Service::~Service() {
  executor_.reset();
  if (keeper_ > 0) stop_keeper();
  EXPECT_TRUE(list_dir(dir_ + "/state/steps").empty()) << "a step was not forgotten";
  EXPECT_TRUE(list_dir(dir_ + "/state/jobs").empty()) << "a job was not cleaned";
  EXPECT_TRUE(list_dir(dir_ + "/run/steps").empty());
  // One that was killed may need a moment to be gone.
  const std::string mark = "GRAPPE_EXEC_TEST=" + dir_;
  for (int i = 0; i < 200 && !processes_marked(mark).empty(); ++i) usleep(10'000);
  EXPECT_TRUE(processes_marked(mark).empty()) << "a process is left";
  for (const std::string& hierarchy : list_dir("/sys/fs/cgroup")) {
    const std::string left = "/sys/fs/cgroup/" + hierarchy + "/" + cgroup_;
    if (access(left.c_str(), F_OK) != 0) continue;
    ADD_FAILURE() << left << " is left";
    remove_cgroup(left);
  }
  EXPECT_TRUE(remove_tree(dir_));
}

void Service::start_keeper() {
  std::vector<std::string> words{std::string(GRAPPE_BIN_DIR) + "/grappe-launcher",
                                 "--state",
                                 dir_ + "/state",
                                 "--run",
                                 dir_ + "/run",
                                 "--cgroup",
                                 cgroup_,
                                 "--user",
                                 "nobody",
                                 "--",
                                 std::string(GRAPPE_BIN_DIR) + "/exec_relay",
                                 dir_ + "/brain"};
  keeper_ = fork();
  if (keeper_ != 0) return;
  const int log = open((dir_ + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(log, 1);
  dup2(log, 2);
  close_all_but({});
  if (mode_ == Mode::kPersonal) {
    chmod((dir_ + "/log").c_str(), 0666);
    if (!become({account_.uid, account_.gid, {account_.gid}})) _exit(126);
  }
  execv(words[0].c_str(), as_argv(words).data());
  _exit(127);
}

void Service::stop_keeper() {
  kill(keeper_, SIGTERM);
  int status = 0;
  EXPECT_EQ(waitpid(keeper_, &status, 0), keeper_);
  keeper_ = 0;
  executor_.reset();
}

pid_t Service::child_of_keeper(const std::string& name) const {
  for (int attempt = 0; attempt < 12000; ++attempt) {
    const auto found = children_named(keeper_, name);
    if (found.size() == 1) return found[0];
    std::this_thread::sleep_for(milliseconds(5));
  }
  ADD_FAILURE() << "there is no " << name;
  std::abort();  // a pid of 0 or -1 must never reach kill()
}

ExecutorReady Service::connect() {
  pollfd poller{listener_.get(), POLLIN, 0};
  if (poll(&poller, 1, 60'000) != 1) {
    ADD_FAILURE() << "no relay came: " << read_file(dir_ + "/log").value_or("");
    return {};
  }
  executor_.reset();
  {
    const std::lock_guard lock(mutex_);
    events_.clear();
  }
  UniqueFd socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  executor_ = std::make_unique<LauncherExecutor>(std::move(socket), dir_ + "/run");
  executor_->listen([this](std::vector<ExecEvent> events) {
    const std::lock_guard lock(mutex_);
    std::ranges::move(events, std::back_inserter(events_));
    changed_.notify_all();
  });
  auto ready = std::get<ExecutorReady>(
      wait([](const ExecEvent& e) { return std::holds_alternative<ExecutorReady>(e); }, "ready"));
  const std::lock_guard lock(mutex_);
  events_.insert(events_.end(), ready.ended.begin(), ready.ended.end());  // for wait_end()
  return ready;
}

ExecEvent Service::wait(const std::function<bool(const ExecEvent&)>& matches, const char* what) {
  std::unique_lock lock(mutex_);
  const auto deadline = std::chrono::steady_clock::now() + patience();
  while (true) {
    for (auto it = events_.begin(); it != events_.end(); ++it) {
      if (!matches(*it)) continue;
      ExecEvent event = std::move(*it);
      events_.erase(it);
      return event;
    }
    if (changed_.wait_until(lock, deadline) == std::cv_status::timeout) {
      ADD_FAILURE() << "no event: " << what << "\n" << read_file(dir_ + "/log").value_or("");
      std::abort();
    }
  }
}

StepEnded Service::wait_end(StepKey key) {
  return std::get<StepEnded>(wait(
      [&](const ExecEvent& e) {
        const auto* ended = std::get_if<StepEnded>(&e);
        return ended != nullptr && ended->key == key;
      },
      "end of a step"));
}

StepStarted Service::wait_start(StepKey key) {
  return std::get<StepStarted>(wait(
      [&](const ExecEvent& e) {
        const auto* started = std::get_if<StepStarted>(&e);
        return started != nullptr && started->key == key;
      },
      "start of a step"));
}

JobCleaned Service::clean(uint32_t job_id) {
  executor_->clean(job_id, 0);
  return wait_cleaned(job_id);
}

JobCleaned Service::wait_cleaned(uint32_t job_id) {
  return std::get<JobCleaned>(wait(
      [&](const ExecEvent& e) {
        const auto* cleaned = std::get_if<JobCleaned>(&e);
        return cleaned != nullptr && cleaned->job_id == job_id;
      },
      "a cleaned job"));
}

StepEnded Service::run(const StepLaunch& launch) {
  executor_->start(launch);
  const StepEnded ended = wait_end(launch.key);
  executor_->forget(launch.key);
  clean(launch.key.job_id);
  return ended;
}

StepLaunch Service::batch(uint32_t job_id, const std::string& script) const {
  StepLaunch launch;
  launch.key = {job_id, kBatchStep, 0};
  launch.uid = account_.uid;
  launch.gid = account_.gid;
  launch.user = account_.name;
  launch.work_dir = home_;
  launch.environment.assign("PATH=/usr/bin:/bin");
  launch.environment.push_back('\0');
  launch.environment += "GRAPPE_EXEC_TEST=" + dir_;
  launch.environment.push_back('\0');
  launch.script = "#!/bin/bash\n" + script + "\n";
  launch.programs = {{}};
  launch.node_names = {"node1"};
  launch.tasks.resize(1);
  launch.tasks[0].std_in = "/dev/null";
  launch.tasks[0].std_out = launch.tasks[0].std_err = out();
  return launch;
}

StepLaunch Service::step(uint32_t job_id, uint32_t tasks, std::vector<std::string> argv) const {
  StepLaunch launch = batch(job_id, "");
  launch.key.step_id = 0;
  launch.script.clear();
  launch.programs = {std::move(argv)};
  launch.tasks.clear();
  for (uint32_t rank = 0; rank < tasks; ++rank) {
    TaskLaunch task;
    task.rank = rank;
    task.environment = "SLURM_PROCID=" + std::to_string(rank);
    launch.tasks.push_back(std::move(task));
  }
  launch.wait_for_client = true;
  return launch;
}

std::string Service::read_out() const {
  return read_file(out()).value_or("(no output file)");
}

void Service::wait_for_text(const std::string& path, const std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + patience();
  while (read_file(path).value_or("").find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << path << " does not hold " << text;
      return;
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
}

StepClient::StepClient(const std::string& path, bool supplies_input) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  // The step is being started: its socket may not be there yet.
  for (int attempt = 0; attempt < 12000 && !connected_; ++attempt) {
    socket_.reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    connected_ =
        ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    if (!connected_) std::this_thread::sleep_for(milliseconds(5));
  }
  const HelloPayload hello{kStepIoVersion, supplies_input ? 1U : 0U};
  if (connected_) send(FrameType::kHello, 0, as_payload(hello));
}

void StepClient::send(FrameType type, uint32_t task, std::string_view payload) {
  const std::string frame = make_frame(type, task, payload);
  ::send(socket_.get(), frame.data(), frame.size(), MSG_NOSIGNAL);
}

bool StepClient::read_some() {
  pollfd poller{socket_.get(), POLLIN, 0};
  char buffer[65536];
  if (poll(&poller, 1, 60'000) != 1) return false;
  const ssize_t n = read(socket_.get(), buffer, sizeof buffer);
  if (n <= 0) return false;
  reader_.append(buffer, static_cast<size_t>(n));
  for (auto frame = reader_.next(); frame && *frame; frame = reader_.next()) {
    frames.push_back(std::move(**frame));
  }
  return true;
}

std::optional<FrameReader::Frame> StepClient::wait(FrameType type) {
  do {
    for (const auto& frame : frames) {
      if (frame.type == static_cast<uint32_t>(type)) return frame;
    }
  } while (read_some());
  return std::nullopt;
}

bool StepClient::wait_for_output(const std::string& text) {
  do {
    if (output().find(text) != std::string::npos) return true;
  } while (read_some());
  return false;
}

std::string StepClient::output(FrameType type, uint32_t task) const {
  std::string text;
  for (const auto& frame : frames) {
    if (frame.type != static_cast<uint32_t>(type)) continue;
    if (task == kAllTasks || task == frame.task) text += frame.payload;
  }
  return text;
}

}  // namespace grappe::exec::testing
