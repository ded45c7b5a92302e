#include "cli/srun/task_board.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "base/index_set.h"
#include "base/text.h"
#include "model/job_state.h"

namespace grappe {
namespace {

constexpr int kMarked = 0x80;  // of the status of a task that lacked memory, as Slurm shows it

std::string tasks_text(const std::vector<uint32_t>& tasks) {
  return (tasks.size() == 1 ? "task " : "tasks ") + format_index_set(tasks);
}

bool reduce_messages() {
  const char* text = std::getenv("SLURM_SRUN_REDUCE_TASK_EXIT_MSG");
  return text && parse_int(text).value_or(0) != 0;
}

}  // namespace

TaskBoard::TaskBoard(const StepFace& face, const Report& report, Wording wording)
    : face_(face),
      report_(report),
      wording_(wording),
      tasks_(face.task_node.size()),
      reduced_(reduce_messages()) {}

void TaskBoard::started(uint32_t task) {
  if (task >= tasks_.size() || tasks_[task].state != State::kUnknown) return;
  tasks_[task].state = State::kRunning;
  if (report_.verbosity < 1 || wording_ == Wording::kSingly) return;
  // The node's last one is told for all of them.
  const uint32_t node = face_.task_node[task];
  uint32_t count = 0;
  for (uint32_t other = 0; other < tasks_.size(); ++other) {
    if (face_.task_node[other] != node) continue;
    if (tasks_[other].state == State::kUnknown) return;
    ++count;
  }
  report_.verbose(fmt::format("launch/slurm: _task_start: Node {}, {} tasks started",
                              node < face_.nodes.size() ? face_.nodes[node] : "", count));
}

void TaskBoard::out_of_memory(uint32_t task) {
  if (task < tasks_.size()) tasks_[task].out_of_memory = true;
}

void TaskBoard::failed(uint32_t task, const std::string& why) {
  if (task >= tasks_.size() || tasks_[task].state == State::kFailed) return;
  tasks_[task].state = State::kFailed;
  any_failed_ = true;
  report_.error(fmt::format("task {} launch failed: {}", task, why));
}

void TaskBoard::exited(uint32_t number, int status) {
  if (number >= tasks_.size()) return;
  Task& task = tasks_[number];
  if (task.state == State::kExited || task.state == State::kExitedBadly) return;
  ++exited_;
  const bool launched = task.state != State::kFailed;
  if (!launched) {
    task.state = State::kExitedBadly;
    return;
  }
  task.status = task.out_of_memory ? kOutOfMemoryStatus : status;
  task.state = task.status == 0 ? State::kExited : State::kExitedBadly;
  any_bad_ = any_bad_ || task.status != 0;
  take(task.status);
  untold_.push_back(number);
}

void TaskBoard::take(int status) {
  if (WIFSIGNALED(status)) {
    if (!WIFSIGNALED(status_) || WTERMSIG(status) > WTERMSIG(status_)) status_ = status;
  } else if (!WIFSIGNALED(status_) && WEXITSTATUS(status) > WEXITSTATUS(status_)) {
    status_ = status;
  }
}

int TaskBoard::exit_code() const {
  if (status_ == kOutOfMemoryStatus) return 1;
  if (WIFSIGNALED(status_)) return 128 + WTERMSIG(status_);
  const int code = WEXITSTATUS(status_);
  return code == 0 && any_failed_ ? 1 : code;
}

void TaskBoard::tell() {
  // By node and status, in the order in which the first of each came.
  std::vector<std::pair<std::pair<uint32_t, int>, std::vector<uint32_t>>> groups;
  for (uint32_t task : untold_) {
    const std::pair key(face_.task_node[task], tasks_[task].status);
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& group) { return group.first == key; });
    if (found == groups.end()) found = groups.insert(groups.end(), {key, {}});
    found->second.push_back(task);
  }
  untold_.clear();
  for (auto& [key, tasks] : groups) {
    std::sort(tasks.begin(), tasks.end());
    if (wording_ == Wording::kSingly) {
      tell_each(key.second, tasks);
    } else {
      tell_group(key.first, key.second, tasks);
    }
  }
}

void TaskBoard::tell_each(int status, const std::vector<uint32_t>& tasks) const {
  report_.verbose(fmt::format("{} tasks finished (rc={})", tasks.size(), status));
  for (uint32_t task : tasks) {
    if (WIFSIGNALED(status)) {
      report_.verbose(fmt::format("task {} killed by signal {}", task, WTERMSIG(status)));
    } else if (status != 0) {
      report_.error(fmt::format("task {} exited with exit code {}", task, WEXITSTATUS(status)));
    }
  }
}

void TaskBoard::tell_group(uint32_t node, int status, const std::vector<uint32_t>& tasks) {
  report_.verbose(
      fmt::format("launch/slurm: _task_finish: Received task exit notification for {} task{} of {} "
                  "(status=0x{:04x}).",
                  tasks.size(), tasks.size() == 1 ? "" : "s", face_.id(),
                  status == kOutOfMemoryStatus ? status | kMarked : status));
  const std::string& name = node < face_.nodes.size() ? face_.nodes[node] : "";
  const std::string who = fmt::format("{}: {}: ", name, tasks_text(tasks));
  if (status == 0) {
    report_.verbose("launch/slurm: _task_finish: " + who + "Completed");
    return;
  }
  if (status == kOutOfMemoryStatus && std::exchange(told_of_memory_, true)) return;
  if (reduced_) {
    if (std::find(told_.begin(), told_.end(), status) != told_.end()) return;
    told_.push_back(status);
  }
  std::string what;
  if (!WIFSIGNALED(status)) {
    what = fmt::format("Exited with exit code {}", WEXITSTATUS(status));
  } else if (status == kOutOfMemoryStatus) {
    what = "Out Of Memory";
  } else {
    what = strsignal(WTERMSIG(status));
    if (WCOREDUMP(status)) what += " (core dumped)";
  }
  if (hushed_ && WIFSIGNALED(status)) {
    report_.verbose("launch/slurm: _task_finish: " + who + what);
  } else {
    report_.error(who + what);
  }
}

void TaskBoard::print_states() const {
  constexpr std::pair<State, const char*> kWords[] = {
      {State::kFailed, "failed to start"}, {State::kUnknown, "unknown"},
      {State::kRunning, "running"},        {State::kExitedBadly, "exited abnormally"},
      {State::kExited, "exited"},
  };
  for (const auto& [state, word] : kWords) {
    std::vector<uint32_t> in_it;
    for (uint32_t task = 0; task < tasks_.size(); ++task) {
      if (tasks_[task].state == state) in_it.push_back(task);
    }
    if (!in_it.empty()) {
      report_.info(fmt::format("{} {}: {}", face_.id(), tasks_text(in_it), word));
    }
  }
}

}  // namespace grappe
