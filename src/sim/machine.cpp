#include "sim/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory_size.h"
#include "base/text.h"

namespace grappe::sim {
namespace {

constexpr uint64_t kMostNodes = 100000, kMostCpus = 1000000, kMostGpus = 1000;

Status read_extra(std::string_view word, NodeGroup& group) {
  if (word.starts_with("gpu=")) {
    auto gpus = parse_uint(word.substr(4), kMostGpus);
    if (!gpus) return fail(fmt::format("'{}' is not a number of GPUs", word.substr(4)));
    group.gpus = static_cast<uint32_t>(*gpus);
    return {};
  }
  if (word.starts_with("links=")) {
    auto links = parse_uint(word.substr(6), kMostGpus);
    if (!links || *links == 0) {
      return fail(fmt::format("'{}' is not a number of linked GPUs", word.substr(6)));
    }
    group.links = static_cast<uint32_t>(*links);
    return {};
  }
  if (word.starts_with("mem=")) {
    auto memory = parse_megabytes(word.substr(4));
    if (!memory) return fail(fmt::format("'{}' is not an amount of memory", word.substr(4)));
    group.memory_mb = *memory;
    return {};
  }
  return fail(
      fmt::format("'{}' is not understood: a node may have gpu=N, links=N and mem=SIZE", word));
}

Result<NodeGroup> parse_group(std::string_view text) {
  std::vector<std::string_view> words = split(text, ':');
  std::vector<std::string_view> sizes = split(words[0], 'x');
  auto cpus = parse_uint(sizes.back(), kMostCpus);
  auto nodes = sizes.size() == 2 ? parse_uint(sizes[0], kMostNodes) : 1;
  if (sizes.size() > 2 || !cpus || !nodes || *cpus == 0 || *nodes == 0) {
    return fail(
        fmt::format("'{}' is not a machine: write 100, or NODESxCPUS as 16x64:gpu=8", text));
  }
  NodeGroup group{static_cast<uint32_t>(*nodes), static_cast<uint32_t>(*cpus)};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (Status read = read_extra(words[i], group); !read) return tl::unexpected(read.error());
  }
  return group;
}

sched::Node node_of(const NodeGroup& group, std::size_t number) {
  sched::Node node;
  node.name = fmt::format("n{}", number);
  node.cpus = node.cores_per_socket = group.cpus;
  node.memory_mb = group.memory_mb;
  for (uint32_t g = 0; g < group.gpus; ++g) {
    node.devices.push_back({0, g, group.links ? g / group.links : 0, {}});
  }
  return node;
}

}  // namespace

uint64_t Machine::cpus() const {
  uint64_t sum = 0;
  for (const NodeGroup& group : groups) sum += uint64_t{group.nodes} * group.cpus;
  return sum;
}

uint64_t Machine::gpus() const {
  uint64_t sum = 0;
  for (const NodeGroup& group : groups) sum += uint64_t{group.nodes} * group.gpus;
  return sum;
}

uint32_t Machine::gpus_per_node() const {
  uint32_t most = 0;
  for (const NodeGroup& group : groups) most = std::max(most, group.gpus);
  return most;
}

bool Machine::counts_memory() const {
  auto has = [](const NodeGroup& group) { return group.memory_mb > 0; };
  return std::any_of(groups.begin(), groups.end(), has);
}

bool Machine::has_links() const {
  auto has = [](const NodeGroup& group) { return group.links > 0; };
  return std::any_of(groups.begin(), groups.end(), has);
}

Result<Machine> parse_machine(std::string_view text) {
  Machine machine;
  for (std::string_view part : split(text, '+')) {
    auto group = parse_group(part);
    if (!group) return tl::unexpected(group.error());
    machine.groups.push_back(*group);
  }
  return machine;
}

std::string machine_text(const Machine& machine) {
  std::string out;
  for (const NodeGroup& group : machine.groups) {
    if (!out.empty()) out += " + ";
    if (group.nodes > 1) out += fmt::format("{} nodes of ", group.nodes);
    out += fmt::format("{} CPUs", group.cpus);
    if (group.gpus) out += fmt::format(", {} GPUs", group.gpus);
    if (group.links) out += fmt::format(" in groups of {}", group.links);
    if (group.memory_mb) out += ", " + format_megabytes(group.memory_mb);
  }
  return out;
}

sched::Snapshot empty_machine(const Machine& machine) {
  sched::Snapshot snapshot;
  snapshot.gres_names = {"gpu"};
  snapshot.partitions.push_back({"all"});
  for (const NodeGroup& group : machine.groups) {
    for (uint32_t i = 0; i < group.nodes; ++i) {
      snapshot.partitions[0].nodes.set(static_cast<uint32_t>(snapshot.nodes.size()));
      snapshot.nodes.push_back(node_of(group, snapshot.nodes.size() + 1));
    }
  }
  return snapshot;
}

}  // namespace grappe::sim
