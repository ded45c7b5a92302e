// The life of a step, and grapped's requests about it.
#include <fmt/core.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <set>
#include <thread>
#include <utility>

#include "base/log.h"
#include "exec/launcher/launcher.h"
#include "exec/shepherd/process_tree.h"
#include "exec/shepherd/shepherd.h"
#include "exec/step_name.h"

namespace grappe::exec {
namespace {

constexpr std::chrono::seconds kAccountLifetime{30};
constexpr int kKillRounds = 50;

}  // namespace

void Launcher::handle(LauncherRequest& request) {
  if (!brain_greeted_ && !std::holds_alternative<Hello>(request)) {
    log_error("grapped did not say hello first");
    brain_.terminate(SIGKILL);
    return;
  }
  std::visit([this](auto& value) { handle(value); }, request);
}

void Launcher::handle(const Hello& hello) {
  if (hello.version != kLauncherProtocolVersion) {
    log_error(
        "grapped speaks version {} of the launcher's protocol and this launcher version {}: "
        "restart the service",
        hello.version, kLauncherProtocolVersion);
    brain_.terminate(SIGKILL);
    return;
  }
  brain_greeted_ = true;
  ExecutorReady ready;
  for (const auto& [key, step] : steps_) {
    if (step.phase == StepPhase::kEnded) {
      ready.ended.push_back(step.ended);
    } else {
      ready.running.push_back(key);
    }
  }
  const auto with_cgroup = cgroups_->jobs();
  std::set<uint32_t> ids(with_cgroup.begin(), with_cgroup.end());
  for (const auto& [id, job] : jobs_) ids.insert(id);
  ready.jobs.assign(ids.begin(), ids.end());
  ready.unconfined = unconfined();
  brain_.tell(ready);
  for (const auto& [key, step] : steps_) {
    if (step.phase != StepPhase::kEnded) retell(key, step);
  }
}

void Launcher::retell(StepKey, const Step& step) {
  if (step.phase == StepPhase::kRunning && !step.started.pids.empty()) brain_.tell(step.started);
  if (step.phase == StepPhase::kEnded) brain_.tell(step.ended);
}

void Launcher::handle(StepLaunch& launch) {
  const StepKey key = launch.key;
  if (const auto known = steps_.find(key); known != steps_.end()) {
    return retell(key, known->second);
  }
  Step& step = steps_[key];
  step.started.key = key;
  Job* job = job_for(launch);
  step.launch = std::move(launch);
  if (job == nullptr) {
    StepEnded ended;
    ended.failure = fmt::format("job {} is still being cleaned up", key.job_id);
    return end_unstarted(step, key, std::move(ended));
  }
  if (job->phase == JobPhase::kReady) return start_step(step);
  if (job->phase == JobPhase::kNew) prepare(*job);
}

// The job of a launch, made if this is its first step; null if an earlier run of the job is not
// cleaned up, or this one is being so.
Launcher::Job* Launcher::job_for(const StepLaunch& launch) {
  const auto [place, is_new] = jobs_.try_emplace(launch.key.job_id);
  Job& job = place->second;
  if (is_new || job.phase == JobPhase::kNew) {
    if (job.record.restart != launch.key.restart) job.record.prolog_done = false;
    job.record.job_id = launch.key.job_id;
    job.record.restart = launch.key.restart;
    job.record.uid = launch.uid;
    job.record.gid = launch.gid;
    job.record.confinement = launch.job;
  }
  const bool usable = job.record.restart == launch.key.restart && !job.clean_wanted;
  return usable ? &job : nullptr;
}

void Launcher::start_step(Step& step) {
  const StepKey key = step.started.key;
  if (auto done = fork_shepherd(step); !done) {
    StepEnded ended;
    ended.failure = done.error().message;
    log_error("step {} can't be started: {}", step_name(key), ended.failure);
    return end_unstarted(step, key, std::move(ended));
  }
  step.phase = StepPhase::kRunning;
  step.launch.reset();
  watch_control(key);
  for (const auto& notice : std::exchange(step.early_notices, {})) tell_shepherd(step, notice);
}

Status Launcher::fork_shepherd(Step& step) {
  const StepLaunch& launch = *step.launch;
  const Job& job = jobs_.at(launch.key.job_id);
  auto cgroups = cgroups_->create_step(launch.key, launch.job, launch.step_memory_mb);
  if (!cgroups) return tl::unexpected(cgroups.error());
  auto files = store_->create(launch, privileged_);
  if (!files) return tl::unexpected(files.error());
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) {
    return fail_errno("make a socketpair", errno);
  }
  UniqueFd ours(pair[0]), theirs(pair[1]);
  const AccountEntry* account = known_account(launch.uid);
  const pid_t pid = fork();
  if (pid < 0) {
    const int error = errno;
    store_->remove(launch.key);
    return fail_errno("fork the shepherd", error);
  }
  if (pid == 0) {
    ShepherdStart start{launch};
    start.listener = std::move(files->listener);
    start.control = std::move(theirs);
    start.exit_record = std::move(files->exit_record);
    start.script_path = files->script_path;
    start.privileged = privileged_;
    start.account = account;
    start.open_files_limit = open_files_limit_;
    start.title = options_.title;
    start.pmix_program = options_.program_dir + "/grappe-pmix";
    start.pmix_dir = files->pmix_dir;
    start.cgroups = std::move(*cgroups);
    if (const auto tmp = tmp_of(job)) start.mounts = tmp->mounts();
    if (!cgroups_->tracks()) start.marker = marker_of(launch.key);
    run_shepherd(std::move(start));
  }
  step.control = std::move(ours);
  step.owner = launch.uid;
  step.awaits_account = privileged_ && account == nullptr;
  return {};
}

