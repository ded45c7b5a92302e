#include "sched/remedies.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "sched/gate.h"

namespace grappe::sched {
namespace {

using What = Remedy::What;
using Ladder = std::vector<Remedy>;

constexpr size_t kMostRemedies = 5;

// Limits that a person would write, in minutes.
constexpr std::array<Time, 24> kLimits = {1,    5,    10,   15,   20,   30,    45,    60,
                                          90,   120,  180,  240,  360,  480,   720,   1080,
                                          1440, 2880, 4320, 5760, 7200, 10080, 14400, 20160};

Ladder shorter_limits(const Snapshot& snapshot, const PendingJob& job) {
  Time limit = 0;
  for (size_t i = 0; i < job.partitions.size(); ++i) {
    const Partition& partition = snapshot.partitions[job.partitions[i]];
    limit = std::max(limit, longest_run(job, partition, snapshot.now));
  }
  Ladder out;
  for (auto it = kLimits.rbegin(); it != kLimits.rend(); ++it) {
    if (*it * 60 < limit) out.push_back({What::kTimeLimit, static_cast<uint64_t>(*it * 60)});
  }
  return out;
}

uint64_t cpus_on_one_node(const Shape& shape) {
  const uint64_t tasks = shape.min_nodes > 1 ? std::max(shape.ntasks / shape.min_nodes, 1u)
                                             : std::max(shape.ntasks, 1u);
  return std::max<uint64_t>(tasks * shape.cpus_per_task, shape.min_cpus_per_node);
}

uint64_t gpus_on_one_node(const Shape& shape) {
  uint64_t gpus = 0;
  for (const GresNeed& need : shape.per_node) gpus += need.count;
  for (const GresNeed& need : shape.per_job) gpus += need.count / std::max(shape.min_nodes, 1u);
  for (const GresNeed& need : shape.per_task) gpus += need.count * std::max(shape.ntasks, 1u);
  return std::max<uint64_t>(gpus, 1);
}

// A number that a person would write, not above `mb`.
uint64_t round_memory(uint64_t mb) {
  const uint64_t step = mb >= 4096 ? 1024 : mb >= 512 ? 128 : 16;
  return mb / step * step;
}

// What is free on the nodes now, in the unit in which the job asks for it.
Ladder less_memory(const PendingJob& job, const Explanation& now) {
  const Shape& shape = *job.shape;
  uint64_t asked = shape.mem_per_node_mb, per = 1;
  if (shape.mem_per_cpu_mb) {
    asked = shape.mem_per_cpu_mb;
    per = cpus_on_one_node(shape);
  } else if (shape.mem_per_gpu_mb) {
    asked = shape.mem_per_gpu_mb;
    per = gpus_on_one_node(shape);
  }
  std::set<uint64_t, std::greater<>> values;
  for (const NodeView& node : now.nodes) {
    for (const Supply& supply : node.supplies) {
      if (supply.what != Supply::What::kMemory || !node.available) continue;
      const uint64_t value = round_memory(
          (shape.all_memory ? supply.free : std::min(supply.free, asked * per - 1)) / per);
      if (value > 0) values.insert(value);
    }
  }
  Ladder out;
  for (uint64_t value : values) out.push_back({What::kMemory, value});
  return out;
}

// n - 1, n / 2, n / 4 ... 1
Ladder fewer(What what, uint64_t count) {
  Ladder out;
  if (count > 2) out.push_back({what, count - 1});
  for (uint64_t n = count / 2; n > 0; n /= 2) {
    if (out.empty() || n < out.back().value) out.push_back({what, n});
  }
  return out;
}

template <class ShapeType, class Visit>
void each_device_need(ShapeType& shape, Visit visit) {
  for (auto* list : {&shape.per_node, &shape.per_job, &shape.per_task, &shape.per_socket}) {
    for (auto& need : *list) visit(need);
  }
}

void add_device_ladders(const PendingJob& job, std::vector<Ladder>& out) {
  uint64_t most = 0;
  bool typed = false;
  each_device_need(*job.shape, [&](const GresNeed& need) {
    most = std::max<uint64_t>(most, need.count);
    typed = typed || !need.any_type;
  });
  if (most > 1) out.push_back(fewer(What::kDevices, most));
  if (typed) out.push_back({{What::kAnyType, most}});
}

void add_partition_ladders(const PendingJob& job, const std::vector<PartitionIndex>& partitions,
                           std::vector<Ladder>& out) {
  for (PartitionIndex p : partitions) {
    bool has = false;
    for (size_t i = 0; i < job.partitions.size(); ++i) has = has || job.partitions[i] == p;
    if (!has) out.push_back({{What::kPartition, p}});
  }
}

std::vector<Ladder> ladders(const Snapshot& snapshot, const PendingJob& job,
                            const std::vector<PartitionIndex>& partitions, const Explanation& now) {
  const Shape& shape = *job.shape;
  std::vector<Ladder> out{shorter_limits(snapshot, job), less_memory(job, now)};
  add_device_ladders(job, out);
  if (shape.cpus_per_task > 1) out.push_back(fewer(What::kCpusPerTask, shape.cpus_per_task));
  if (shape.sharing == Sharing::kExclusive) out.push_back({{What::kShareNodes}});
  if (shape.required_nodes.any() || shape.excluded_nodes.any()) out.push_back({{What::kAnyNode}});
  if (!shape.features.empty()) out.push_back({{What::kAnyFeature}});
  add_partition_ladders(job, partitions, out);
  return out;
}

// Plans with one job changed again and again.
class Trial {
 public:
  Trial(const Snapshot& snapshot, const Policy& policy, uint32_t index, Time base)
      : with_(snapshot),
        policy_(policy),
        index_(index),
        job_(snapshot.pending[index]),
        base_(base) {}

