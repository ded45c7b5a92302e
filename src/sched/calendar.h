// The future of one node: what is free on it when, and for whom.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sched/hold_back.h"
#include "sched/place/room.h"
#include "sched/step_table.h"

namespace grappe::sched {

// A job as the calendar sees it.
struct Client {
  PartitionIndex partition = 0;
  uint32_t user = 0;
  uint32_t reservation = UINT32_MAX;
  bool alone = false;        // ExclusiveUser: no job of another user beside it
  bool anyway = false;       // as if there were no reservations
  bool shares_cpus = false;  // with others of its partition
  uint32_t gpus = 0;         // on each node at least (hold_back.h)
};

// What a search keeps of one node while its start moves on.
struct Probe {
  std::array<int64_t, 2> floor{};  // fewer cores, less memory is of no use
  std::size_t row = 0;
};

// What a job takes of a node, as the columns of the table (negative numbers).
struct Booking {
  NodeIndex node = 0;
  std::vector<int64_t> delta;
};

class Calendar {
 public:
  // `track_users`: some job may claim a node for its user alone.
  Calendar(const Snapshot& snapshot, NodeIndex index, const NodeFacts& facts, bool track_users,
           const HoldBack& hold_back = {});

  // The least of everything in [from, to) that this job may use. False when cores or memory are
  // below the floor at some time, or the node is closed to the job.
  bool free(const Client& client, Time from, Time to, Probe& probe,
            std::vector<int64_t>& out) const;
  // The least of everything, whoever of the partition asks.
  void lowest(PartitionIndex partition, Time from, Time to, std::vector<int64_t>& out) const;

  Booking booking(const Client& client, const Needs& needs, const Piece& piece, Time from,
                  Time to) const;
  // So that no other job finds a core while it lasts.
  void widen(Booking& booking) const;
  void book(const Client& client, const Booking& booking, Time from, Time to);
  void cancel(const Client& client, const Booking& booking, Time from, Time to);

  // A running job gives back its share at `end`.
  void running(const Node& node, const RunningJob& job, const NodeShare& share, Time now, Time end);
  // It gives it back at `to` instead of `from`; its CPUs only, if it is to be suspended then.
  void move_end(const Node& node, const RunningJob& job, const NodeShare& share, Time from,
                Time to);
  // Jobs outside the reservation may not use the node (or `cores` of it) in its time.
  void close(uint32_t reservation, Time from, Time to, uint32_t cores, bool whole);

  const HoldBack& hold_back() const { return hold_back_; }
  std::size_t slack_column() const;

  std::size_t rows() const { return table_.rows(); }

 private:
  struct Closed {
    uint32_t reservation;
    Time from, to;
    bool whole;
    StepTable held;  // cores kept for the reservation and not used by its jobs: -n and n
  };
  struct Occupant {
    Time from, to;
    uint32_t user;
    bool alone;
  };

  // Partitions whose jobs share CPUs have a column with the places on their cores: two jobs on a
  // core that four may share leave two. A job that does not share takes all places of its cores.
  struct Shared {
    PartitionIndex partition;
    int64_t per_core;
  };

  static std::vector<Shared> shared_on(const Snapshot& snapshot, NodeIndex index);
  static std::vector<int64_t> free_now(const Snapshot& snapshot, NodeIndex index,
                                       const NodeFacts& facts, const HoldBack& hold_back);
  std::size_t quota_column(PartitionIndex partition) const;
  std::size_t shared_column(PartitionIndex partition) const;  // 0: there is none
  // What a job with so many cores takes of the places, added to `delta`.
  void take_places(PartitionIndex partition, bool shares, int64_t cores,
                   std::vector<int64_t>& delta) const;
  // What a running job has: all columns but quotas.
  std::vector<int64_t> share_of(const Node& node, const RunningJob& job,
                                const NodeShare& share) const;
  int64_t cores_held(const RunningJob& job, const NodeShare& share) const;
  bool shut_out(const Client& client, Time from, Time to) const;
  void unhold(const Client& client, Time from, Time to, int64_t cores);

  const NodeFacts* facts_;
  HoldBack hold_back_;  // its columns are the last ones
  StepTable table_;
  std::vector<PartitionIndex> quotas_;  // partitions with MaxCPUsPerNode: columns at the end
  std::vector<Shared> shared_;          // their columns come after those
  std::vector<Closed> closed_;
  bool track_users_;
  std::vector<Occupant> occupants_;
};

}  // namespace grappe::sched
