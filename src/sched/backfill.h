// The plan: every pending job in order starts now if it can without delaying the planned start of
// one before it, else gets a planned start of its own, up to a number of them.
#pragma once

#include <unordered_map>
#include <vector>

#include "sched/limits/limit_gate.h"
#include "sched/order.h"
#include "sched/plan.h"
#include "sched/preempt.h"
#include "sched/protection.h"
#include "sched/shape_memo.h"
#include "sched/spare.h"
#include "sched/timeline.h"

namespace grappe::sched {

class Planner {
 public:
  Planner(const Snapshot& snapshot, const Policy& policy);

  Plan run();
  // No further than this pending job, which gets a planned start however far off it is.
  Plan run_until(uint32_t job);

 private:
  // A job being looked at in one of its partitions.
  struct Look {
    uint32_t index = 0;
    const PendingJob* job = nullptr;
    PartitionIndex partition = 0;
    ShapeFacts* shape = nullptr;
    Request request;
    bool remember = false;   // its failures say something of others like it
    bool plan = false;       // it may get a planned start
    bool no_choice = false;  // enough is free now, but not of CPUs and devices near each other
    Reason limit = Reason::kNone;  // one of its limits forbids it to start now
  };

  enum class Pass : uint8_t {
    kProtect,  // in order: start, or get a planned start that nobody behind delays
    kFill,     // start in what those leave free
    kForetell  // when the others are expected to start
  };

  // `rest`: takes those whose pool has all the protected jobs that it may have.
  void look_at(const std::vector<Candidate>& order, std::vector<Candidate>* rest);
  void foretell(const std::vector<Candidate>& order);
  bool asked_is_settled() const;
  const Protection& protection(PartitionIndex partition) const;
  bool room_for_protection(PartitionIndex partition) const;
  void look(const Candidate& candidate);
  void look_at_resources(Look& look);
  // Dismissed without a close look: it certainly can't start now and is not to be planned.
  bool dismissed(const Look& look);
  Bitmap nodes_for(const Look& look) const;

  bool start_copies(Look& look);
  bool start_one(Look& look);
  std::optional<Placement> place_now(Look& look);
  std::optional<Placement> place_shortened(Look& look);
  bool assign(Look& look, const Placement& placement);
  void make_room(Look& look);
  void give_back(uint32_t job);

  void reserve(Look& look, Waiting& waiting);
  std::optional<Slot> next_slot(Look& look, Time until);

  Waiting& wait(uint32_t job, Reason reason, std::string detail = {});
  void wait_for_limit(const Look& look);
  void wait_for_nodes(const Look& look);
  Waiting& wait_for_turn(Look& look);
  std::string turn_detail(Look& look) const;

  const Snapshot& snapshot_;
  const Policy& policy_;
  Timeline timeline_;
  ShapeMemo shapes_;
  SpareViews spare_;
  LimitGate limits_;
  Preemptor preemptor_;
  std::vector<Node> nodes_;            // as the starts decided so far leave them
  std::vector<uint32_t> copies_left_;  // by pending job
  std::vector<uint32_t> waiting_at_;   // by pending job: index into plan_.waiting
  std::unordered_map<uint32_t, std::vector<Kept>> kept_;  // of jobs with several partitions
  std::vector<bool> blocked_;                             // by partition: a job waits its turn
  std::vector<bool> told_down_;          // by partition: a job waits for nodes that are down
  std::vector<bool> stopped_;            // by partition: a limit stops all that come after
  Bitmap blocked_nodes_;                 // of the blocked partitions
  std::vector<uint32_t> pools_;          // by partition
  std::vector<Protection> protections_;  // by pool
  std::vector<uint32_t> protected_;      // by pool: planned starts that are kept
  std::vector<uint32_t> searches_;       // by pool: for a planned start
  Pass pass_ = Pass::kProtect;
  uint32_t always_plan_ = UINT32_MAX;
  std::size_t asked_looks_ = SIZE_MAX;  // at that one that are still to be made
  bool cleared_ = false;                // some entry of plan_.waiting waits no more
  Plan plan_;
};

}  // namespace grappe::sched
