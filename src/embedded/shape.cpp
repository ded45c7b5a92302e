#include "embedded/shape.h"

#include <algorithm>

#include "base/gres_spec.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "embedded/constraint.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

Result<sched::Bitmap> node_set(const Cluster& cluster, const std::string& hostlist) {
  sched::Bitmap set;
  if (hostlist.empty()) return set;
  auto names = expand_hostlist(hostlist);
  if (!names) return slurm_fail(kErrInvalidNodeName);
  for (const std::string& name : *names) {
    auto found = cluster.node_index.find(name);
    if (found == cluster.node_index.end()) return slurm_fail(kErrInvalidNodeName);
    set.set(found->second);
  }
  return set;
}

// Each list of generic resources of the request, in the field of the shape that it fills.
Status add_gres(const Cluster& cluster, const v1::JobSpec& spec, sched::Shape& shape) {
  struct Row {
    const std::string& text;
    const char* name;
    std::vector<sched::GresNeed>& into;
  };
  const Row rows[] = {
      {spec.gres(), "", shape.per_node},
      {spec.gpus_per_node(), "gpu", shape.per_node},
      {spec.gpus(), "gpu", shape.per_job},
      {spec.gpus_per_task(), "gpu", shape.per_task},
      {spec.gpus_per_socket(), "gpu", shape.per_socket},
  };
  for (const Row& row : rows) {
    if (row.text.empty()) continue;
    auto needs = gres_needs(cluster, row.text, row.name);
    if (!needs) return tl::unexpected(needs.error());
    for (sched::GresNeed& need : *needs) row.into.push_back(std::move(need));
  }
  return {};
}

sched::Sharing sharing_of(const Job& job) {
  if (job.settled.whole_nodes) return sched::Sharing::kExclusive;
  switch (job.spec->sharing()) {
    case v1::JobSpec::EXCLUSIVE_USER:
      return sched::Sharing::kUser;
    case v1::JobSpec::OVERSUBSCRIBE:
      return sched::Sharing::kOversubscribe;
    default:
      return sched::Sharing::kShared;
  }
}

uint32_t gpus_in(const std::vector<sched::GresNeed>& needs) {
  uint32_t count = 0;
  for (const sched::GresNeed& need : needs) count += need.name == "gpu" ? need.count : 0;
  return count;
}

// GPUs of a node and of a task, or tasks of a GPU, say how many tasks a node has, where nothing
// else does.
void share_gpus_among_tasks(uint32_t tasks_of_gpu, sched::Shape& shape) {
  const uint32_t on_node = gpus_in(shape.per_node), of_task = gpus_in(shape.per_task);
  if (shape.ntasks_per_node) return;
  if (on_node && of_task) {
    shape.ntasks_per_node = on_node / of_task;
  } else if (on_node && shape.ntasks > on_node * tasks_of_gpu) {
    shape.ntasks_per_node = on_node * tasks_of_gpu;
  } else if (!on_node && tasks_of_gpu && shape.min_nodes == shape.max_nodes) {
    shape.ntasks_per_node = (shape.ntasks + shape.min_nodes - 1) / shape.min_nodes;
  }
}

void append(std::string& key, uint64_t number) {
  key += std::to_string(number) + ",";
}

void append(std::string& key, const sched::Bitmap& bits) {
  for (uint32_t i : bits.members()) append(key, i);
  key += ";";
}

void append(std::string& key, const std::vector<sched::GresNeed>& needs) {
  for (const sched::GresNeed& need : needs) {
    append(key, need.kind);
    append(key, need.any_type);
    append(key, need.count);
    key += need.name;
  }
  key += ";";
}

}  // namespace

Result<std::vector<sched::GresNeed>> gres_needs(const Cluster& cluster, const std::string& text,
                                                const std::string& name) {
  auto parsed = name.empty() ? parse_gres(text) : parse_gpus(text);
  if (!parsed) return slurm_fail(kErrInvalidGres);
  keep_last_of_each(*parsed);
  std::vector<sched::GresNeed> needs;
  for (const GresSpec& spec : *parsed) {
    if (spec.count == 0) continue;
    if (!cluster.has_gres(spec.name)) return slurm_fail(kErrInvalidGres);
    sched::GresNeed need;
    need.name = spec.name;
    need.count = static_cast<uint32_t>(std::min<uint64_t>(spec.count, UINT32_MAX));
    need.any_type = spec.type.empty();
    if (!need.any_type) {
      uint32_t kind = cluster.gres_kind(spec.name, spec.type);
      if (kind == UINT32_MAX) return slurm_fail(kErrNodeConfig);
      need.kind = static_cast<sched::GresKind>(kind);
    } else {
      // Any kind of that name stands for all of them.
      for (uint32_t k = 0; k < cluster.gres_kinds.size(); ++k) {
        if (cluster.gres_kinds[k].first == spec.name) {
          need.kind = static_cast<sched::GresKind>(k);
          break;
        }
      }
    }
    needs.push_back(std::move(need));
  }
  return needs;
}