  // 0: not within sight, or only if nobody passes it, which can't be promised.
  Time start(const Remedy& remedy) {
    Changed change = changed(with_, job_, remedy);
    change.job.shape = &change.shape;
    with_.pending[index_] = change.job;
    const Waiting found = start_of(with_, policy_, index_);
    with_.pending[index_] = job_;
    return found.kept ? found.expected_start : 0;
  }
  bool helps(Time start) const {
    if (start == 0) return false;
    if (base_ == 0) return true;
    const Time margin = std::max<Time>(60, (base_ - with_.now) / 20);
    return start + margin <= base_ || start == with_.now;
  }
  bool at_once(Time start) const { return start == with_.now; }

 private:
  Snapshot with_;
  const Policy& policy_;
  uint32_t index_;
  const PendingJob job_;
  Time base_;
};

// The first rung of [from, end) that is good enough, found by halving.
template <class Good>
size_t first_good(Trial& trial, Ladder& ladder, size_t from, Good good) {
  size_t low = from, high = ladder.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    ladder[middle].start = trial.start(ladder[middle]);
    if (good(ladder[middle].start)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

void climb(Trial& trial, Ladder& ladder, std::vector<Remedy>& out) {
  const size_t sooner =
      first_good(trial, ladder, 0, [&](Time start) { return trial.helps(start); });
  if (sooner == ladder.size()) return;
  out.push_back(ladder[sooner]);
  if (trial.at_once(ladder[sooner].start)) return;
  const size_t now =
      first_good(trial, ladder, sooner + 1, [&](Time start) { return trial.at_once(start); });
  if (now < ladder.size()) out.push_back(ladder[now]);
}

}  // namespace

Changed changed(const Snapshot&, const PendingJob& job, const Remedy& remedy) {
  Changed out{*job.shape, job};
  out.job.shape = nullptr;
  Shape& shape = out.shape;
  switch (remedy.what) {
    case What::kTimeLimit:
      out.job.time_limit = static_cast<Time>(remedy.value);
      out.job.time_min = std::min(out.job.time_min, out.job.time_limit);
      break;
    case What::kMemory: {
      uint64_t& asked = shape.mem_per_cpu_mb   ? shape.mem_per_cpu_mb
                        : shape.mem_per_gpu_mb ? shape.mem_per_gpu_mb
                                               : shape.mem_per_node_mb;
      asked = remedy.value;
      shape.all_memory = false;
      break;
    }
    case What::kDevices:
      each_device_need(shape, [&](GresNeed& need) {
        need.count = std::min(need.count, static_cast<uint32_t>(remedy.value));
      });
      break;
    case What::kAnyType:
      each_device_need(shape, [](GresNeed& need) { need.any_type = true; });
      break;
    case What::kCpusPerTask:
      shape.cpus_per_task = static_cast<uint32_t>(remedy.value);
      shape.min_cpus_per_node = std::min(shape.min_cpus_per_node, shape.cpus_per_task);
      break;
    case What::kShareNodes:
      shape.sharing = Sharing::kShared;
      break;
    case What::kAnyNode:
      shape.required_nodes = shape.excluded_nodes = Bitmap{};
      break;
    case What::kAnyFeature:
      shape.features.clear();
      break;
    case What::kPartition:
      out.job.partitions = {static_cast<PartitionIndex>(remedy.value)};
      break;
  }
  return out;
}

std::vector<Remedy> find_remedies(const Snapshot& snapshot, const Policy& policy, uint32_t index,
                                  const std::vector<PartitionIndex>& partitions,
                                  const Explanation& now) {
  std::vector<Remedy> out;
  if (now.expected_start == snapshot.now) return out;
  Trial trial(snapshot, policy, index, now.expected_start);
  for (Ladder& ladder : ladders(snapshot, snapshot.pending[index], partitions, now)) {
    climb(trial, ladder, out);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Remedy& a, const Remedy& b) { return a.start < b.start; });
  if (out.size() > kMostRemedies) out.resize(kMostRemedies);
  return out;
}

}  // namespace grappe::sched
