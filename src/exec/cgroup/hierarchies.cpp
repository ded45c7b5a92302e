#include "exec/cgroup/hierarchies.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <sstream>

#include "base/unique_fd.h"
#include "exec/os/files.h"

namespace grappe::exec {
namespace {

bool has_word(const std::string& text, const std::string& word) {
  std::istringstream words(text);
  for (std::string one; words >> one;) {
    if (one == word) return true;
  }
  return false;
}

bool has_option(const std::string& options, const std::string& name) {
  return ("," + options + ",").find("," + name + ",") != std::string::npos;
}

// "0::/user.slice/..." in /proc/self/cgroup: where we are in the v2 hierarchy.
std::string own_v2_path() {
  std::istringstream lines(read_file("/proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0::")) return line.substr(3) == "/" ? "" : line.substr(3);
  }
  return "";
}

// Our folder below `parent`; empty if it can't be made or written to.
std::string make_root(const std::string& parent, const std::string& name) {
  if (parent.empty()) return "";
  const std::string path = parent + "/" + name;
  if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return "";
  if (access((path + "/cgroup.procs").c_str(), W_OK) != 0) return "";
  return path;
}

bool can_fork_into(const std::string& dir) {
  const UniqueFd fd(open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return false;
  clone_args arguments{};
  arguments.flags = CLONE_INTO_CGROUP;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<uint64_t>(fd.get());
  const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
  if (pid == 0) _exit(0);
  if (pid < 0) return false;
  waitpid(pid, nullptr, 0);
  return true;
}

// Whether processes can be born into folders of `root`: in a delegated cgroup that depends on
// where we are.
bool can_fork_below(const std::string& root) {
  const std::string dir = root + "/probe";
  if (mkdir(dir.c_str(), 0755) != 0 && errno != EEXIST) return false;
  const bool can = can_fork_into(dir);
  rmdir(dir.c_str());
  return can;
}

// Lets folders below `dir` have `controller`, if `dir` and its parent can give it.
bool enable(const std::string& parent, const std::string& dir, const std::string& controller) {
  if (!has_word(read_file(parent + "/cgroup.controllers").value_or(""), controller)) return false;
  (void)write_file(parent + "/cgroup.subtree_control", "+" + controller);
  (void)write_file(dir + "/cgroup.subtree_control", "+" + controller);
  return has_word(read_file(dir + "/cgroup.subtree_control").value_or(""), controller);
}

// A v1 cpuset is empty until told otherwise, and then no process may enter it.
bool fill_cpuset(const std::string& parent, const std::string& dir) {
  for (const char* file : {"/cpuset.cpus", "/cpuset.mems"}) {
    const std::string inherited = read_file(parent + file).value_or("");
    if (inherited.empty() || !write_file(dir + file, inherited)) return false;
  }
  return true;
}

}  // namespace

CgroupMounts parse_mountinfo(const std::string& text) {
  // 36 35 98:0 /root /mount/point options ... - type source super-options
  CgroupMounts mounts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string skip, point, word, type, source, options;
    fields >> skip >> skip >> skip >> skip >> point;
    while (fields >> word && word != "-") {
    }
    fields >> type >> source >> options;
    if (type == "cgroup2" && mounts.v2.empty()) mounts.v2 = point;
    if (type != "cgroup") continue;
    const std::pair<const char*, std::string*> controllers[] = {{"memory", &mounts.memory},
                                                                {"cpuset", &mounts.cpuset},
                                                                {"pids", &mounts.pids},
                                                                {"freezer", &mounts.freezer}};
    for (const auto& [name, place] : controllers) {
      if (has_option(options, name)) *place = point;
    }
  }
  return mounts;
}

Hierarchies make_hierarchies(const std::string& name, bool privileged) {
  const CgroupMounts mounts = parse_mountinfo(read_file("/proc/self/mountinfo").value_or(""));
  Hierarchies made;
  const std::string v2_parent =
      mounts.v2.empty() || privileged ? mounts.v2 : mounts.v2 + own_v2_path();
  made.v2 = make_root(v2_parent, name);
  if (!made.v2.empty() && !can_fork_below(made.v2)) {
    rmdir(made.v2.c_str());
    made.v2.clear();
  }
  if (!made.v2.empty()) {
    made.v2_memory = enable(v2_parent, made.v2, "memory");
    made.v2_cpuset = enable(v2_parent, made.v2, "cpuset");
    made.v2_pids = enable(v2_parent, made.v2, "pids");
  }
  if (!privileged) return made;  // nobody delegates a v1 hierarchy
  if (!made.v2_memory) made.v1_memory = make_root(mounts.memory, name);
  if (!made.v2_pids) made.v1_pids = make_root(mounts.pids, name);
  if (!made.v2_cpuset) made.v1_cpuset = make_root(mounts.cpuset, name);
  if (!made.v1_cpuset.empty() && !fill_cpuset(mounts.cpuset, made.v1_cpuset)) {
    made.v1_cpuset.clear();
  }
  if (made.v2.empty()) made.v1_freezer = make_root(mounts.freezer, name);
  return made;
}

void remove_hierarchies(const Hierarchies& hierarchies) {
  for (const std::string* dir : {&hierarchies.v2, &hierarchies.v1_memory, &hierarchies.v1_cpuset,
                                 &hierarchies.v1_pids, &hierarchies.v1_freezer}) {
    if (!dir->empty()) rmdir(dir->c_str());
  }
}

}  // namespace grappe::exec
