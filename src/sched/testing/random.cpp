#include "sched/testing/random.h"

#include <rapidcheck.h>

#include "sched/machine.h"

namespace grappe::sched::testing {
namespace {

void add_partitions(Cluster& c, uint32_t nodes) {
  uint32_t count = number(1, 3);
  for (uint32_t p = 0; p < count; ++p) {
    Partition& partition = c.partition({});
    for (uint32_t n = 0; n < nodes; ++n) {
      if (coin(2)) partition.nodes.set(n);
    }
    partition.priority_tier = number(1, 2);
    partition.up = !coin(6);
    partition.least_loaded = coin(5);
    partition.exclusive_user = coin(8);
    partition.whole_nodes = coin(8);
    if (coin(5)) partition.max_cpus_per_node = number(1, 8);
    if (coin(5)) partition.max_nodes = number(1, 3);
    if (coin(5)) partition.max_time = number(1, 20) * 100;
  }
}

void add_running(Cluster& c) {
  for (NodeIndex n = 0; n < c.snapshot.nodes.size(); ++n) {
    Node& node = c.snapshot.nodes[n];
    uint32_t jobs = number(0, 3);
    uint32_t user = number(0, 2);
    for (uint32_t i = 0; i < jobs; ++i) {
      // Whole cores, as the scheduler gives them.
      NodeFacts facts = facts_of(node);
      uint32_t cpus = number(1, 2) * facts.cpus_per_core;
      if (node.used_cpus.count() + cpus > node.cpus || node.used_memory_mb + 300 > node.memory_mb) {
        break;
      }
      RunningJob& job = c.running(n, cpus, kNow + number(0, 2000), number(0, 300), number(0, 1));
      job.user = user;
      job.partition = number(0, static_cast<uint32_t>(c.snapshot.partitions.size()) - 1);
    }
    node.available = !coin(6);
  }
}

void add_pending(Cluster& c) {
  uint32_t partitions = static_cast<uint32_t>(c.snapshot.partitions.size());
  uint32_t count = number(0, 15);
  for (uint64_t tag = 1; tag <= count; ++tag) {
    JobSpec spec = random_job(c);
    spec.priority(number(1, 5));
    spec.job.partitions = {number(0, partitions - 1)};
    if (partitions > 1 && coin(4)) {
      uint32_t other = number(0, partitions - 1);
      if (other != spec.job.partitions[0]) spec.job.partitions.push_back(other);
    }
    c.job(tag, spec);
    if (!c.snapshot.reservations.empty() && coin(4)) c.snapshot.pending.back().reservation = 0;
  }
}

}  // namespace

// Small numbers first, as rapidcheck does by itself, would only ever make small machines.
uint32_t number(uint32_t low, uint32_t high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
}
bool coin(uint32_t one_in) {
  return number(1, one_in) == 1;
}

NodeSpec random_node() {
  uint32_t sockets = number(1, 2), cores = number(1, 4), threads = number(1, 2);
  NodeSpec spec = node(1).geometry(sockets, cores, threads).memory(number(1, 8) * 1000);
  uint32_t gpus = number(0, 4);
  spec.gpus(gpus, static_cast<GresKind>(number(0, 1)));
  if (gpus == 4 && coin(2)) spec.linked(2);
  spec.weight(number(1, 2));
  if (coin(3)) spec.features({number(0, 1)});
  return spec;
}

JobSpec random_job(const Cluster& c) {
  JobSpec spec = coin(3) ? job() : tasks(number(1, 10));
  uint32_t nodes = static_cast<uint32_t>(c.snapshot.nodes.size());
  if (coin(3)) spec.nodes(number(1, 2), number(2, 4));
  spec.cpus(number(1, 3));
  switch (number(0, 3)) {
    case 0:
      spec.mem(number(0, 4000));
      break;
    case 1:
      spec.mem_per_cpu(number(0, 1500));
      break;
    case 2:
      spec.mem_per_gpu(number(0, 1000));
      break;
    default:
      spec.shape.all_memory = coin(2);
      break;
  }
  switch (number(0, 7)) {
    case 0:
      spec.gpus(number(1, 6));
      break;
    case 1:
      spec.gpus_per_node(number(1, 3));
      break;
    case 2:
      spec.gpus_per_task(number(1, 2));
      break;
    default:
      break;
  }
  if (coin(6)) spec.shape.cpus_per_gpu = number(1, 3);
  if (coin(6)) spec.exclusive();
  if (coin(8)) spec.shape.sharing = Sharing::kUser;
  if (coin(6)) spec.on({number(0, nodes - 1)});
  if (coin(6)) spec.except({number(0, nodes - 1)});
  if (coin(8)) spec.per_node(number(1, 3));
  if (coin(8)) spec.shape.features = {{bits({number(0, 1)})}};
  if (coin(8)) spec.shape.preferred = {{bits({number(0, 1)})}};
  if (coin(8)) spec.shape.contiguous = true;
  if (coin(8)) spec.shape.spread = true;
  if (coin(8)) spec.shape.overcommit = true;
  if (coin(8)) spec.shape.enforce_binding = true;
  if (coin(8)) spec.shape.threads_per_core = 1;
  if (coin(8)) spec.shape.ntasks_per_core = 1;
  spec.time(number(1, 30) * 100, coin(5) ? number(1, 5) * 60 : 0);
  if (coin(8)) spec.deadline(kNow + number(1, 4000));
  spec.user(number(0, 2)).copies(coin(5) ? number(2, 4) : 1);
  if (coin(6)) spec.license(0, number(1, 2));
  return spec;
}

void fill_protection(Policy& policy) {
  if (coin(3)) policy = first_in_line_policy();
  policy.protected_jobs = coin(3) ? number(1, 3) : policy.protected_jobs;
  policy.by_pool = coin(2);
}

void fill_rules(Policy& policy) {
  policy.placement.gpu_hold_back = coin(3) ? number(1, 100) : 0;
  policy.placement.gpu_pack = coin(3);
  policy.placement.gpu_links = !coin(4);
}

void fill_randomly(Cluster& c) {
  uint32_t nodes = number(1, 5);
  for (uint32_t n = 0; n < nodes; ++n) c.nodes(1, random_node());
  add_partitions(c, nodes);
  add_running(c);
  c.license("matlab", 3, 1);
  if (coin(3)) {
    Time start = kNow + number(0, 1000) - (coin(2) ? 500 : 0);
    Reservation& r = c.reserve({number(0, nodes - 1)}, start, start + number(600, 2000));
    if (coin(3)) r.cpus_per_node = {number(1, 4)};
    r.flexible = coin(4);
  }
  add_pending(c);
  fill_protection(c.policy);
  if (coin(4)) c.policy.max_reservations = number(0, 3);
  c.policy.backfill = !coin(6);
  c.policy.whole_node_reservations = coin(6);
  fill_rules(c.policy);
}

}  // namespace grappe::sched::testing
