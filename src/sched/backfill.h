// The plan: every pending job in order starts now if it can without delaying the planned start of
// one before it, else gets a planned start of its own, up to a number of them.
//
// What was found for a shape is remembered: in the course of one plan resources only get fewer,
// so a job that could not start now can't later, nor one like it that runs as long.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "sched/order.h"
#include "sched/plan.h"
#include "sched/spare.h"
#include "sched/timeline.h"

namespace grappe::sched {

class Planner {
 public:
  Planner(const Snapshot& snapshot, const Policy& policy);

  // `always_plan`: the index of a job that gets a planned start however far off it is.
  Plan run(uint32_t always_plan = UINT32_MAX);

 private:
  // What is known of a shape in a partition.
  struct Known {
    PartitionIndex partition = 0;
    Reason never = Reason::kNone;
    Bitmap suitable;
    Bitmap usable;               // suitable and available
    Time fails_now = kForever;   // this long or longer can't start now
    Time fails_long = kForever;  // this long or longer ...
    Time not_before = 0;         // ... can't start before
  };
  struct ShapeKnown {
    Needs needs;
    std::vector<Known> partitions;
  };

  void look(const Candidate& candidate);
  // A reason that needs no look at resources.
  Reason gate(const PendingJob& job, const Partition& partition) const;
  Reason reservation_gate(const PendingJob& job) const;
  Known& known(const PendingJob& job, PartitionIndex partition, Needs*& needs);
  bool ruled_out(const PendingJob& job, PartitionIndex partition);
  bool unavailable(const Candidate& candidate, const Known& known);

  bool start_copies(const Candidate& candidate, Request& request, Known& known);
  bool start_one(const Candidate& candidate, Request& request, Known& known);
  std::optional<Placement> shortened(const PendingJob& job, Request& request);
  bool assign(const Candidate& candidate, const Request& request, const Placement& placement);
  void reserve(const Candidate& candidate, Request& request, Known& known, Waiting& waiting);
  void block(const Candidate& candidate, Waiting& waiting);
  Waiting& wait(const Candidate& candidate, Reason reason, std::string detail = {});
  Reason order_reason(PartitionIndex partition) const;
  bool memo_holds(const PendingJob& job) const;
  void forget_failures();

  const Snapshot& snapshot_;
  const Policy& policy_;
  Timeline timeline_;
  std::vector<Node> nodes_;  // as the starts decided so far leave them
  std::unordered_map<const Shape*, std::unique_ptr<ShapeKnown>> shapes_;
  std::vector<std::unique_ptr<Spare>> spare_;  // by partition, made when needed
  std::vector<uint32_t> copies_left_;          // by pending job
  std::vector<uint32_t> waiting_at_;           // by pending job: index into plan_.waiting
  std::unordered_map<uint32_t, std::vector<Kept>> kept_;  // of jobs with several partitions
  std::vector<bool> blocked_;                             // by partition: a job waits there
  Bitmap closed_nodes_;                                   // without backfill: of blocked partitions
  uint32_t always_plan_ = UINT32_MAX;
  bool users_matter_ = false;
  Plan plan_;
};

}  // namespace grappe::sched
