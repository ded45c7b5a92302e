#include "sched/pick_devices.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace grappe::sched {
namespace {

struct Group {
  bool far = false;  // no CPU near it is free
  std::vector<uint32_t> devices;
};

bool near_is_taken(const Node& node, const GresDevice& device) {
  return device.near_cpus.any() && !(device.near_cpus - node.used_cpus).any();
}

std::vector<Group> free_groups(const DeviceNeed& need, const Node& node, bool by_links) {
  std::map<uint32_t, Group> by_link;
  for (uint32_t i = 0; i < node.devices.size(); ++i) {
    const GresDevice& device = node.devices[i];
    if (node.used_devices.test(i) || !need.takes(device.kind)) continue;
    Group& group = by_link[by_links ? device.link_group : 0];
    group.far = by_links && near_is_taken(node, device);
    group.devices.push_back(i);
  }
  std::vector<Group> groups;
  for (auto& [link, group] : by_link) groups.push_back(std::move(group));
  return groups;
}

// The smallest group that is enough, else the largest; near before far, low before high.
std::vector<Group>::iterator best_group(std::vector<Group>& groups, uint32_t count) {
  auto better = [count](const Group& a, const Group& b) {
    bool a_short = a.devices.size() < count, b_short = b.devices.size() < count;
    int64_t a_size = static_cast<int64_t>(a.devices.size());
    int64_t b_size = static_cast<int64_t>(b.devices.size());
    return std::tuple(a_short, a.far, a_short ? -a_size : a_size, a.devices.front()) <
           std::tuple(b_short, b.far, b_short ? -b_size : b_size, b.devices.front());
  };
  return std::min_element(groups.begin(), groups.end(), better);
}

bool pick_for(const DeviceNeed& need, const Node& node, uint32_t count, bool by_links,
              std::vector<uint32_t>& out) {
  std::vector<Group> groups = free_groups(need, node, by_links);
  while (count > 0 && !groups.empty()) {
    auto group = best_group(groups, count);
    uint32_t take = std::min(count, static_cast<uint32_t>(group->devices.size()));
    out.insert(out.end(), group->devices.begin(), group->devices.begin() + take);
    count -= take;
    groups.erase(group);
  }
  return count == 0;
}

}  // namespace

std::optional<std::vector<uint32_t>> pick_devices(const Needs& needs, const Site& site,
                                                  const Piece& piece, bool by_links) {
  std::vector<uint32_t> out;
  if (piece.whole) {
    for (uint32_t i = 0; i < site.node->devices.size(); ++i) {
      if (!site.node->used_devices.test(i)) out.push_back(i);
    }
    return out;
  }
  for (std::size_t d = 0; d < needs.devices.size(); ++d) {
    if (!pick_for(needs.devices[d], *site.node, piece.devices[d], by_links, out)) {
      return std::nullopt;
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace grappe::sched
