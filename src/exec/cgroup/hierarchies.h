// Which cgroup hierarchies this machine has, and which of them we may use.
//
// A modern host has one (v2) with every controller; a "hybrid" one has a v2 hierarchy without
// controllers beside one v1 hierarchy per controller. Both are served: v2 for keeping track of
// processes, each limit wherever its controller is.
#pragma once

#include <string>
#include <vector>

namespace grappe::exec {

struct Hierarchies {
  // Our own folder in each hierarchy; empty: not there, or not ours to write to.
  std::string v2;
  std::string v1_memory, v1_cpuset, v1_pids, v1_freezer;
  // Controllers that folders below `v2` have.
  bool v2_memory = false, v2_cpuset = false, v2_pids = false;

  bool limits_memory() const { return v2_memory || !v1_memory.empty(); }
  bool limits_cpus() const { return v2_cpuset || !v1_cpuset.empty(); }
  bool limits_processes() const { return v2_pids || !v1_pids.empty(); }
};

struct CgroupMounts {
  std::string v2;
  std::string memory, cpuset, pids, freezer;  // v1
};

// From the text of /proc/self/mountinfo.
CgroupMounts parse_mountinfo(const std::string& text);

// Makes our folder `name` in every hierarchy that lets us, and switches on the controllers. As
// root that is below the root of the hierarchy, otherwise below our own cgroup (a delegated one).
Hierarchies make_hierarchies(const std::string& name, bool privileged);

// Removes those folders again; they stay where jobs are left.
void remove_hierarchies(const Hierarchies& hierarchies);

}  // namespace grappe::exec
