#include "exec/cgroup/cgroups.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <set>

#include "exec/cgroup/device_filter.h"
#include "exec/os/files.h"
#include "exec/shepherd/process_tree.h"
#include "exec/step_name.h"

namespace grappe::exec {
namespace {

std::string job_name(uint32_t job_id) {
  return fmt::format("/job_{}", job_id);
}
std::string step_dir_name(StepKey key) {
  return fmt::format("/job_{}/step_{}", key.job_id, step_label(key.step_id));
}

// Never one that was there before: the kernel kills what is born into a cgroup that was killed.
Status make_fresh_dir(const std::string& path) {
  if (mkdir(path.c_str(), 0755) == 0) return {};
  if (errno == EEXIST && rmdir(path.c_str()) == 0 && mkdir(path.c_str(), 0755) == 0) return {};
  return fail_errno("make " + path, errno);
}

Status make_dir(const std::string& path) {
  if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return fail_errno("make " + path, errno);
  return {};
}

// "0-3,6"
std::string cpu_list(const std::vector<uint32_t>& cpus) {
  std::set<uint32_t> sorted(cpus.begin(), cpus.end());
  std::string text;
  for (auto it = sorted.begin(); it != sorted.end();) {
    const uint32_t first = *it;
    uint32_t last = first;
    while (++it != sorted.end() && *it == last + 1) ++last;
    if (!text.empty()) text += ',';
    text += first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
  }
  return text;
}

bool remove_dir(const std::string& path) {
  return rmdir(path.c_str()) == 0 || errno == ENOENT;
}

// A folder of a job and those of its steps.
bool remove_with_steps(const std::string& dir) {
  if (remove_dir(dir)) return true;
  for (const std::string& name : list_dir(dir)) {
    if (name.starts_with("step_")) remove_dir(dir + "/" + name);
  }
  return remove_dir(dir);
}

}  // namespace

Cgroups::Cgroups(const std::string& name, bool privileged)
    : roots_(make_hierarchies(name, privileged)) {
  refuses_devices_ = privileged && !roots_.v2.empty() && can_refuse_devices();
}

const std::string& Cgroups::tracking_root() const {
  return roots_.v2.empty() ? roots_.v1_freezer : roots_.v2;
}

std::vector<std::string> Cgroups::unconfined() const {
  std::vector<std::string> sentences;
  const auto add = [&](bool fine, const char* sentence) {
    if (!fine) sentences.emplace_back(sentence);
  };
  add(tracks(), "No cgroup can be made for jobs: their processes are found by descent only.");
  add(roots_.limits_memory(), "Memory limits are not enforced: no memory cgroup can be made.");
  add(roots_.limits_cpus(), "Jobs are not held to their CPUs: no cpuset cgroup can be made.");
  add(roots_.limits_processes(), "The number of processes is not limited: no pids cgroup.");
  add(refuses_devices_, "GPUs of other jobs can be opened: no device filter can be loaded.");
  return sentences;
}

Status Cgroups::create_job(uint32_t job_id, const JobConfinement& confinement) {
  if (tracks()) {
    const std::string dir = tracking_root() + job_name(job_id);
    if (auto done = make_dir(dir); !done) return done;
    if (confinement.confine_devices && refuses_devices_) {
      const auto devices = devices_to_refuse(confinement.all_devices, confinement.devices);
      if (!devices.empty()) {
        if (auto done = refuse_devices(dir, devices); !done) return done;
      }
    }
  }
  if (auto done = create_v2_limits(job_id, confinement); !done) return done;
  return create_v1_limits(job_id, confinement);
}

Status Cgroups::limit_memory(const std::string& dir, bool v2, uint64_t megabytes) {
  const std::string bytes = std::to_string(megabytes << 20);
  if (v2) {
    (void)write_file(dir + "/memory.swap.max", "0");  // absent where there is no swap
    return write_file(dir + "/memory.max", bytes);
  }
  if (auto done = write_file(dir + "/memory.limit_in_bytes", bytes); !done) return done;
  (void)write_file(dir + "/memory.memsw.limit_in_bytes", bytes);
  return {};
}

Status Cgroups::create_v2_limits(uint32_t job_id, const JobConfinement& confinement) {
  const std::string dir = roots_.v2 + job_name(job_id);
  if (roots_.v2_memory && confinement.memory_mb > 0) {
    if (auto done = limit_memory(dir, true, confinement.memory_mb); !done) return done;
    // The steps get memory cgroups too, so that each knows its own peak and its own kills.
    (void)write_file(dir + "/cgroup.subtree_control", "+memory");
  }
  if (roots_.v2_cpuset && !confinement.cpus.empty()) {
    auto done = write_file(dir + "/cpuset.cpus", cpu_list(confinement.cpus));
    if (!done) return done;
  }
  if (roots_.v2_pids && confinement.max_processes > 0) {
    return write_file(dir + "/pids.max", std::to_string(confinement.max_processes));
  }
  return {};
}

Status Cgroups::create_v1_limits(uint32_t job_id, const JobConfinement& confinement) {
  if (!roots_.v1_memory.empty() && confinement.memory_mb > 0) {
    const std::string dir = roots_.v1_memory + job_name(job_id);
    if (auto done = make_dir(dir); !done) return done;
    if (auto done = limit_memory(dir, false, confinement.memory_mb); !done) return done;
  }
  if (!roots_.v1_cpuset.empty() && !confinement.cpus.empty()) {
    const std::string dir = roots_.v1_cpuset + job_name(job_id);
    if (auto done = make_dir(dir); !done) return done;
    const std::string mems = read_file(roots_.v1_cpuset + "/cpuset.mems").value_or("0");
    if (auto done = write_file(dir + "/cpuset.mems", mems); !done) return done;
    auto done = write_file(dir + "/cpuset.cpus", cpu_list(confinement.cpus));
    if (!done) return done;
  }
  if (!roots_.v1_pids.empty() && confinement.max_processes > 0) {
    const std::string dir = roots_.v1_pids + job_name(job_id);
    if (auto done = make_dir(dir); !done) return done;
    return write_file(dir + "/pids.max", std::to_string(confinement.max_processes));
  }
  return {};
}

// Where the memory of a step is counted, if it is.
std::string Cgroups::memory_dir(StepKey key) const {
  if (roots_.v2_memory) return roots_.v2 + step_dir_name(key);
  if (key.step_id == kBatchStep) return roots_.v1_memory + job_name(key.job_id);
  return roots_.v1_memory + step_dir_name(key);
}

Result<StepCgroups> Cgroups::create_step(StepKey key, const JobConfinement& job,
                                         uint64_t step_memory_mb) {
  StepCgroups made;
  if (tracks()) {
    made.tracking_dir = tracking_root() + step_dir_name(key);
    made.tracking_is_v2 = !roots_.v2.empty();
    if (auto done = make_fresh_dir(made.tracking_dir); !done) return tl::unexpected(done.error());
    if (!made.tracking_is_v2) made.joined_dirs.push_back(made.tracking_dir);
  }
  if (roots_.v2_memory && job.memory_mb > 0) {
    if (step_memory_mb > 0) {
      auto done = limit_memory(made.tracking_dir, true, step_memory_mb);
      if (!done) return tl::unexpected(done.error());
    }
    made.oom_file = made.tracking_dir + "/memory.events";
  }
  if (!roots_.v1_memory.empty() && job.memory_mb > 0) {
    const std::string dir = memory_dir(key);
    if (key.step_id != kBatchStep) {
      if (auto done = make_fresh_dir(dir); !done) return tl::unexpected(done.error());
      if (step_memory_mb > 0) {
        auto done = limit_memory(dir, false, step_memory_mb);
        if (!done) return tl::unexpected(done.error());
      }
    }
    made.joined_dirs.push_back(dir);
    made.oom_file = dir + "/memory.oom_control";
  }
  if (!roots_.v1_cpuset.empty() && !job.cpus.empty()) {
    made.joined_dirs.push_back(roots_.v1_cpuset + job_name(key.job_id));
  }
  if (!roots_.v1_pids.empty() && job.max_processes > 0) {
    made.joined_dirs.push_back(roots_.v1_pids + job_name(key.job_id));
  }
  return made;
}

// By hand where there is no cgroup.kill: freeze, so that nothing forks away, kill, thaw. Nothing
// acts in a frozen group, so a pid that is read can't be another process's by then.
void Cgroups::kill_all_in(const std::string& dir) {
  if (write_file(dir + "/cgroup.kill", "1")) return;
  (void)write_file(dir + (roots_.v2.empty() ? "/freezer.state" : "/cgroup.freeze"),
                   roots_.v2.empty() ? "FROZEN" : "1");
  for (const std::string& name : list_dir(dir)) {
    if (!name.starts_with("step_")) continue;
    for (const pid_t pid : read_pids(dir + "/" + name + "/cgroup.procs")) kill(pid, SIGKILL);
  }
  for (const pid_t pid : read_pids(dir + "/cgroup.procs")) kill(pid, SIGKILL);
  (void)write_file(dir + (roots_.v2.empty() ? "/freezer.state" : "/cgroup.freeze"),
                   roots_.v2.empty() ? "THAWED" : "0");
}

void Cgroups::kill_step(StepKey key) {
  if (!tracks()) return;
  kill_all_in(tracking_root() + step_dir_name(key));
  // In a v1 freezer nobody dies while the job above is frozen.
  if (roots_.v2.empty()) freeze_job(key.job_id, false);
}
void Cgroups::kill_job(uint32_t job_id) {
  if (tracks()) kill_all_in(tracking_root() + job_name(job_id));
}

bool Cgroups::freeze_job(uint32_t job_id, bool frozen) {
  if (!roots_.v2.empty()) {
    const std::string file = roots_.v2 + job_name(job_id) + "/cgroup.freeze";
    return write_file(file, frozen ? "1" : "0").has_value();
  }
  if (roots_.v1_freezer.empty()) return false;
  const std::string file = roots_.v1_freezer + job_name(job_id) + "/freezer.state";
  return write_file(file, frozen ? "FROZEN" : "THAWED").has_value();
}

std::vector<pid_t> Cgroups::processes(StepKey key) const {
  return tracks() ? read_pids(tracking_root() + step_dir_name(key) + "/cgroup.procs")
                  : std::vector<pid_t>();
}

std::optional<Cgroups::CpuTime> Cgroups::cpu_time(StepKey key) const {
  if (roots_.v2.empty()) return std::nullopt;
  const auto stat = read_file(roots_.v2 + step_dir_name(key) + "/cpu.stat");
  if (!stat) return std::nullopt;
  return CpuTime{number_after(*stat, "user_usec "), number_after(*stat, "system_usec ")};
}

void Cgroups::complete(StepEnded& ended, const JobConfinement& job) const {
  if (const auto used = cpu_time(ended.key)) {
    ended.usage.user_us = used->user_us;
    ended.usage.system_us = used->system_us;
  }
  if (job.memory_mb == 0 || !roots_.limits_memory()) return;
  const std::string memory = memory_dir(ended.key);
  const auto events =
      read_file(memory + (roots_.v2_memory ? "/memory.events" : "/memory.oom_control"));
  if (events && number_after(*events, "oom_kill ") > 0) ended.out_of_memory = true;
}

void Cgroups::remove_step(StepKey key, const JobConfinement& job) {
  if (tracks()) remove_dir(tracking_root() + step_dir_name(key));
  const bool has_v1_memory = !roots_.v1_memory.empty() && job.memory_mb > 0;
  if (has_v1_memory && key.step_id != kBatchStep) remove_dir(memory_dir(key));
}

std::vector<const std::string*> Cgroups::used_roots() const {
  std::vector<const std::string*> used;
  for (const std::string* root :
       {&roots_.v2, &roots_.v1_memory, &roots_.v1_cpuset, &roots_.v1_pids, &roots_.v1_freezer}) {
    if (!root->empty()) used.push_back(root);
  }
  return used;
}

bool Cgroups::remove_job(uint32_t job_id) {
  bool gone = true;
  for (const std::string* root : used_roots()) {
    gone = remove_with_steps(*root + job_name(job_id)) && gone;
  }
  return gone;
}

std::vector<uint32_t> Cgroups::jobs() const {
  std::set<uint32_t> ids;
  for (const std::string* root : used_roots()) {
    for (const std::string& name : list_dir(*root)) {
      uint32_t id = 0;
      const char* end = name.data() + name.size();
      if (!name.starts_with("job_")) continue;
      if (std::from_chars(name.data() + 4, end, id).ptr == end) ids.insert(id);
    }
  }
  return {ids.begin(), ids.end()};
}

}  // namespace grappe::exec
