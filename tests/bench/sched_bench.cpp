// How long one plan() takes with many pending jobs on 64 busy nodes, without limits and with.
//
//   sched_bench [jobs ...]      default: 1000 10000 100000 1000000
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <random>
#include <vector>

#include "sched/plan.h"

namespace grappe::sched {
namespace {

constexpr uint32_t kNodes = 64, kCpus = 64, kGpus = 8;
constexpr uint64_t kMemory = 512000;

// Jobs run on every node, ends spread over a day; `spare` CPUs of each node are free.
Snapshot machine(std::mt19937& random, uint32_t spare) {
  Snapshot s;
  s.now = 1000000;
  s.gres_names = {"gpu"};
  s.partitions.push_back({"batch"});
  for (uint32_t n = 0; n < kNodes; ++n) {
    Node node;
    node.name = fmt::format("node{}", n + 1);
    node.cpus = kCpus;
    node.sockets = 2;
    node.cores_per_socket = kCpus / 2;
    node.memory_mb = kMemory;
    for (uint32_t g = 0; g < kGpus; ++g) node.devices.push_back({0, g, g / 4, {}});
    s.partitions[0].nodes.set(n);
    uint32_t gpu = 0;
    for (uint32_t cpu = 0; cpu + 4 <= kCpus - spare; cpu += 4) {
      RunningJob job;
      job.end = s.now + 60 + static_cast<Time>(random() % 86400);
      NodeShare share{n, {}, 16000, {}, 1};
      for (uint32_t i = 0; i < 4; ++i) share.cpus.set(cpu + i);
      if (gpu < kGpus) share.devices.push_back(gpu++);
      node.used_cpus |= share.cpus;
      node.used_memory_mb += share.memory_mb;
      for (uint32_t d : share.devices) node.used_devices.set(d);
      job.shares.push_back(std::move(share));
      s.running.push_back(std::move(job));
    }
    s.nodes.push_back(std::move(node));
  }
  return s;
}

Shape random_shape(std::mt19937& random) {
  Shape shape;
  shape.max_nodes = UINT32_MAX;
  shape.ntasks_given = true;
  shape.ntasks = 1 + random() % 64;
  if (random() % 8 == 0) shape.ntasks = 64 + random() % 512;
  shape.cpus_per_task = 1 + random() % 4;
  shape.mem_per_cpu_mb = 1000 + random() % 7000;
  if (random() % 3 == 0) shape.per_node.push_back({0, "gpu", true, 1 + uint32_t(random() % 8)});
  return shape;
}

// 200 users in 20 accounts, each with limits on every level; counters: users, accounts, the root,
// the QoS, users and accounts in it.
constexpr uint32_t kUsers = 200, kAccounts = 20;

std::shared_ptr<const LimitTable> limits() {
  const std::vector<std::string> tres{"cpu", "mem", "node", "gres/gpu"};
  auto set = [](uint64_t jobs, uint64_t cpus, uint64_t gpus) {
    LimitSet limits;
    limits.grp_jobs = limits.max_jobs = jobs;
    limits.max_wall = 100000;
    limits.grp_tres = limits.max_tres_per_user = {cpus, kNoLimit, kNoLimit, gpus};
    return limits;
  };
  auto chains = std::make_shared<std::vector<LimitChain>>();
  const uint32_t root = kUsers + kAccounts, qos = root + 1;
  for (uint32_t user = 0; user < kUsers; ++user) {
    const uint32_t account = user % kAccounts;
    LimitLevels levels;
    levels.qos = {{{}, qos, qos + 1 + user, qos + 1 + kUsers + account}};
    levels.qos[0].limits.max_tres_per_user = {200, kNoLimit, kNoLimit, 8};
    levels.associations = {{set(50, 400, 16), user},
                           {set(400, 2000, 64), kUsers + account},
                           {set(4000, 4096, 512), root}};
    chains->push_back(settle_limits(levels, tres));
  }
  auto table = std::make_shared<LimitTable>();
  table->chains = chains;
  table->in_use = InUse(qos + 1 + kUsers + kAccounts, tres.size(), 2);
  table->gres = {{3}};
  return table;
}

double milliseconds(const Snapshot& snapshot, Plan& out) {
  std::clock_t begin = std::clock();  // of this process: the machine may be busy with other things
  out = plan(snapshot, Policy{});
  return static_cast<double>(std::clock() - begin) * 1000 / CLOCKS_PER_SEC;
}

void measure(uint32_t jobs, uint32_t kinds, uint32_t spare, bool limited) {
  std::mt19937 random(1);
  Snapshot s = machine(random, spare);
  std::deque<Shape> shapes;
  for (uint32_t i = 0; i < std::min(kinds, jobs); ++i) shapes.push_back(random_shape(random));
  std::deque<TresAmounts> asked;
  for (const Shape& shape : shapes) asked.push_back({shape.ntasks * shape.cpus_per_task, 0, 1, 0});
  if (limited) s.limits = limits();
  for (uint32_t i = 0; i < jobs; ++i) {
    PendingJob job;
    job.tag = job.job_id = i + 1;
    job.shape = &shapes[i % shapes.size()];
    job.partitions = {0};
    job.priority = random() % 100000;
    job.submit_time = s.now - 1000;
    job.time_limit = 600 * (1 + static_cast<Time>(random() % 144));
    if (limited) {
      job.chains = {static_cast<uint32_t>(random() % kUsers)};
      job.tres = &asked[i % shapes.size()];
    }
    s.pending.push_back(std::move(job));
  }
  std::vector<double> times;
  Plan p;
  for (int i = 0; i < 3; ++i) times.push_back(milliseconds(s, p));
  std::sort(times.begin(), times.end());
  fmt::print(
      "{:>8} jobs {:>7} shapes {:>3} CPUs free{}  median {:8.2f} ms  started {:>5}  planned "
      "{:>4}\n",
      jobs, shapes.size(), spare, limited ? " limits" : "", times[1], p.starts.size(), p.reserved);
}

}  // namespace
}  // namespace grappe::sched

int main(int argc, char** argv) {
  std::vector<uint32_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(static_cast<uint32_t>(std::atoi(argv[i])));
  if (sizes.empty()) sizes = {1000, 10000, 100000, 1000000};
  for (uint32_t spare : {0u, 4u}) {
    for (uint32_t jobs : sizes) {
      for (bool limited : {false, true}) {
        grappe::sched::measure(jobs, 20, spare, limited);
        grappe::sched::measure(jobs, UINT32_MAX, spare, limited);
      }
      std::fflush(stdout);
    }
  }
  return 0;
}
