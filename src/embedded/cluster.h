// The machine as the engine keeps it: nodes, partitions, licences, reservations, and who uses
// what of them now.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/config_cluster.h"
#include "sched/snapshot.h"

namespace grappe::embedded {

// One countable device of a node.
struct MachineDevice {
  std::string name = "gpu";
  std::string type;                 // may be empty
  uint32_t index = 0;               // as users see it, from 0 on each node
  std::string path;                 // /dev/nvidia0; empty: pretended
  std::vector<uint32_t> near_cpus;  // CPU numbers of the node; empty: any
  uint32_t link_group = 0;
  GpuEnvironment environment;
};

struct MachineNode {
  std::string name, hostname, address;
  std::string port;
  NodeTopology topology;
  uint64_t memory_mb = 1;
  uint64_t tmp_mb = 0;
  std::vector<MachineDevice> devices;
  std::string gres;  // as configured or found: "gpu:a100:4"
  std::vector<std::string> features;
  // Those of them that it has now; none: all.
  std::optional<std::vector<std::string>> chosen_features;
  const std::vector<std::string>& active_features() const {
    return chosen_features ? *chosen_features : features;
  }
  uint32_t weight = 1;
  // The kernel's CPUs behind each CPU of the node; empty: not pinned.
  std::vector<std::vector<uint32_t>> real_cpus;
  uint64_t mem_spec_mb = 0;
  std::vector<uint32_t> spec_cpus;  // kept from jobs
  CpuBindDefault cpu_bind = CpuBindDefault::kUnset;
  bool invalid = false;  // the machine has less than the file says
};

struct ClusterNode {
  MachineNode machine;
  uint32_t flags = 0;  // kNodeDrain, kNodeFailing ... of model/node_state.h
  bool down = false;
  std::string reason;
  uid_t reason_uid = 0;
  std::string reason_user;
  int64_t reason_time = 0;
  std::string comment, extra;
  int64_t last_busy = 0;

  // In use now.
  sched::Bitmap used_cpus, used_devices;
  std::vector<uint16_t> cpu_jobs;  // by CPU: more than one where jobs share (OverSubscribe)
  uint64_t used_memory_mb = 0;
  uint32_t jobs = 0;
  uint32_t completing = 0;  // jobs whose end is being cleaned up
  bool exclusive = false;
  uint32_t owner = UINT32_MAX;

  // Base state (idle, mixed, allocated, down) with the flags.
  uint32_t state() const;
  bool may_start_jobs() const;
};

struct ClusterPartition {
  PartitionConfig config;
  std::vector<uint32_t> nodes;  // indexes, in order
  std::string node_list;        // hostlist
  uint32_t total_cpus = 0;
};

struct ClusterLicense {
  std::string name;
  uint32_t total = 0, used = 0, reserved = 0;
  bool remote = false;  // of a server that sacctmgr knows
};

// Nodes and licences that are kept for some in a window of time.
struct ClusterReservation {
  uint32_t id = 0;  // counts up: in automatic names, and the order of lists
  std::string name;
  int64_t start = 0, end = 0;  // of a repeating one: the window that is or comes next
  int64_t duration_s = 0;      // when it was set as such: a new start moves the end along
  int64_t float_s = 0;         // TIME_FLOAT: the start is always this far from now
  uint32_t flags = 0;          // model/reservation_flags.h
  uint32_t purge_s = 0;        // of PURGE_COMP
  std::vector<std::string> node_names;
  std::vector<uint32_t> cores;  // of each node; empty: whole nodes
  std::string features, partition, licenses, comment;
  // Who may use it; with `..._denied` all but those.
  std::vector<std::string> users, groups, accounts;
  bool users_denied = false, accounts_denied = false;
  uint32_t max_start_delay_s = 0;

  // Derived.
  std::vector<uint32_t> nodes;  // indexes of node_names
  bool active = false;          // the window is now: follows the clock
  int64_t idle_since = 0;       // nobody uses it since then; 0: somebody does

  bool has(uint32_t flag) const { return (flags & flag) != 0; }
};

struct Cluster {
  ClusterConfig config;
  std::string host;  // of the service
  std::string boot_id;
  std::vector<ClusterNode> nodes;
  std::map<std::string, uint32_t, std::less<>> node_index;
  std::vector<ClusterPartition> partitions;
  std::map<std::string, ClusterLicense, std::less<>> licenses;
  std::map<std::string, ClusterReservation, std::less<>> reservations;
  uint32_t last_reservation = 0;  // its id
  // What operators changed of partitions since the file was read, as it is saved; by name.
  std::map<std::string, std::string> partition_changes;

  // (name, type) of each generic resource that some node has; the index is its kind.
  std::vector<std::pair<std::string, std::string>> gres_kinds;
  std::vector<std::string> features;

  const ClusterPartition* partition(std::string_view name) const;
  ClusterPartition* partition(std::string_view name);
  const ClusterPartition* default_partition() const;
  const ClusterNode* node(std::string_view name) const;
  uint32_t gres_kind(std::string_view name, std::string_view type) const;  // UINT32_MAX: none
  bool has_gres(std::string_view name) const;
  // The first that is set: the partition's own rule, then the cluster's.
  std::optional<uint64_t> memory_rule(const ClusterPartition& partition,
                                      std::optional<uint64_t> MemoryRules::*field) const;
};

// Marks the device of that name and index as used or free.
void set_device(ClusterNode& node, std::string_view name, uint32_t index, bool used);

// Nodes and partitions from the configuration; what depends on both is derived.
Cluster make_cluster(const LoadedConfig& loaded);
// What follows from the rest, after a change: the nodes of partitions and of reservations, the
// tables of features and generic resources.
void derive(Cluster& cluster);

}  // namespace grappe::embedded