Result<std::vector<sched::LicenseNeed>> license_needs(const Cluster& cluster,
                                                      const std::string& text) {
  std::vector<sched::LicenseNeed> needs;
  for (std::string_view item : split_words(text, ",;")) {
    std::string_view name = item.substr(0, item.find(':'));
    uint64_t count = 1;
    if (name.size() < item.size()) {
      auto number = parse_uint(item.substr(name.size() + 1), 1u << 30);
      if (!number) return slurm_fail(kErrInvalidLicense);
      count = *number;
    }
    auto found = cluster.licenses.find(name);
    if (found == cluster.licenses.end() || count > found->second.total) {
      return slurm_fail(kErrInvalidLicense);
    }
    needs.push_back({static_cast<uint32_t>(std::distance(cluster.licenses.begin(), found)),
                     static_cast<uint32_t>(count)});
  }
  return needs;
}

Result<sched::Shape> shape_of(const Cluster& cluster, const Job& job) {
  const v1::JobSpec& spec = *job.spec;
  const Settled& settled = job.settled;
  sched::Shape shape;
  shape.min_nodes = settled.min_nodes;
  shape.max_nodes = settled.max_nodes;
  shape.ntasks = settled.tasks;
  shape.ntasks_given = spec.has_ntasks();
  shape.ntasks_per_node = spec.ntasks_per_node();
  shape.ntasks_per_socket = spec.ntasks_per_socket();
  shape.ntasks_per_core = spec.ntasks_per_core();
  shape.cpus_per_task = settled.cpus_per_task;
  shape.min_cpus_per_node = settled.min_cpus_per_node;
  shape.sockets_per_node = spec.sockets_per_node();
  shape.cores_per_socket = spec.cores_per_socket();
  shape.threads_per_core = spec.threads_per_core();
  shape.overcommit = spec.overcommit();
  shape.mem_per_cpu_mb = settled.mem_per_cpu_mb;
  shape.mem_per_node_mb = settled.mem_per_node_mb;
  shape.mem_per_gpu_mb = spec.mem_per_gpu_mb();
  shape.all_memory = !settled.mem_per_cpu_mb && !settled.mem_per_node_mb && !shape.mem_per_gpu_mb;
  shape.tmp_mb = spec.tmp_mb();
  shape.cpus_per_gpu = spec.cpus_per_gpu();
  shape.enforce_binding = spec.gres_flags().find("enforce-binding") != std::string::npos;
  shape.sharing = sharing_of(job);
  shape.contiguous = spec.contiguous();
  shape.spread = spec.spread_job();
  shape.use_min_nodes = spec.use_min_nodes();
  Status added = add_gres(cluster, spec, shape);
  if (!added) return tl::unexpected(added.error());
  share_gpus_among_tasks(spec.ntasks_per_gpu(), shape);
  auto required = node_set(cluster, spec.required_nodes());
  if (!required) return tl::unexpected(required.error());
  shape.required_nodes = *required;
  auto excluded = node_set(cluster, spec.excluded_nodes());
  if (!excluded) return tl::unexpected(excluded.error());
  shape.excluded_nodes = *excluded;
  if (shape.required_nodes.intersects(shape.excluded_nodes)) return slurm_fail(kErrInvalidNodeName);
  auto constraint = parse_constraint(cluster, spec.constraint());
  if (!constraint) return tl::unexpected(constraint.error());
  if (constraint->least_nodes > shape.max_nodes) return slurm_fail(kErrNodeConfig);
  shape.min_nodes = std::max(shape.min_nodes, constraint->least_nodes);
  shape.features = std::move(constraint->sets);
  shape.same_features = constraint->same;
  auto preferred = parse_constraint(cluster, spec.prefer());
  if (!preferred) return slurm_fail(kErrInvalidPrefer);
  shape.preferred = std::move(preferred->sets);
  shape.same_preferred = preferred->same;
  return shape;
}

std::string shape_key(const sched::Shape& s) {
  std::string key;
  for (uint64_t number : {uint64_t{s.min_nodes},
                          uint64_t{s.max_nodes},
                          uint64_t{s.ntasks},
                          uint64_t{s.ntasks_per_node},
                          uint64_t{s.ntasks_per_socket},
                          uint64_t{s.ntasks_per_core},
                          uint64_t{s.ntasks_given},
                          uint64_t{s.cpus_per_task},
                          uint64_t{s.min_cpus_per_node},
                          uint64_t{s.sockets_per_node},
                          uint64_t{s.cores_per_socket},
                          uint64_t{s.threads_per_core},
                          uint64_t{s.overcommit},
                          s.mem_per_cpu_mb,
                          s.mem_per_node_mb,
                          s.mem_per_gpu_mb,
                          uint64_t{s.all_memory},
                          s.tmp_mb,
                          uint64_t{s.cpus_per_gpu},
                          uint64_t{s.enforce_binding},
                          static_cast<uint64_t>(s.sharing),
                          uint64_t{s.contiguous},
                          uint64_t{s.spread},
                          uint64_t{s.use_min_nodes},
                          uint64_t{s.same_features},
                          uint64_t{s.same_preferred},
                          uint64_t{s.own_max_nodes},
                          uint64_t{s.own_min_nodes}}) {
    append(key, number);
  }
  for (const auto* needs : {&s.per_node, &s.per_job, &s.per_task, &s.per_socket}) {
    append(key, *needs);
  }
  append(key, s.required_nodes);
  append(key, s.excluded_nodes);
  for (const auto* sets : {&s.features, &s.preferred}) {
    append(key, sets->size());
    for (const sched::FeatureSet& set : *sets) {
      append(key, set.all_of);
      append(key, set.count);
    }
  }
  return key;
}

}  // namespace grappe::embedded
