#include "exec/shepherd/step_setup.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <set>

#include "exec/shepherd/process_tree.h"

namespace grappe::exec {
namespace {

// fork, into `cgroup` if that is a descriptor of a v2 folder.
pid_t fork_into(int cgroup) {
  if (cgroup < 0) return fork();
#ifdef __SANITIZE_THREAD__
  // That sanitizer has a thread of its own, for which libc would wait in a child that it has not
  // made.
  const pid_t pid = fork();
  if (pid != 0) return pid;
  const UniqueFd members(openat(cgroup, "cgroup.procs", O_WRONLY | O_CLOEXEC));
  if (!members || write(members.get(), "0", 1) != 1) _exit(126);
  return 0;
#else
  clone_args arguments{};
  arguments.flags = CLONE_INTO_CGROUP;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<uint64_t>(cgroup);
  return static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
#endif
}

// Output files that more than one task names.
std::set<std::string> shared_files(const StepLaunch& launch) {
  std::set<std::string> seen, shared;
  for (const TaskLaunch& task : launch.tasks) {
    for (const std::string& path : std::set{task.std_out, task.std_err}) {
      if (!path.empty() && !seen.insert(path).second) shared.insert(path);
    }
  }
  return shared;
}

}  // namespace

UniqueFd open_outside(int root, const std::string& path, int flags) {
  constexpr mode_t kMode = 0666;
  if (root < 0) return UniqueFd(::open(path.c_str(), flags | O_CLOEXEC, kMode));
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_CLOEXEC);
  how.mode = (flags & O_CREAT) != 0 ? kMode : 0;
  how.resolve = RESOLVE_IN_ROOT;
  return UniqueFd(static_cast<int>(syscall(SYS_openat2, root, path.c_str(), &how, sizeof how)));
}

Status enter_private_mounts(const std::vector<BindMount>& mounts) {
  if (unshare(CLONE_NEWNS) != 0) return fail_errno("make a mount namespace", errno);
  if (mount("", "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0) {
    return fail_errno("detach the mount namespace", errno);
  }
  for (const BindMount& bind : mounts) {
    if (mount(bind.source.c_str(), bind.target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) {
      return fail_errno(fmt::format("mount {} on {}", bind.source, bind.target), errno);
    }
  }
  return {};
}

bool may_have_private_mounts() {
  const pid_t pid = fork();
  if (pid == 0) _exit(enter_private_mounts({{"/tmp", "/tmp"}}) ? 0 : 1);
  int status = 1;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return pid > 0 && status == 0;
}

Status TaskSet::open_cgroups(const StepCgroups& cgroups) {
  if (cgroups.tracking_is_v2) {
    tracking_.reset(::open(cgroups.tracking_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!tracking_) return fail_errno("open " + cgroups.tracking_dir, errno);
  }
  for (const std::string& dir : cgroups.joined_dirs) {
    // Not cgroup.procs: for a whole process the kernel stops every fork and exit of the machine and
    // waits for all CPUs, milliseconds in which no other step can start. Our child has one thread.
    joins_.emplace_back(::open((dir + "/tasks").c_str(), O_WRONLY | O_CLOEXEC));
    if (!joins_.back()) return fail_errno("open " + dir, errno);
    join_numbers_.push_back(joins_.back().get());
  }
  return {};
}

void TaskSet::close_cgroups() {
  joins_.clear();
  join_numbers_.clear();
  tracking_.reset();
}

Result<TaskSet::Helper> TaskSet::make_helper(const ShepherdStart& start, const Identity* identity,
                                             std::vector<std::string> words) {
  Pipe input = make_pipe(), output = make_pipe();
  if (!input.read_end || !output.read_end) return fail_errno("make a pipe", errno);
  const pid_t pid = fork_into(tracking_.get());
  if (pid < 0) return fail_errno("fork " + words[0], errno);
  if (pid == 0) {
    if (!join_step(join_numbers_)) _exit(126);
    dup2(input.read_end.get(), 0);
    dup2(output.write_end.get(), 1);
    close_all_but({});
    give_signals_back();
    if (identity != nullptr && !become(*identity)) _exit(126);
    auto environment = merge_environment(start.launch.environment, "");
    execve(words[0].c_str(), as_argv(words).data(), as_argv(environment).data());
    _exit(127);
  }
  return Helper{pid, std::move(input.write_end), std::move(output.read_end)};
}

Status TaskSet::fork_task(const TaskStart& task) {
  const pid_t pid = fork_into(tracking_.get());
  if (pid < 0) return fail_errno("fork a task", errno);
  if (pid == 0) run_task(task);
  places_[pid] = entries_.size();
  entries_.push_back({task.task.rank, pid, open_io_of(pid)});
  return {};
}

Status TaskSet::make(const ShepherdStart& start, const Identity* identity, const TaskIo& io,
                     const PmiServer* pmi, int outside_root) {
  const StepLaunch& launch = start.launch;
  go_ = make_pipe();
  failures_ = make_pipe();
  if (!go_.write_end || !failures_.write_end) return fail_errno("make a pipe", errno);
  const std::set<std::string> shared = shared_files(launch);
  std::set<uint32_t> nodes;
  for (size_t i = 0; i < launch.tasks.size(); ++i) {
    const TaskLaunch& task = launch.tasks[i];
    TaskStart one{launch, task};
    one.identity = identity;
    one.join_cgroups = join_numbers_;
    one.streams = io.child_streams(i);
    one.go = go_.read_end.get();
    one.failures = failures_.write_end.get();
    one.open_files_limit = start.open_files_limit;
    one.script_path = start.script_path;
    one.first_on_node = nodes.insert(task.node_index).second;
    one.shared_files = &shared;
    one.outside_root = outside_root;
    if (pmi != nullptr) {
      one.pmi = pmi->task_ends()[i];
      one.extra_environment = pmi->environment_of(i);
    }
    if (!start.marker.empty()) one.extra_environment.push_back(start.marker);
    if (!start.pmix_dir.empty()) {
      one.environment_file = fmt::format("{}/env.{}", start.pmix_dir, task.rank);
    }
    if (auto done = fork_task(one); !done) return done;
  }
  go_.read_end.reset();
  failures_.write_end.reset();
  return {};
}

void TaskSet::go(const StepLaunch& launch, int outside_root) {
  if (launch.open_mode == OpenMode::kTruncate) {
    for (const std::string& path : shared_files(launch)) {
      // A failure shows again, and is told, when the tasks open the file.
      const UniqueFd fd =
          open_outside(outside_root, path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK);
    }
  }
  const std::string word(entries_.size(), 'g');
  [[maybe_unused]] const ssize_t n = write(go_.write_end.get(), word.data(), word.size());
}

const TaskSet::Entry* TaskSet::find(pid_t pid) const {
  const auto place = places_.find(pid);
  return place == places_.end() ? nullptr : &entries_[place->second];
}

TaskSet::Entry* TaskSet::note_end(pid_t pid, int status) {
  const auto place = places_.find(pid);
  if (place == places_.end()) return nullptr;
  Entry& entry = entries_[place->second];
  entry.ended = true;
  entry.status = status;
  ++ended_;
  return &entry;
}

TaskPids TaskSet::running() const {
  TaskPids pids;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].ended) pids.emplace_back(i, entries_[i].pid);
  }
  return pids;
}

void TaskSet::note_memory(const TaskUse& seen) {
  TaskUse& use = entries_.at(seen.rank).use;
  use.rss_bytes = std::max(use.rss_bytes, seen.rss_bytes);
  use.vsize_bytes = std::max(use.vsize_bytes, seen.vsize_bytes);
}

}  // namespace grappe::exec
