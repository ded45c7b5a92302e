#include "embedded/noted.h"

#include <algorithm>

#include "base/hostlist.h"
#include "embedded/core.h"
#include "embedded/reservation_records.h"
#include "embedded/reservation_times.h"
#include "model/node_state.h"
#include "model/reservation_flags.h"

namespace grappe::embedded {
namespace {

constexpr uint32_t kOutFlags = kNodeDrain | kNodeFailing;

TresCounts tres_of_node(const ClusterNode& node) {
  const MachineNode& machine = node.machine;
  TresCounts tres{{"cpu", machine.topology.cpus},
                  {"mem", machine.memory_mb},
                  {"node", 1},
                  {"billing", machine.topology.cpus}};
  for (const MachineDevice& device : machine.devices) {
    ++tres["gres/" + device.name];
    if (!device.type.empty()) ++tres["gres/" + device.name + ":" + device.type];
  }
  return tres;
}

// Down, or drained: one that is draining still works.
bool is_out(const ClusterNode& node) {
  return node.down || (node.flags & kOutFlags && node.jobs == 0);
}

NodeEvent event_of(const ClusterNode& node, int64_t now) {
  NodeEvent event;
  event.node = node.machine.name;
  event.start = now;
  event.state = static_cast<uint32_t>(node.down ? NodeBase::kDown : NodeBase::kIdle) |
                (node.flags & kOutFlags);
  event.reason = node.reason;
  event.uid = node.reason_uid;
  event.user = node.reason_user;
  event.tres = tres_of_node(node);
  return event;
}

void end_event(Core& core, NodeEvent event) {
  event.end = core.now;
  core.state.save_event(event);
}

void note_node(Core& core, const ClusterNode& node) {
  auto& events = core.noted.events;
  const auto known = events.find(node.machine.name);
  if (!is_out(node)) {
    if (known == events.end()) return;
    end_event(core, known->second);
    events.erase(known);
    return;
  }
  NodeEvent event = event_of(node, core.now);
  if (known != events.end()) {
    const NodeEvent& before = known->second;
    if (before.state == event.state && before.reason == event.reason) return;
    end_event(core, before);
  }
  core.state.save_event(event);
  events[event.node] = std::move(event);
}

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Those of the named users, in the named accounts if there are any; without users the accounts.
std::vector<uint32_t> associations_of(const Core& core, const ClusterReservation& r) {
  std::vector<uint32_t> ids;
  const bool by_user = !r.users.empty() && !r.users_denied;
  const bool by_account = !r.accounts.empty() && !r.accounts_denied;
  if (!by_user && !by_account) return ids;
  const std::string& cluster = core.state.cluster.config.service.cluster_name;
  for (const v1::Association* association : core.state.books.tree(cluster)) {
    if (by_user ? !lists(r.users, association->user()) : !association->user().empty()) continue;
    if (by_account && !lists(r.accounts, association->account())) continue;
    ids.push_back(association->id());
  }
  return ids;
}

ReservationWindow window_of(const Core& core, const ClusterReservation& r) {
  ReservationWindow window;
  window.id = r.id;
  window.name = r.name;
  window.start = r.start;
  window.end = r.end;
  window.flags = r.flags;
  window.nodes = fold_hostlist(r.node_names);
  const uint64_t cpus = reserved_cpus(core.state.cluster, r);
  if (cpus) window.tres["cpu"] = cpus;
  return window;
}

void note_reservation(Core& core, const ClusterReservation& r) {
  ReservationWindow window = window_of(core, r);
  const auto known = core.noted.windows.find(r.id);
  if (known != core.noted.windows.end()) {
    ReservationWindow& before = known->second;
    ReservationWindow same = window;
    same.start = before.start;
    same.associations = before.associations;  // of when it began
    if (same == before) return;
    same.end = before.end;
    if (same == before) {
      window.start = before.start;  // only its end was moved
    } else {
      before.end = std::min(before.end, core.now);
      core.state.save_window(before);
      window.start = core.now;
    }
  }
  window.associations = associations_of(core, r);
  core.state.save_window(window);
  core.noted.windows[r.id] = std::move(window);
}

void note_reservations(Core& core) {
  std::vector<uint32_t> active;
  for (const auto& [name, r] : core.state.cluster.reservations) {
    if (!r.active || r.has(kResvTimeFloat)) continue;
    active.push_back(r.id);
    note_reservation(core, r);
  }
  std::erase_if(core.noted.windows, [&](const auto& item) {
    if (std::find(active.begin(), active.end(), item.first) != active.end()) return false;
    if (item.second.end > core.now) {
      ReservationWindow over = item.second;
      over.end = core.now;
      core.state.save_window(over);
    }
    return true;
  });
}

}  // namespace

std::vector<ReservationWindow> planned_windows(const Core& core) {
  std::vector<ReservationWindow> out;
  for (const auto& [name, reservation] : core.state.cluster.reservations) {
    if (reservation.active && !reservation.has(kResvTimeFloat)) continue;
    ClusterReservation r = reservation;
    float_to(r, core.now);
    out.push_back(window_of(core, r));
    out.back().associations = associations_of(core, r);
  }
  return out;
}

void restore_noted(Core& core, const Recovered& recovered) {
  for (const NodeEvent& event : recovered.events) core.noted.events[event.node] = event;
  for (const ReservationWindow& window : recovered.windows) {
    if (window.end > core.now) core.noted.windows[window.id] = window;
  }
}

void note_cluster(Core& core) {
  const Cluster& cluster = core.state.cluster;
  NodeEvent event;
  event.start = core.now;
  event.reason = "Cluster Registered TRES";
  std::vector<std::string> names;
  for (const ClusterNode& node : cluster.nodes) {
    names.push_back(node.machine.name);
    for (const auto& [name, count] : tres_of_node(node)) event.tres[name] += count;
  }
  event.nodes = fold_hostlist(names);
  auto& events = core.noted.events;
  if (const auto known = events.find(""); known != events.end()) {
    if (known->second.tres == event.tres && known->second.nodes == event.nodes) return;
    end_event(core, known->second);
  }
  // Nodes that are gone are not out any more.
  std::erase_if(events, [&](const auto& item) {
    const bool gone = !item.first.empty() && !cluster.node_index.contains(item.first);
    if (gone) end_event(core, item.second);
    return gone;
  });
  core.state.save_event(event);
  events[""] = std::move(event);
}

void note_events(Core& core) {
  const bool some_out = core.noted.events.size() > 1;  // the cluster is there always
  for (const ClusterNode& node : core.state.cluster.nodes) {
    if (some_out || is_out(node)) note_node(core, node);
  }
  if (!core.state.cluster.reservations.empty() || !core.noted.windows.empty()) {
    note_reservations(core);
  }
}

}  // namespace grappe::embedded
