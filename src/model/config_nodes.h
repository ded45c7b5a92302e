// The nodes, partitions and generic resources of slurm.conf and gres.conf, as written.
//
// One struct is one line of the file after its DEFAULT line was applied: names are still host
// list expressions ("node[1-4]") and sizes may be absent. daemon/config/load.h turns them into
// the nodes of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/duration.h"

namespace grappe {

// What a file may say of a node's state; the rest (IDLE, ALLOCATED, ...) is observed.
enum class ConfiguredNodeState { kUnknown, kDown, kDrain, kFail, kFailing, kFuture };

enum class PartitionState { kUp, kDown, kDrain, kInactive };

enum class CpuBindDefault { kUnset, kNone, kSocket, kLdom, kCore, kThread };

// A NodeName= line: a slice of the machine, or several alike.
struct NodeConfig {
  std::string names;     // host list expression
  std::string hostname;  // NodeHostname; empty: the same as `names`
  std::string address;   // NodeAddr; empty: the same as `hostname`
  std::string port;      // a number or a range; shown, never opened

  // Absent sizes are derived from the others, as Slurm does (complete_topology() in
  // model/config_node_lines.h).
  std::optional<std::uint32_t> cpus;
  std::optional<std::uint32_t> boards;
  std::optional<std::uint32_t> sockets;  // of the whole node unless `boards` is given
  std::optional<std::uint32_t> sockets_per_board;
  std::optional<std::uint32_t> cores_per_socket;
  std::optional<std::uint32_t> threads_per_core;
  std::optional<std::uint64_t> real_memory_mb;
  std::optional<std::uint64_t> tmp_disk_mb;

  std::string gres;                   // "gpu:a100:4,bandwidth:lustre:no_consume:4G"
  std::vector<std::string> features;  // in the order written
  std::uint32_t weight = 1;
  ConfiguredNodeState state = ConfiguredNodeState::kUnknown;
  std::string reason;

  std::uint32_t core_spec_count = 0;
  std::string cpu_spec_list;  // abstract CPU numbers kept from jobs, "0,2-3"
  std::uint64_t mem_spec_limit_mb = 0;
  CpuBindDefault cpu_bind = CpuBindDefault::kUnset;

  int line = 0;  // where it was written, for later messages
};

// The processors of one node, every count known.
struct NodeTopology {
  std::uint32_t boards = 1;
  std::uint32_t sockets = 1;  // of the whole node
  std::uint32_t cores_per_socket = 1;
  std::uint32_t threads_per_core = 1;
  std::uint32_t cpus = 1;

  bool operator==(const NodeTopology&) const = default;
};

// A DownNodes= line.
struct DownNodesConfig {
  std::string names;
  ConfiguredNodeState state = ConfiguredNodeState::kDown;
  std::string reason;
};

// A NodeSet= line: a name that Nodes= of a partition may use.
struct NodeSetConfig {
  std::string name;
  std::string nodes;    // host list expression, may be empty
  std::string feature;  // every node with it belongs to the set, may be empty
};

// Which part of a node a job gets to itself, and which of several ways tasks are laid out.
enum class ConsumableUnit { kNone, kCpu, kCore, kSocket };
struct SelectParameters {
  ConsumableUnit unit = ConsumableUnit::kCore;
  bool memory = true;
  bool one_task_per_core = false;
  bool core_default_dist_block = false;
  bool least_loaded_nodes = false;
  bool pack_nodes = false;

  bool operator==(const SelectParameters&) const = default;
};

enum class PreemptAction { kOff, kCancel, kRequeue, kSuspend };
struct PreemptMode {
  PreemptAction action = PreemptAction::kOff;
  bool gang = false;
  bool within = false;

  bool operator==(const PreemptMode&) const = default;
};

// Default and greatest memory of a job, in MB. At most one of each kind is set; nothing set: no
// limit, which Slurm writes UNLIMITED. 0 is also UNLIMITED in the file and never stored.
struct MemoryRules {
  std::optional<std::uint64_t> default_per_cpu_mb;
  std::optional<std::uint64_t> default_per_node_mb;
  std::optional<std::uint64_t> max_per_cpu_mb;
  std::optional<std::uint64_t> max_per_node_mb;
  // JobDefaults: independent of the two above.
  std::optional<std::uint64_t> default_per_gpu_mb;
  std::optional<std::uint64_t> default_cpus_per_gpu;

  bool operator==(const MemoryRules&) const = default;
};

enum class OverSubscribe { kNo, kYes, kForce, kExclusive };

struct TresWeight {
  std::string tres;   // "cpu", "mem", "gres/gpu", "gres/gpu:a100", "license/x"
  double weight = 0;  // per base unit (MB for memory): "mem=0.25G" is 0.25/1024

  bool operator==(const TresWeight&) const = default;
};

// A PartitionName= line. An empty list of Allow* means everybody.
struct PartitionConfig {
  std::string name;
  std::string nodes;        // host list expression, node sets and ALL included
  std::string alloc_nodes;  // host list expression; empty: submit from anywhere
  std::vector<std::string> allow_accounts;
  std::vector<std::string> allow_groups;
  std::vector<std::string> allow_qos;
  std::vector<std::string> deny_accounts;
  std::vector<std::string> deny_qos;
  std::string alternate;
  std::string qos;
  PartitionState state = PartitionState::kUp;

  bool is_default = false;
  bool hidden = false;
  bool root_only = false;
  bool req_resv = false;
  bool exclusive_user = false;
  bool least_loaded_nodes = false;
  std::optional<bool> disable_root_jobs;  // absent: the cluster's

  std::optional<std::uint32_t> default_time_min;  // absent: max_time_min
  std::uint32_t max_time_min = kInfinite;
  std::optional<std::uint32_t> over_time_limit_min;  // absent: the cluster's; may be kInfinite
  std::uint32_t grace_time_s = 0;
  std::uint32_t min_nodes = 0;
  std::uint32_t max_nodes = kInfinite;
  std::uint32_t max_cpus_per_node = kInfinite;
  MemoryRules memory;  // what is absent here is the cluster's

  OverSubscribe over_subscribe = OverSubscribe::kNo;
  std::uint32_t max_share =
      1;  // jobs per resource: YES:4 and FORCE:4 give 4, YES and FORCE alone 4
  CpuBindDefault cpu_bind = CpuBindDefault::kUnset;
  std::optional<SelectParameters> select;  // absent: the cluster's
  std::optional<PreemptMode> preempt_mode;
  std::uint32_t priority_job_factor = 1;
  std::uint32_t priority_tier = 1;
  std::string tres_billing_weights_text;  // as written: shown as such
  std::vector<TresWeight> tres_billing_weights;

  int line = 0;
};

// A line of gres.conf.
struct GresConfig {
  std::string node_names;  // host list expression; empty: every node
  std::string name;        // "gpu"; empty on a line with AutoDetect alone
  std::string type;
  std::vector<std::string> files;  // expanded: "/dev/nvidia[0-3]" gives four
  std::optional<std::uint64_t> count;
  std::string cores;               // "0-15,32-47"; empty: any
  std::vector<int> links;          // -1 at the device itself
  std::vector<std::string> flags;  // lower case: "countonly", "nvidia_gpu_env", ...
  std::string auto_detect;         // "nvml", "rsmi", "oneapi", "off"; empty: not said here

  int line = 0;
};

}  // namespace grappe
