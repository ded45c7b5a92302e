#include "sched/needs.h"

#include <algorithm>

namespace grappe::sched {
namespace {

std::vector<GresKind> kinds_of(const Snapshot& snapshot, const GresNeed& need) {
  std::vector<GresKind> kinds;
  for (std::size_t k = 0; need.any_type && k < snapshot.gres_names.size(); ++k) {
    if (snapshot.gres_names[k] == need.name) kinds.push_back(static_cast<GresKind>(k));
  }
  if (kinds.empty()) kinds.push_back(need.kind);
  return kinds;
}

void merge(const Snapshot& snapshot, const std::vector<GresNeed>& from, uint32_t DeviceNeed::*scope,
           Needs& needs) {
  for (const GresNeed& need : from) {
    if (need.count == 0) continue;
    std::vector<GresKind> kinds = kinds_of(snapshot, need);
    auto same = [&](const DeviceNeed& d) { return d.kinds == kinds; };
    auto found = std::find_if(needs.devices.begin(), needs.devices.end(), same);
    if (found == needs.devices.end()) {
      if (needs.devices.size() == kMaxDeviceNeeds) {
        needs.too_many = true;
        return;
      }
      found = needs.devices.insert(found, DeviceNeed{std::move(kinds), need.name == "gpu"});
    }
    (*found).*scope += need.count;
  }
}

void settle_tasks(const Shape& shape, Needs& needs) {
  needs.counts_tasks = shape.ntasks_given;
  needs.ntasks = std::max(shape.ntasks, 1u);
  needs.tasks_per_node = std::max(shape.ntasks_per_node, 1u);
  for (const DeviceNeed& d : needs.devices) {
    if (needs.counts_tasks || d.per_job == 0 || d.per_task == 0) continue;
    needs.counts_tasks = true;  // --gpus=8 --gpus-per-task=2 means four tasks
    needs.ntasks = std::max(d.per_job / d.per_task, 1u);
  }
}

void settle_cpus(const Shape& shape, Needs& needs) {
  needs.cpus_per_task = std::max(shape.cpus_per_task, 1u);
  needs.min_cpus = std::max(shape.min_cpus_per_node, 1u);
  for (const DeviceNeed& d : needs.devices) {
    if (!d.gpu || shape.cpus_per_gpu == 0) continue;
    needs.cpus_per_task = std::max(needs.cpus_per_task, d.per_task * shape.cpus_per_gpu);
    needs.min_cpus = std::max(needs.min_cpus, d.per_node * shape.cpus_per_gpu);
  }
  // Slurm gives every node of --ntasks-per-node room for them all, the last one too.
  if (!shape.overcommit) {
    needs.min_cpus = std::max(needs.min_cpus, shape.ntasks_per_node * needs.cpus_per_task);
    bool one_node = needs.counts_tasks && shape.max_nodes == 1;
    needs.least_cpus = needs.cpus_per_task * (one_node ? needs.ntasks : 1);
  }
  needs.least_cpus = std::max(needs.least_cpus, needs.min_cpus);
}

}  // namespace

bool DeviceNeed::takes(GresKind kind) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool Needs::wants_job_devices() const {
  for (const DeviceNeed& d : devices) {
    if (d.per_job) return true;
  }
  return false;
}

Needs needs_of(const Snapshot& snapshot, const Shape& shape) {
  Needs needs;
  needs.shape = &shape;
  needs.sockets = std::max(shape.sockets_per_node, 1u);
  merge(snapshot, shape.per_node, &DeviceNeed::per_node, needs);
  merge(snapshot, shape.per_job, &DeviceNeed::per_job, needs);
  merge(snapshot, shape.per_task, &DeviceNeed::per_task, needs);
  merge(snapshot, shape.per_socket, &DeviceNeed::per_socket, needs);
  settle_tasks(shape, needs);
  settle_cpus(shape, needs);
  return needs;
}

}  // namespace grappe::sched
