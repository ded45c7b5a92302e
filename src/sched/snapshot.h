// What the scheduler sees: the machine, what runs on it and what waits, at one instant.
//
// Plain values, filled by the engine (or by a test, or by the simulator). Nodes, partitions and
// shapes are named by their index. Times are seconds since the epoch.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/short_list.h"
#include "model/reason.h"
#include "sched/bitmap.h"
#include "sched/limits/table.h"

namespace grappe::sched {

using Time = int64_t;
inline constexpr Time kForever = std::numeric_limits<int64_t>::max() / 4;

using NodeIndex = uint32_t;
using PartitionIndex = uint32_t;

// A kind of generic resource: "gpu" of type "a100". One id per (name, type) pair.
using GresKind = uint16_t;

struct GresDevice {
  GresKind kind = 0;
  uint32_t index = 0;       // as the user sees it, from 0 on each node
  uint32_t link_group = 0;  // devices of one group talk fast to each other
  Bitmap near_cpus;         // empty: all the same
};

// Jobs of one partition that share the CPUs of a node (OverSubscribe).
struct Sharers {
  PartitionIndex partition = 0;
  std::vector<uint16_t> jobs;  // by CPU
};

struct Node {
  std::string name;  // only for the detail of a reason
  // CPU c is a thread of core c / threads_per_core; cores count socket by socket.
  uint32_t cpus = 0;
  uint32_t sockets = 1, cores_per_socket = 1, threads_per_core = 1;
  uint64_t memory_mb = 0;
  uint64_t tmp_mb = 0;
  std::vector<GresDevice> devices;
  uint32_t weight = 1;
  Bitmap features;        // bits of Snapshot::features
  bool available = true;  // up, not drained: may start jobs
  bool drained = false;   // an operator took it away (or it failed): for the reason
  // Taken at this instant. One bit per CPU and per entry of `devices`.
  Bitmap used_cpus;
  Bitmap used_devices;
  std::vector<Sharers> sharers;  // among those in used_cpus
  uint64_t used_memory_mb = 0;
  uint32_t jobs = 0;            // running on it
  bool exclusive = false;       // a running job has it for itself
  uint32_t owner = UINT32_MAX;  // user, for ExclusiveUser; UINT32_MAX: none
};

enum class Sharing : uint8_t { kShared, kExclusive, kUser, kOversubscribe };

struct Partition {
  std::string name;
  Bitmap nodes;
  bool up = true;         // may start jobs
  bool inactive = false;  // State=INACTIVE rather than DOWN: for the reason
  uint32_t priority_tier = 1;
  uint32_t priority_job_factor = 1;
  uint32_t max_nodes = UINT32_MAX;
  uint32_t min_nodes = 0;
  Time max_time = kForever;  // seconds
  uint32_t max_cpus_per_node = UINT32_MAX;
  uint64_t max_memory_mb = UINT64_MAX;  // of a job on one node
  bool least_loaded = false;            // LLN
  bool exclusive_user = false;
  bool whole_nodes = false;    // OverSubscribe=EXCLUSIVE
  uint32_t oversubscribe = 1;  // jobs per resource (OverSubscribe=FORCE:n, YES:n)
  bool oversubscribe_forced = false;
};

struct GresNeed {
  GresKind kind = 0;  // a kind without type matches every type of the name: see `any_type`
  std::string name;
  bool any_type = false;
  uint32_t count = 0;
};

// One alternative of --constraint: all these features. `count` nodes of it at the least
// ([a*2&b*1]), 0: any number.
struct FeatureSet {
  Bitmap all_of;
  uint32_t count = 0;
};

// What a job asks for, settled (defaults filled in). Jobs that ask for the same share one Shape,
// so that the scheduler tries it once.
struct Shape {
  // -N2-4 uses as many nodes of the range as it can get; max_nodes UINT32_MAX (no range given) as
  // few as the tasks and devices need.
  uint32_t min_nodes = 1, max_nodes = 1;
  uint32_t ntasks = 1;
  uint32_t ntasks_per_node = 0;  // 0: any; a maximum, or exact when `ntasks` was not given
  uint32_t ntasks_per_socket = 0, ntasks_per_core = 0;
  bool ntasks_given = false;
  uint32_t cpus_per_task = 1;
  uint32_t min_cpus_per_node = 1;
  uint32_t sockets_per_node = 0, cores_per_socket = 0, threads_per_core = 0;  // least wanted
  bool overcommit = false;
  uint64_t mem_per_cpu_mb = 0;  // one of these three, others 0
  uint64_t mem_per_node_mb = 0;
  uint64_t mem_per_gpu_mb = 0;
  bool all_memory = false;  // --mem=0
  uint64_t tmp_mb = 0;
  std::vector<GresNeed> per_node, per_job, per_task, per_socket;
  uint32_t cpus_per_gpu = 0;
  bool enforce_binding = false;
  Sharing sharing = Sharing::kShared;
  Bitmap required_nodes;  // empty: none
  Bitmap excluded_nodes;
  std::vector<FeatureSet> features;  // any of; empty: no wish
  bool same_features = false;        // [a|b]: every node by the same alternative
  // --prefer: in place of `features` where that can be had; empty: no such wish.
  std::vector<FeatureSet> preferred;
  bool same_preferred = false;
  bool contiguous = false;
  bool spread = false, use_min_nodes = false;
  // Its QoS frees it from the partition's MaxNodes, MinNodes.
  bool own_max_nodes = false, own_min_nodes = false;
};

struct LicenseNeed {
  uint32_t license = 0;
  uint32_t count = 0;
};

struct PendingJob {
  uint64_t tag = 0;  // the engine's name for it; returned in the plan
  const Shape* shape = nullptr;
  ShortList<PartitionIndex, 2> partitions;  // in the order asked
  uint32_t priority = 0;
  ShortList<uint32_t, 2> priorities;  // in each of `partitions`; empty: the same in all
  Time submit_time = 0;
  uint32_t job_id = 0;
  Time time_limit = kForever;  // seconds
  Time time_min = 0;           // may be shortened to this to start earlier; 0: no
  Time deadline = 0;           // 0: none
  Time expected_run = 0;       // by the user's history (run_history.h); 0: the limit
  uint32_t user = 0;
  uint32_t reservation = UINT32_MAX;  // index, or UINT32_MAX
  uint32_t preempt_class = 0;
  std::vector<LicenseNeed> licenses;
  uint32_t copies = 1;  // tasks of an array that may start now
  // Its limits in each of its partitions, and what it counts there at the least; none: no limits.
  ShortList<uint32_t, 2> chains;
  const TresAmounts* tres = nullptr;
  bool no_reserve = false;  // it starts when it can, but nothing is kept for it
  bool own_time = false;    // its QoS lets it run longer than its partition does
};

// A share of one node.
struct NodeShare {
  NodeIndex node = 0;
  Bitmap cpus;
  uint64_t memory_mb = 0;
  std::vector<uint32_t> devices;  // indexes into Node::devices
  uint32_t tasks = 0;
};

// What happens to a running job whose place another one takes.
enum class Eviction : uint8_t { kNever, kEnd, kSuspend };

struct RunningJob {
  uint64_t tag = 0;
  Time start = 0;
  Time end = kForever;  // by its time limit, or sooner when it is being ended
  std::vector<NodeShare> shares;
  PartitionIndex partition = 0;
  uint32_t priority = 0;
  uint32_t user = 0;
  bool exclusive = false;
  bool shares_cpus = false;  // with others of its partition
  std::vector<LicenseNeed> licenses;
  bool suspended = false;  // its CPUs are not in Node::used_cpus; memory and devices stay taken
  uint32_t reservation = UINT32_MAX;  // index, or UINT32_MAX
  uint32_t preempt_class = 0;
  Eviction eviction = Eviction::kNever;
  Time grace = 0;         // seconds from being told to being gone
  Time exempt_until = 0;  // not evicted before
  bool leaving = false;   // it is being ended already
  // For running it into the future: where and with how much it counts against limits, and whether
  // its user has its nodes for himself.
  uint32_t chain = UINT32_MAX;  // none
  const TresAmounts* tres = nullptr;
  bool alone = false;
};

// Who may take the place of whom. A class is a QoS.
struct PreemptRules {
  enum class By : uint8_t { kNobody, kTier, kClass };
  By by = By::kNobody;
  std::vector<Bitmap> may_evict;  // by class: the classes it may evict
  Bitmap within;                  // classes whose jobs evict each other, by priority
  bool youngest_first = false;    // not the lowest priority
};

struct Reservation {
  std::string name;
  Time start = 0, end = kForever;
  Bitmap nodes;                         // whole nodes, unless `cpus` says how many of each
  std::vector<uint32_t> cpus_per_node;  // parallel to the set bits of `nodes`; empty: whole
  bool maintenance = false;
  bool flexible = false;  // FLEX: jobs may use nodes outside too
  std::vector<LicenseNeed> licenses;
};

struct License {
  std::string name;
  uint32_t total = 0;
  uint32_t used = 0;
};

struct Snapshot {
  Time now = 0;
  std::vector<Node> nodes;
  std::vector<Partition> partitions;
  std::vector<PendingJob> pending;  // in any order
  std::vector<RunningJob> running;
  std::vector<Reservation> reservations;
  std::vector<License> licenses;
  std::shared_ptr<const LimitTable> limits;  // null: none are enforced
  PreemptRules preempt;
  uint32_t features = 0;                // how many feature bits there are
  std::vector<std::string> gres_names;  // by GresKind: "gpu" for each of its types
};

}  // namespace grappe::sched