// Asking the user database costs more than everything else about a short step, so what a
// shepherd has learned serves the next ones for a while.
const AccountEntry* Launcher::known_account(uid_t uid) {
  const auto found = accounts_.find(uid);
  if (found == accounts_.end()) return nullptr;
  if (EventLoop::Clock::now() - found->second.learned > kAccountLifetime) return nullptr;
  return &found->second.entry;
}

void Launcher::watch_control(StepKey key) {
  loop_.add(steps_.at(key).control.get(), EPOLLIN, [this, key](uint32_t) { read_control(key); });
}

void Launcher::read_control(StepKey key) {
  Step& step = steps_.at(key);
  char buffer[4096];  // its messages are short
  const ssize_t n = recv(step.control.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return step_ended(key);
  step.reader.append(buffer, static_cast<size_t>(n));
  while (true) {
    auto frame = step.reader.next();
    if (!frame) return step_ended(key);
    if (!*frame) return;
    if (!take_frame(step, **frame)) return step_ended(key);
  }
}

bool Launcher::take_frame(Step& step, const FrameReader::Frame& frame) {
  if (step.awaits_account) {
    step.awaits_account = false;
    if (frame.type != static_cast<uint32_t>(ControlType::kAccount)) return false;
    if (auto account = decode_account(frame.payload)) {
      const uid_t uid = account->uid;
      accounts_[uid] = {std::move(*account), EventLoop::Clock::now()};
    }
    return true;
  }
  if (frame.type != static_cast<uint32_t>(ControlType::kStarted)) return false;
  step.started.pids.clear();
  for (size_t at = 0; at + sizeof(ControlPid) <= frame.payload.size(); at += sizeof(ControlPid)) {
    const auto one = *from_payload<ControlPid>(frame.payload.substr(at, sizeof(ControlPid)));
    step.started.pids.emplace_back(one.rank, one.pid);
  }
  brain_.tell(step.started);
  return true;
}

void Launcher::step_ended(StepKey key) {
  Step& step = steps_.at(key);
  if (step.control) {
    loop_.remove(step.control.get());
    step.control.reset();
  }
  ExitRecord record = store_->read(key);
  step.ended = std::move(record.ended);
  step.ended.key = key;
  if (!record.complete) {
    step.ended.start_time = record.start_time;
    step.ended.end_time = time(nullptr);
    step.ended.failure = "the shepherd of the step was lost";
    log_error("step {}: {}", step_name(key), step.ended.failure);
    kill_step(key);
  }
  const JobConfinement& confinement = jobs_.at(key.job_id).record.confinement;
  cgroups_->complete(step.ended, confinement);
  cgroups_->remove_step(key, confinement);
  step.phase = StepPhase::kEnded;
  brain_.tell(step.ended);
  const auto job = jobs_.find(key.job_id);
  if (job != jobs_.end() && job->second.clean_wanted) continue_cleaning(job->second);
}

std::string Launcher::marker_of(StepKey key) const {
  return fmt::format("GRAPPE_STEP={}:{}", options_.run_dir, step_name(key));
}

// What is left of a step whose shepherd is gone.
void Launcher::kill_step(StepKey key) {
  if (cgroups_->tracks()) return cgroups_->kill_step(key);
  // Again until none is left: one may have forked between the look and the blow.
  for (int round = 0; round < kKillRounds; ++round) {
    const std::vector<pid_t> left = processes_marked(marker_of(key));
    if (left.empty()) return;
    for (const pid_t pid : left) kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Launcher::end_unstarted(Step& step, StepKey key, StepEnded ended) {
  ended.key = key;
  ended.start_time = ended.end_time = time(nullptr);
  step.launch.reset();
  step.phase = StepPhase::kEnded;
  step.ended = std::move(ended);
  brain_.tell(step.ended);
}

void Launcher::handle(const SignalStep& signal) {
  const auto found = steps_.find(signal.key);
  if (found == steps_.end()) return;
  Step& step = found->second;
  if (step.phase == StepPhase::kWaiting && signal.signal_number == SIGKILL) {
    StepEnded ended;
    for (const TaskLaunch& task : step.launch->tasks) ended.exits.push_back({task.rank, SIGKILL});
    return end_unstarted(step, signal.key, std::move(ended));
  }
  if (step.phase != StepPhase::kRunning) return;
  if (signal.signal_number == SIGKILL && signal.target == SignalTarget::kEverything) {
    cgroups_->kill_step(signal.key);
  }
  const ControlSignal payload{signal.signal_number, static_cast<uint32_t>(signal.target)};
  const std::string frame = make_frame(ControlType::kSignal, as_payload(payload));
  send(step.control.get(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Launcher::handle(const EndNode& end) {
  const auto found = steps_.find(end.key);
  if (found == steps_.end() || found->second.phase != StepPhase::kRunning) return;
  const std::string frame = make_frame(ControlType::kEndNode, as_payload(end.node_index));
  send(found->second.control.get(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Launcher::handle(const NotifyStep& notice) {
  const auto found = steps_.find(notice.key);
  if (found == steps_.end()) return;
  Step& step = found->second;
  if (step.phase == StepPhase::kWaiting && step.early_notices.size() < kMostEarlyNotices) {
    step.early_notices.push_back(notice);
  }
  if (step.phase == StepPhase::kRunning) tell_shepherd(step, notice);
}

void Launcher::tell_shepherd(Step& step, const NotifyStep& notice) {
  const std::string frame =
      make_frame(ControlType::kNotify, notice.text, static_cast<uint32_t>(notice.kind));
  send(step.control.get(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Launcher::handle(const ForgetStep& forget) {
  const auto found = steps_.find(forget.key);
  if (found == steps_.end() || found->second.phase != StepPhase::kEnded) return;
  const std::optional<uid_t> owner = found->second.owner;
  steps_.erase(found);
  store_->remove(forget.key, owner);
}

}  // namespace grappe::exec
