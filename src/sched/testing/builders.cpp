#include "sched/testing/builders.h"

#include <fmt/format.h>

#include "model/reason.h"

namespace grappe::sched::testing {
namespace {

GresNeed gpu_need(uint32_t count) {
  return {kGpu, "gpu", true, count};
}

std::string ranges(const std::vector<uint32_t>& members) {
  std::string out;
  for (std::size_t i = 0; i < members.size();) {
    std::size_t last = i;
    while (last + 1 < members.size() && members[last + 1] == members[last] + 1) ++last;
    if (!out.empty()) out += ',';
    out +=
        i == last ? fmt::format("{}", members[i]) : fmt::format("{}-{}", members[i], members[last]);
    i = last + 1;
  }
  return out;
}

template <class Text>
std::string by_node(const Plan& plan, uint64_t tag, Text text) {
  std::string out;
  const Start* start = started(plan, tag);
  for (std::size_t i = 0; start && i < start->shares.size(); ++i) {
    const NodeShare& share = start->shares[i];
    out += fmt::format("{}n{}:{}", i ? " " : "", share.node + 1, text(share));
  }
  return out;
}

}  // namespace

Bitmap bits(std::initializer_list<uint32_t> members) {
  Bitmap out;
  for (uint32_t m : members) out.set(m);
  return out;
}

NodeSpec node(uint32_t cpus) {
  NodeSpec spec;
  spec.value.cpus = cpus;
  spec.value.cores_per_socket = cpus;
  spec.value.memory_mb = 32000;
  return spec;
}
NodeSpec& NodeSpec::memory(uint64_t mb) {
  value.memory_mb = mb;
  return *this;
}
NodeSpec& NodeSpec::geometry(uint32_t sockets, uint32_t cores_per_socket, uint32_t threads) {
  value.sockets = sockets;
  value.cores_per_socket = cores_per_socket;
  value.threads_per_core = threads;
  value.cpus = sockets * cores_per_socket * threads;
  return *this;
}
NodeSpec& NodeSpec::gpus(uint32_t count, GresKind kind) {
  for (uint32_t i = 0; i < count; ++i) {
    value.devices.push_back({kind, static_cast<uint32_t>(value.devices.size()), 0, {}});
  }
  return *this;
}
NodeSpec& NodeSpec::linked(uint32_t size) {
  uint32_t groups = static_cast<uint32_t>(value.devices.size()) / size;
  for (uint32_t i = 0; i < value.devices.size(); ++i) {
    value.devices[i].link_group = i / size;
    uint32_t part = value.cpus / groups;
    for (uint32_t c = 0; c < part; ++c) value.devices[i].near_cpus.set(i / size * part + c);
  }
  return *this;
}
NodeSpec& NodeSpec::weight(uint32_t w) {
  value.weight = w;
  return *this;
}
NodeSpec& NodeSpec::features(std::initializer_list<uint32_t> ids) {
  value.features = bits(ids);
  return *this;
}
NodeSpec& NodeSpec::tmp(uint64_t mb) {
  value.tmp_mb = mb;
  return *this;
}

JobSpec tasks(uint32_t n) {
  JobSpec spec = job();
  spec.shape.ntasks = n;
  spec.shape.ntasks_given = true;
  return spec;
}
JobSpec job() {
  JobSpec spec;
  spec.shape.max_nodes = kAnyNumber;
  spec.job.partitions = {0};
  spec.job.time_limit = hours(1);
  return spec;
}
JobSpec& JobSpec::nodes(uint32_t min, uint32_t max) {
  shape.min_nodes = min;
  shape.max_nodes = max ? max : min;
  return *this;
}
JobSpec& JobSpec::per_node(uint32_t n) {
  shape.ntasks_per_node = n;
  return *this;
}
JobSpec& JobSpec::cpus(uint32_t per_task) {
  shape.cpus_per_task = per_task;
  return *this;
}
JobSpec& JobSpec::mem(uint64_t mb) {
  shape.mem_per_node_mb = mb;
  return *this;
}
JobSpec& JobSpec::mem_per_cpu(uint64_t mb) {
  shape.mem_per_cpu_mb = mb;
  return *this;
}
JobSpec& JobSpec::mem_per_gpu(uint64_t mb) {
  shape.mem_per_gpu_mb = mb;
  return *this;
}
JobSpec& JobSpec::gpus(uint32_t count) {
  shape.per_job.push_back(gpu_need(count));
  return *this;
}
JobSpec& JobSpec::gpus_per_node(uint32_t count) {
  shape.per_node.push_back(gpu_need(count));
  return *this;
}
JobSpec& JobSpec::gpus_per_task(uint32_t count) {
  shape.per_task.push_back(gpu_need(count));
  return *this;
}
JobSpec& JobSpec::exclusive() {
  shape.sharing = Sharing::kExclusive;
  return *this;
}
JobSpec& JobSpec::on(std::initializer_list<uint32_t> required) {
  shape.required_nodes = bits(required);
  return *this;
}
JobSpec& JobSpec::except(std::initializer_list<uint32_t> excluded) {
  shape.excluded_nodes = bits(excluded);
  return *this;
}
JobSpec& JobSpec::time(Time limit, Time least) {
  job.time_limit = limit;
  job.time_min = least;
  return *this;
}
JobSpec& JobSpec::priority(uint32_t p) {
  job.priority = p;
  return *this;
}
JobSpec& JobSpec::user(uint32_t id) {
  job.user = id;
  return *this;
}
JobSpec& JobSpec::in(std::initializer_list<PartitionIndex> partitions) {
  job.partitions = partitions;
  return *this;
}
JobSpec& JobSpec::license(uint32_t id, uint32_t count) {
  job.licenses.push_back({id, count});
  return *this;
}
JobSpec& JobSpec::reservation(uint32_t id) {
  job.reservation = id;
  return *this;
}
JobSpec& JobSpec::copies(uint32_t n) {
  job.copies = n;
  return *this;
}
JobSpec& JobSpec::deadline(Time at) {
  job.deadline = at;
  return *this;
}

Cluster::Cluster() {
  snapshot.now = kNow;
  snapshot.gres_names = {"gpu", "gpu", "fpga"};
  snapshot.partitions.push_back({"p0"});
}

Cluster& Cluster::nodes(uint32_t count, NodeSpec spec) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t index = static_cast<uint32_t>(snapshot.nodes.size());
    spec.value.name = fmt::format("n{}", index + 1);
    snapshot.nodes.push_back(spec.value);
    if (!own_partitions_) snapshot.partitions[0].nodes.set(index);
  }
  return *this;
}

