// Free resources of all nodes and of licences over future time: when could a job start, and
// keeping that time for it.
#pragma once

#include <optional>
#include <vector>

#include "sched/calendar.h"
#include "sched/place/choose.h"
#include "sched/place/pack.h"
#include "sched/placement_rules.h"

namespace grappe::sched {

// One job's wish, ready to be looked up.
struct Request {
  const Needs* needs = nullptr;
  const Bitmap* nodes = nullptr;  // it may use these
  Client client;
  const std::vector<LicenseNeed>* licenses = nullptr;
  Time duration = 0;
};

struct Slot {
  Time start = 0;
  Placement placement;
};

// Something kept for a job, for giving it back.
struct Kept {
  Client client;
  Time from = 0, to = 0;
  std::vector<Booking> bookings;
  std::vector<int64_t> licenses;
};

class Timeline {
 public:
  explicit Timeline(const Snapshot& snapshot, const PlacementRules& rules = {});

  // Where the job would go if it ran in [start, start + duration).
  std::optional<Placement> place_at(const Request& request, Time start) const;
  bool licenses_at(const Request& request, Time start) const;
  // The first start in [from, until], with its place.
  std::optional<Slot> earliest(const Request& request, Time from, Time until) const;

  // When something next becomes free; kForever when nothing will.
  Time next_release(Time after) const;

  // As if a running job gave back at `at` what it gives back at its end: all of it, or its CPUs
  // when it would be suspended. And as if not.
  void release_early(const RunningJob& job, Time at);
  void hold_again(const RunningJob& job, Time at);

  Kept keep(const Request& request, const Placement& placement, Time start, bool whole_nodes);
  void give_back(const Kept& kept);

  const std::vector<NodeFacts>& facts() const { return facts_; }
  const Calendar& calendar(NodeIndex node) const { return calendars_[node]; }
  bool tracks_users() const { return track_users_; }
  // The least of each column of a node from now on for `duration`, whoever of the partition asks.
  void lowest(NodeIndex node, PartitionIndex partition, Time duration,
              std::vector<int64_t>& out) const;

 private:
  struct Event {
    Time at;
    NodeIndex node;  // kAnyNode: licences
  };
  static constexpr NodeIndex kAnyNode = UINT32_MAX;

  Ground ground(const Request& request) const;
  Site site(const Request& request, NodeIndex node) const;
  Room room(const Request& request, NodeIndex node, Time start, Probe& probe) const;
  void add_event(Time at, NodeIndex node);
  void move_end(const RunningJob& job, Time from, Time to);
  void add_running();
  void add_reservations();
  void hold_licenses(const Reservation& reservation, uint32_t index);

  const Snapshot& snapshot_;
  bool track_users_;
  std::vector<NodeFacts> facts_;
  std::vector<Calendar> calendars_;
  std::optional<Packing> packing_;
  StepTable licenses_;
  // By reservation: licences that are kept for its jobs and that none of them has yet.
  std::vector<std::vector<int64_t>> held_licenses_;
  // When something becomes free, in order: a job that can't start at one of them can't before
  // the next.
  std::vector<Event> events_;
  mutable std::vector<int64_t> scratch_;
};

}  // namespace grappe::sched
