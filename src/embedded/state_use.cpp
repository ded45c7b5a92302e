// What jobs have of the cluster.
#include <algorithm>

#include "base/text.h"
#include "embedded/state.h"

namespace grappe::embedded {

void State::count_licenses(const Job& job, bool taken) {
  for (std::string_view item : split_words(job.spec->licenses(), ",;")) {
    auto found = cluster.licenses.find(item.substr(0, item.find(':')));
    if (found == cluster.licenses.end()) continue;
    size_t colon = item.find(':');
    uint64_t count = 1;
    if (colon != std::string_view::npos) {
      count = parse_uint(item.substr(colon + 1), UINT32_MAX).value_or(0);
    }
    uint32_t& used = found->second.used;
    uint32_t change = static_cast<uint32_t>(count);
    used = taken ? used + change : used - std::min(used, change);
  }
}

void State::refresh_licenses() {
  const auto gone = [this](const auto& entry) {
    const auto found = books.resources().find(entry.first);
    return entry.second.remote && (found == books.resources().end() || !share(*found->second));
  };
  std::erase_if(cluster.licenses, gone);
  for (const auto& [name, resource] : books.resources()) {
    const auto total = share(*resource);
    if (!total) continue;
    // One of the file goes before one of the same name.
    ClusterLicense& license =
        cluster.licenses.try_emplace(name, ClusterLicense{name, 0, 0, 0, true}).first->second;
    if (license.remote) license.total = *total;
  }
  for (auto& [name, license] : cluster.licenses) license.used = 0;
  for (uint32_t id : active()) count_licenses(*find(id), true);
}

// What this cluster may have of a resource; none: nothing was said, or it is gone.
std::optional<uint32_t> State::share(const v1::Resource& resource) const {
  const auto allowed = resource.allowed().find(cluster.config.service.cluster_name);
  if (resource.stamp().deleted() || allowed == resource.allowed().end()) return std::nullopt;
  return static_cast<uint32_t>(uint64_t{resource.count()} * allowed->second / 100);
}

void State::occupy_cpus(const Job& job) {
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = cluster.nodes.at(share.node);
    for (uint32_t cpu : share.cpus) {
      if (node.cpu_jobs.size() <= cpu) node.cpu_jobs.resize(cpu + 1);
      ++node.cpu_jobs[cpu];
      node.used_cpus.set(cpu);
    }
    if (job.settled.whole_nodes) node.exclusive = true;
  }
}

void State::release_cpus(const Job& job) {
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = cluster.nodes.at(share.node);
    for (uint32_t cpu : share.cpus) {
      if (--node.cpu_jobs.at(cpu) == 0) node.used_cpus.clear(cpu);
    }
    if (job.settled.whole_nodes) node.exclusive = false;
  }
}

void State::occupy(const Job& job) {
  count_licenses(job, true);
  if (job.base() != JobState::kSuspended) occupy_cpus(job);
  const ClusterPartition* partition = cluster.partition(job.partitions.front());
  bool alone_as_a_user = job.spec->sharing() == v1::JobSpec::EXCLUSIVE_USER ||
                         (partition && partition->config.exclusive_user);
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = cluster.nodes.at(share.node);
    node.used_memory_mb += share.memory_mb;
    for (const GresAllocation& gres : share.gres) {
      for (uint32_t index : gres.indexes) set_device(node, gres.name, index, true);
    }
    ++node.jobs;
    if (alone_as_a_user) node.owner = job.uid;
  }
}

void State::release(const Job& job) {
  count_licenses(job, false);
  if (job.base() != JobState::kSuspended) release_cpus(job);
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = cluster.nodes.at(share.node);
    node.used_memory_mb -= std::min(node.used_memory_mb, share.memory_mb);
    for (const GresAllocation& gres : share.gres) {
      for (uint32_t index : gres.indexes) set_device(node, gres.name, index, false);
    }
    if (node.jobs > 0) --node.jobs;
    if (node.jobs == 0) node.owner = UINT32_MAX;
  }
}

// One that is suspended keeps everything but the CPUs.
void State::save_share(const Job& job, int64_t now) {
  TresCounts tres = tres_counts(job);
  if (job.base() == JobState::kSuspended) {
    tres.erase("cpu");
    tres.erase("billing");
  }
  changes_.shares.push_back({job.id, job.restarts, now, std::move(tres)});
}

void State::save_first_share(const Job& job) {
  changes_.first_shares.push_back({job.id, job.restarts, job.start_time, tres_counts(job)});
}

}  // namespace grappe::embedded
