// The cgroups of jobs and steps: NAME/job_12/step_batch in each hierarchy that is needed.
//
// Only what a job asks for is made: every step has a v2 folder (keeping track, killing, CPU
// time), but folders for limits exist only where there is a limit. In a v1 memory hierarchy the
// batch step lives in the job's own folder, so that an ordinary job costs one folder there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/cgroup/hierarchies.h"
#include "exec/protocol.h"
#include "exec/shepherd/shepherd.h"

namespace grappe::exec {

class Cgroups {
 public:
  Cgroups(const std::string& name, bool privileged);

  // What can't be confined here, in sentences.
  std::vector<std::string> unconfined() const;
  // Whether a step's processes can be told from others without asking them.
  bool tracks() const { return !tracking_root().empty(); }

  // With the limits and the device filter in force. What this machine can't do at all is left
  // out (see unconfined()); what should work and fails is an error.
  Status create_job(uint32_t job_id, const JobConfinement& confinement);
  Result<StepCgroups> create_step(StepKey key, const JobConfinement& job, uint64_t step_memory_mb);

  void kill_step(StepKey key);
  void kill_job(uint32_t job_id);
  // False: there is nothing to freeze with.
  bool freeze_job(uint32_t job_id, bool frozen);

  // What is in a step now, and the time that all that ever was in it has used. Empty where no
  // cgroup tells.
  struct CpuTime {
    uint64_t user_us, system_us;
  };
  std::vector<pid_t> processes(StepKey key) const;
  std::optional<CpuTime> cpu_time(StepKey key) const;

  // Adds what the cgroup knows to what the shepherd measured, and whether the kernel killed for
  // want of memory.
  void complete(StepEnded& ended, const JobConfinement& job) const;

  // Folders that are still busy stay and are removed with the job; false if that one stays too.
  void remove_step(StepKey key, const JobConfinement& job);
  bool remove_job(uint32_t job_id);
  std::vector<uint32_t> jobs() const;  // that have a folder
  void remove_root() { remove_hierarchies(roots_); }

 private:
  const std::string& tracking_root() const;
  Status limit_memory(const std::string& dir, bool v2, uint64_t megabytes);
  Status create_v1_limits(uint32_t job_id, const JobConfinement& confinement);
  Status create_v2_limits(uint32_t job_id, const JobConfinement& confinement);
  std::string memory_dir(StepKey key) const;
  std::vector<const std::string*> used_roots() const;
  void kill_all_in(const std::string& dir);

  Hierarchies roots_;
  bool refuses_devices_ = false;
};

}  // namespace grappe::exec
