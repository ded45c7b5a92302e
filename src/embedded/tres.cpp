#include "embedded/tres.h"

#include <fmt/core.h>

#include "base/gres_spec.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "sched/billing.h"
#include "store/usage.h"

namespace grappe::embedded {
namespace {

using Wishes = std::vector<std::pair<GresSpec, uint64_t>>;  // and how many times

// The GPUs of the whole job are what Slurm counts, where they are given; else those of its nodes,
// of its sockets, of its tasks.
std::pair<std::vector<GresSpec>, uint64_t> gpus_asked(const Settled& settled,
                                                      const v1::JobSpec& spec) {
  const std::pair<const std::string&, uint64_t> ways[] = {
      {spec.gpus(), 1},
      {spec.gpus_per_node(), settled.min_nodes},
      {spec.gpus_per_socket(), uint64_t{settled.min_nodes} * std::max(spec.sockets_per_node(), 1u)},
      {spec.gpus_per_task(), settled.tasks},
  };
  for (const auto& [text, times] : ways) {
    if (text.empty()) continue;
    if (auto specs = parse_gpus(text)) return {std::move(*specs), times};
  }
  return {};
}

Wishes gres_asked(const Settled& settled, const v1::JobSpec& spec) {
  Wishes out;
  const auto [gpus, times] = gpus_asked(settled, spec);
  bool on_nodes = false;
  if (auto specs = parse_gres(spec.gres()); specs && !spec.gres().empty()) {
    keep_last_of_each(*specs);
    for (GresSpec& one : *specs) {
      if (one.name == "gpu" && !spec.gpus().empty()) continue;
      on_nodes |= one.name == "gpu" && one.count > 0;
      out.emplace_back(std::move(one), settled.min_nodes);
    }
  }
  if (on_nodes && spec.gpus_per_node().empty()) return out;
  for (const GresSpec& one : gpus) out.emplace_back(one, times);
  return out;
}

void add_types(const Settled& settled, const v1::JobSpec& spec, TresCounts& counts) {
  for (const auto& [gres, times] : gres_asked(settled, spec)) {
    if (!gres.type.empty()) counts["gres/" + gres.name + ":" + gres.type] += gres.count * times;
  }
}

TresCounts asked(const Settled& settled, const v1::JobSpec& spec) {
  TresCounts counts{{"cpu", settled.cpus}, {"node", settled.min_nodes}};
  counts["mem"] = memory_asked_mb(settled);
  for (const auto& [gres, times] : gres_asked(settled, spec)) {
    if (gres.count) counts["gres/" + gres.name] += gres.count * times;
  }
  if (spec.has_mem_per_gpu_mb() && counts.contains("gres/gpu")) {
    counts["mem"] = counts["gres/gpu"] * spec.mem_per_gpu_mb();
  }
  return counts;
}

// "matlab:2,flex": billed like what nodes have.
void add_licenses(const v1::JobSpec& spec, TresCounts& counts) {
  for (std::string_view item : split_words(spec.licenses(), ",;")) {
    const size_t colon = item.find(':');
    const uint64_t count = colon == std::string_view::npos
                               ? 1
                               : parse_uint(item.substr(colon + 1), UINT32_MAX).value_or(0);
    counts["license/" + std::string(item.substr(0, colon))] += count;
  }
}

// What everything that runs has; most has nothing else.
struct Amounts {
  uint64_t cpus = 0, memory_mb = 0, nodes = 0;
  std::optional<uint64_t> billing;
};

std::string text_of(const Amounts& amounts) {
  std::string out = "cpu=" + std::to_string(amounts.cpus);
  if (amounts.memory_mb) out += ",mem=" + format_megabytes(amounts.memory_mb);
  out += ",node=" + std::to_string(amounts.nodes);
  if (amounts.billing) out += ",billing=" + std::to_string(*amounts.billing);
  return out;
}

std::optional<double> weighed(const Cluster& cluster, const ClusterPartition& partition,
                              TresCounts counts, const v1::JobSpec& spec) {
  const auto& weights = partition.config.tres_billing_weights;
  if (weights.empty()) return std::nullopt;
  add_licenses(spec, counts);
  return sched::billing(counts, weights, sched::billing_rule(cluster.config.priority.flags));
}

}  // namespace

uint64_t memory_asked_mb(const Settled& settled) {
  return settled.mem_per_cpu_mb ? settled.mem_per_cpu_mb * settled.cpus
                                : settled.mem_per_node_mb * settled.min_nodes;
}

TresCounts tres_asked(const Job& job) {
  TresCounts counts = asked(job.settled, *job.spec);
  const auto& billing = job.settled.billing;
  counts["billing"] = billing ? static_cast<uint64_t>(*billing) : job.settled.cpus;
  return counts;
}

TresCounts tres_limited(const Job& job) {
  TresCounts counts = tres_asked(job);
  if (job.allocation.empty()) {
    add_types(job.settled, *job.spec, counts);
  } else {
    counts = tres_counts(job);
  }
  add_licenses(*job.spec, counts);
  return counts;
}

std::string tres_text(const std::vector<NodeAllocation>& allocation,
                      std::optional<uint64_t> billing) {
  Amounts amounts{.billing = billing};
  for (const NodeAllocation& share : allocation) {
    amounts.cpus += share.cpus.size();
    amounts.memory_mb += share.memory_mb;
    ++amounts.nodes;
    if (share.gres.empty()) continue;
    TresCounts counts = tres_counts(allocation);
    if (billing) counts["billing"] = *billing;
    return tres_text(counts);
  }
  return text_of(amounts);
}

std::string tres_text(const TresCounts& tres) {
  auto amount = [&](const char* name) {
    const auto found = tres.find(name);
    return found == tres.end() ? 0 : found->second;
  };
  Amounts amounts{amount("cpu"), amount("mem"), amount("node"), std::nullopt};
  if (tres.contains("billing")) amounts.billing = amount("billing");
  std::string out = text_of(amounts);
  for (auto gres = tres.lower_bound("gres/"); gres != tres.end(); ++gres) {
    if (!gres->first.starts_with("gres/")) break;
    out += fmt::format(",{}={}", gres->first, gres->second);
  }
  return out;
}

std::optional<double> billing_asked(const Cluster& cluster, const ClusterPartition& partition,
                                    const Settled& settled, const v1::JobSpec& spec) {
  return weighed(cluster, partition, asked(settled, spec), spec);
}

std::optional<double> billing_of(const Cluster& cluster, const Job& job) {
  const ClusterPartition* partition = cluster.partition(job.partitions.front());
  if (!partition) return std::nullopt;
  return weighed(cluster, *partition, tres_counts(job.allocation), *job.spec);
}

TresCounts tres_of(const Cluster& cluster, const ClusterPartition& partition) {
  TresCounts counts{{"cpu", partition.total_cpus}, {"node", partition.nodes.size()}};
  for (uint32_t index : partition.nodes) {
    const MachineNode& machine = cluster.nodes.at(index).machine;
    counts["mem"] += machine.memory_mb;
    for (const MachineDevice& device : machine.devices) {
      ++counts["gres/" + device.name];
      if (!device.type.empty()) ++counts["gres/" + device.name + ":" + device.type];
    }
  }
  counts["billing"] =
      static_cast<uint64_t>(sched::billing(counts, partition.config.tres_billing_weights,
                                           sched::billing_rule(cluster.config.priority.flags)));
  return counts;
}

}  // namespace grappe::embedded
