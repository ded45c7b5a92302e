// Short ways to write a snapshot in a test.
//
//   Cluster c;
//   c.nodes(4, node(8).memory(32000).gpus(4));
//   c.job(1, tasks(9).time(hours(1)));
//   Plan p = c.plan();
//   EXPECT_EQ(where(p, 1), "n1:8 n2:1");
//
// Nodes are called n1, n2 ...; the partition is p0 and has all nodes unless partitions are added.
// The time is 1000.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sched/plan.h"

namespace grappe::sched::testing {

inline constexpr Time kNow = 1000;
inline constexpr GresKind kGpu = 0;
inline constexpr uint32_t kAnyNumber = UINT32_MAX;

inline Time minutes(Time n) {
  return n * 60;
}
inline Time hours(Time n) {
  return n * 3600;
}

Bitmap bits(std::initializer_list<uint32_t> members);

// A node under construction.
struct NodeSpec {
  Node value;

  NodeSpec& memory(uint64_t mb);
  NodeSpec& geometry(uint32_t sockets, uint32_t cores_per_socket, uint32_t threads);
  NodeSpec& gpus(uint32_t count, GresKind kind = kGpu);
  // Links devices in groups of `size`, each near its part of the CPUs.
  NodeSpec& linked(uint32_t size);
  NodeSpec& weight(uint32_t w);
  NodeSpec& features(std::initializer_list<uint32_t> ids);
  NodeSpec& tmp(uint64_t mb);
};
NodeSpec node(uint32_t cpus);

// A job under construction: shape and the rest.
struct JobSpec {
  Shape shape;
  PendingJob job;

  JobSpec& nodes(uint32_t min, uint32_t max = 0);  // max 0: the same
  JobSpec& per_node(uint32_t tasks);               // --ntasks-per-node
  JobSpec& cpus(uint32_t per_task);                // -c
  JobSpec& mem(uint64_t mb);                       // --mem
  JobSpec& mem_per_cpu(uint64_t mb);
  JobSpec& mem_per_gpu(uint64_t mb);
  JobSpec& gpus(uint32_t count);           // --gpus
  JobSpec& gpus_per_node(uint32_t count);  // --gres=gpu:n
  JobSpec& gpus_per_task(uint32_t count);
  JobSpec& exclusive();
  JobSpec& on(std::initializer_list<uint32_t> required);
  JobSpec& except(std::initializer_list<uint32_t> excluded);
  JobSpec& time(Time limit, Time least = 0);
  JobSpec& priority(uint32_t p);
  JobSpec& user(uint32_t id);
  JobSpec& in(std::initializer_list<PartitionIndex> partitions);
  JobSpec& license(uint32_t id, uint32_t count);
  JobSpec& reservation(uint32_t id);
  JobSpec& copies(uint32_t n);
  JobSpec& deadline(Time at);
};
JobSpec tasks(uint32_t n);  // -n
JobSpec job();              // no number of tasks given

class Cluster {
 public:
  Cluster();
  Cluster(const Cluster&) = delete;

  Cluster& nodes(uint32_t count, NodeSpec spec);
  // The nodes by index; returns the partition for further settings.
  Partition& partition(std::initializer_list<uint32_t> members);
  // Priority falls with the order of adding unless it is given.
  PendingJob& job(uint64_t tag, const JobSpec& spec);
  // A running job on one node: takes free CPUs and devices, the lowest first.
  RunningJob& running(NodeIndex node, uint32_t cpus, Time end, uint64_t memory = 0,
                      uint32_t devices = 0);
  uint32_t license(std::string name, uint32_t total, uint32_t used = 0);
  Reservation& reserve(std::initializer_list<uint32_t> members, Time from, Time to);

  Plan plan() const { return sched::plan(snapshot, policy); }

  Snapshot snapshot;
  Policy policy;

 private:
  std::deque<Shape> shapes_;
  bool own_partitions_ = false;
  uint32_t next_priority_ = 1000000;
};

// "n1:8 n2:1": the tasks on each node of a started job; "" when it didn't start.
std::string where(const Plan& plan, uint64_t tag);
// "n1:0-5 n2:0": its CPUs.
std::string cpus_of(const Plan& plan, uint64_t tag);
// "n1:0,1": its devices.
std::string devices_of(const Plan& plan, uint64_t tag);
uint64_t memory_of(const Plan& plan, uint64_t tag);
const Start* started(const Plan& plan, uint64_t tag);
const Waiting* waiting(const Plan& plan, uint64_t tag);
// The reason's name, with the expected start when there is one: "Resources@4600".
std::string why(const Plan& plan, uint64_t tag);

}  // namespace grappe::sched::testing
