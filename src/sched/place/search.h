// The state of one attempt to find nodes for a job, shared by the ways of choosing them.
#pragma once

#include <vector>

#include "sched/place/choose.h"

namespace grappe::sched {

// A node taken, with its part of the tasks and of the devices counted for the whole job.
struct Pick {
  const Room* room = nullptr;
  uint32_t tasks = 0;
  DeviceCounts devices{};
};

class Search {
 public:
  // Between `min_nodes` and `max_nodes`, none of `dropped`.
  Search(const Needs& needs, const Ground& ground, uint32_t min_nodes, uint32_t max_nodes,
         const Bitmap& dropped);

  bool done() const { return nodes_ == 0 && tasks_ == 0 && devices_left() == 0; }
  bool full() const { return picks_.size() >= max_nodes_; }
  // Whether this one node, or this much of a run of nodes, would end the search.
  bool enough(const Room& room) const { return nodes_ <= 1 && covers(room.tasks, room.devices); }
  bool enough(std::size_t nodes, uint64_t tasks, const DeviceCounts& devices) const {
    return nodes >= nodes_ && covers(tasks, devices);
  }
  // Takes the node; false when it has nothing left to give or the job may have no more nodes.
  bool take(const Room& room);
  // Taken, or not to be.
  bool settled(NodeIndex node) const;

  std::vector<Pick>& picks() { return picks_; }
  const Needs& needs() const { return needs_; }
  const Ground& ground() const { return ground_; }

 private:
  bool covers(uint64_t tasks, const DeviceCounts& devices) const;
  uint32_t devices_left() const;

  const Needs& needs_;
  const Ground& ground_;
  uint32_t max_nodes_;
  const Bitmap& dropped_;
  // Still to be found.
  uint32_t nodes_;
  uint32_t tasks_;
  DeviceCounts devices_{};
  std::vector<Pick> picks_;
};

// The most nodes that this job may have in this partition.
uint32_t most_nodes(const Needs& needs, const Partition& partition);
uint32_t fewest_nodes(const Needs& needs, const Partition& partition);

// The ways of choosing. Each adds to the search until it is done; false when it can't be.
bool choose_packed(Search& search, const std::vector<Room>& rooms);  // pack.h
bool choose_by_runs(Search& search, const std::vector<Room>& rooms);
bool choose_contiguous(Search& search, const std::vector<Room>& rooms);
bool choose_least_loaded(Search& search, const std::vector<Room>& rooms);
bool choose_spread(Search& search, const std::vector<Room>& rooms);

// As many tasks on each node as on the others, where they fit.
void deal_evenly(Search& search);

// -N2-4: further nodes with one task each, taken from the nodes that have most.
void widen(Search& search, const std::vector<Room>& rooms);

}  // namespace grappe::sched
