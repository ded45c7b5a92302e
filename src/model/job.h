// A job: what was asked (the JobSpec) and what has become of it.
//
// Jobs are values: whoever looks on holds a shared_ptr<const Job>, and the engine, the only
// writer, replaces it. Times are seconds since the epoch, 0 meaning "not yet".
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/array_spec.h"
#include "base/dependency.h"
#include "grappe/v1/spec.pb.h"
#include "grappe/v1/usage.pb.h"
#include "model/job_state.h"
#include "model/lifted.h"
#include "model/reason.h"

namespace grappe {

struct GresAllocation {
  std::string name;               // "gpu"
  std::string type;               // may be empty
  std::vector<uint32_t> indexes;  // on its node
};

// A job's share of one node.
struct NodeAllocation {
  uint32_t node = 0;  // index of the node in the cluster
  std::string name;
  std::vector<uint32_t> cpus;  // numbers on the node
  uint64_t memory_mb = 0;
  uint32_t tasks = 0;
  std::vector<GresAllocation> gres;
};

enum class Hold : uint8_t { kNone, kUser, kAdmin };

// The resources of a job with the defaults of partition and cluster filled in.
struct Settled {
  uint32_t min_nodes = 1, max_nodes = 1;
  uint32_t tasks = 1;
  uint32_t cpus_per_task = 1;
  uint32_t min_cpus_per_node = 1;
  uint32_t cpus = 1;            // asked for in all
  uint64_t mem_per_cpu_mb = 0;  // one of the two, or neither
  uint64_t mem_per_node_mb = 0;
  uint32_t time_limit = 0;        // minutes; 0xffffffff: unlimited
  bool whole_nodes = false;       // --exclusive, or the partition's rule
  std::optional<double> billing;  // each second, by weights of the partition; absent: its CPUs

  bool operator==(const Settled&) const = default;
};

struct Job {
  uint32_t id = 0;

  // Arrays. The record of an array that still has unstarted tasks holds them all in `waiting`;
  // a task that starts becomes a record of its own. The last one keeps the array's own id.
  uint32_t array_job_id = 0;  // 0: not an array
  std::optional<uint32_t> array_task_id;
  std::shared_ptr<const TaskSet> waiting;
  uint32_t array_max_running = 0;  // 0: no limit

  std::shared_ptr<const v1::JobSpec> spec;
  std::string script_key;  // where the store keeps the script and the environment
  std::string environment_key;
  std::string token;

  uid_t uid = 0;
  gid_t gid = 0;
  std::string user, group;
  std::string account, qos, wckey;      // in force: with the user's defaults
  uint32_t assoc_id = 0;                // 0: nobody's books
  std::vector<std::string> partitions;  // asked for, in order; one when it has started
  Settled settled;

  uint32_t state = 0;  // JobState and flags
  Reason reason = Reason::kNone;
  std::string reason_detail;
  Hold hold = Hold::kNone;
  uint32_t priority = 1;
  bool direct_priority = false;  // set by hand: stays
  int64_t site_factor = 0;       // what an operator adds to it
  Lifted lifted;
  // Not written down: of each of its partitions, where there are several; when it was worked out.
  std::vector<uint32_t> partition_priorities;
  int64_t priority_time = 0;
  DependencyList dependency;  // what is left to wait for

  int64_t submit_time = 0;
  int64_t begin_time = 0;  // may not start before
  int64_t eligible_time = 0;
  int64_t accrue_time = 0;
  int64_t start_time = 0;
  int64_t expected_start = 0;
  int64_t end_time = 0;
  int64_t suspend_time = 0;
  int64_t pre_suspend_s = 0;  // run time before the last suspension
  int64_t suspended_s = 0;    // in all
  int64_t last_sched_eval = 0;
  int64_t killed_time = 0;   // SIGTERM was sent: SIGKILL follows after KillWait
  bool warned = false;       // --signal was sent
  int64_t preempt_time = 0;  // it has been told to make room for another; 0: no

  std::vector<NodeAllocation> allocation;
  std::string nodes;              // hostlist of it
  std::optional<double> billing;  // of the allocation, as Settled::billing
  std::vector<std::string> expected_nodes;
  bool backfilled = false;
  uint32_t next_step = 0;
  uint32_t restarts = 0;
  bool requeue_after = false;  // when it has ended, back to the queue
  std::string boot_id;         // of the machine, when it started

  int32_t exit_code = 0;          // as wait(2) gives it
  int32_t derived_exit_code = 0;  // the highest of its steps
  uint32_t ended_by = 0;          // uid of who cancelled it
  std::string system_comment;

  JobState base() const { return base_state(state); }
  bool pending() const { return base() == JobState::kPending && !(state & kStateCompleting); }
  bool running() const { return base() == JobState::kRunning; }
  // Of the allocation that ended jobs keep for history, only these still have the use.
  bool holds_resources() const {
    return !allocation.empty() &&
           (running() || base() == JobState::kSuspended || (state & kStateCompleting) != 0);
  }
  bool finished() const { return is_finished(base()); }
  bool is_array_record() const { return waiting != nullptr; }
};

using JobPtr = std::shared_ptr<const Job>;

// A step: tasks started together inside an allocation.
struct Step {
  uint32_t job_id = 0;
  uint32_t step_id = 0;  // or exec's kBatchStep ...
  uint32_t restart = 0;
  std::string name;
  std::shared_ptr<const v1::StepSpec> spec;  // null for the batch step
  uint32_t state = 1;
  int64_t start_time = 0, end_time = 0;
  std::vector<NodeAllocation> allocation;  // its part of the job's
  std::string nodes;
  uint32_t tasks = 1;
  std::vector<uint32_t> task_node;  // for each task, index in `allocation`
  uint32_t time_limit = 0xffffffff;
  int32_t exit_code = 0;
  bool launched = false;  // the executor confirmed it
  bool overlap = false;
  int limit_signal = 0;  // sent because it has reached its own limit; 0: none
  uint32_t srun_pid = 0;
  std::string srun_host;
  std::vector<std::pair<uint32_t, pid_t>> pids;
  std::string failure;
  uint64_t user_us = 0, system_us = 0;
  uint64_t max_rss = 0;                       // bytes, most of all its tasks together
  std::shared_ptr<const v1::StepUse> use;     // null: nothing was measured
  std::shared_ptr<const std::string> series;  // of a UseSeries; null: none, or not read
};

using StepPtr = std::shared_ptr<const Step>;

}  // namespace grappe