Partition& Cluster::partition(std::initializer_list<uint32_t> members) {
  if (!own_partitions_) snapshot.partitions.clear();
  own_partitions_ = true;
  Partition p{fmt::format("p{}", snapshot.partitions.size())};
  p.nodes = bits(members);
  return snapshot.partitions.emplace_back(std::move(p));
}

PendingJob& Cluster::job(uint64_t tag, const JobSpec& spec) {
  PendingJob job = spec.job;
  job.tag = tag;
  job.job_id = static_cast<uint32_t>(tag);
  job.shape = &shapes_.emplace_back(spec.shape);
  if (job.priority == 0) job.priority = next_priority_--;
  return snapshot.pending.emplace_back(std::move(job));
}

RunningJob& Cluster::running(NodeIndex index, uint32_t cpus, Time end, uint64_t memory,
                             uint32_t devices) {
  Node& n = snapshot.nodes[index];
  NodeShare share{index, {}, memory, {}, 1};
  for (uint32_t cpu = 0; cpu < n.cpus && cpus > 0; ++cpu) {
    if (n.used_cpus.test(cpu)) continue;
    share.cpus.set(cpu);
    --cpus;
  }
  for (uint32_t d = 0; d < n.devices.size() && devices > 0; ++d) {
    if (n.used_devices.test(d)) continue;
    share.devices.push_back(d);
    n.used_devices.set(d);
    --devices;
  }
  n.used_cpus |= share.cpus;
  n.used_memory_mb += memory;
  ++n.jobs;
  RunningJob job;
  job.tag = 1000 + snapshot.running.size();
  job.end = end;
  job.shares.push_back(std::move(share));
  return snapshot.running.emplace_back(std::move(job));
}

uint32_t Cluster::license(std::string name, uint32_t total, uint32_t used) {
  snapshot.licenses.push_back({std::move(name), total, used});
  return static_cast<uint32_t>(snapshot.licenses.size()) - 1;
}

Reservation& Cluster::reserve(std::initializer_list<uint32_t> members, Time from, Time to) {
  Reservation r;
  r.name = fmt::format("r{}", snapshot.reservations.size());
  r.start = from;
  r.end = to;
  r.nodes = bits(members);
  return snapshot.reservations.emplace_back(std::move(r));
}

const Start* started(const Plan& plan, uint64_t tag) {
  for (const Start& start : plan.starts) {
    if (start.tag == tag) return &start;
  }
  return nullptr;
}

const Waiting* waiting(const Plan& plan, uint64_t tag) {
  for (const Waiting& w : plan.waiting) {
    if (w.tag == tag) return &w;
  }
  return nullptr;
}

std::string where(const Plan& plan, uint64_t tag) {
  return by_node(plan, tag, [](const NodeShare& s) { return fmt::format("{}", s.tasks); });
}

std::string cpus_of(const Plan& plan, uint64_t tag) {
  return by_node(plan, tag, [](const NodeShare& s) { return ranges(s.cpus.members()); });
}

std::string devices_of(const Plan& plan, uint64_t tag) {
  return by_node(plan, tag, [](const NodeShare& s) { return ranges(s.devices); });
}

uint64_t memory_of(const Plan& plan, uint64_t tag) {
  uint64_t sum = 0;
  const Start* start = started(plan, tag);
  for (std::size_t i = 0; start && i < start->shares.size(); ++i) sum += start->shares[i].memory_mb;
  return sum;
}

std::string why(const Plan& plan, uint64_t tag) {
  const Waiting* w = waiting(plan, tag);
  if (!w) return "";
  std::string out(reason_name(w->reason));
  if (w->expected_start) out += fmt::format("@{}", w->expected_start);
  return out;
}

}  // namespace grappe::sched::testing
