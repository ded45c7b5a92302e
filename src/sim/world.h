// A cluster under a virtual clock: jobs come, the production scheduler starts them, they end.
//
// Everything that happens at one second is one batch: ends, then arrivals, then one plan.
#pragma once

#include <memory>
#include <vector>

#include "sched/forecast/arrivals.h"
#include "sched/plan.h"
#include "sched/run_history.h"
#include "sim/machine.h"
#include "sim/shapes.h"
#include "sim/trace.h"

namespace grappe::sim {

struct Trial {
  Machine machine;
  sched::Policy policy;
  Time max_time = kForever;  // jobs that ask for more run in pieces, one after the other
};

// Hears of what happens.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void submitted(const TraceJob&, Time /*now*/) {}
  virtual void refused(const TraceJob&) {}  // it could not run even on an empty machine
  virtual void started(const TraceJob&, Time /*now*/) {}
  // Right after it started: where.
  virtual void placed(const TraceJob&, const sched::RunningJob&, const sched::Snapshot&) {}
  virtual void ended(const TraceJob&, Time /*start*/, Time /*now*/) {}
};

class World {
 public:
  struct Active {
    TraceJob job;
    Time start, end;
  };

  explicit World(const Trial& trial, Observer* observer = nullptr);

  Time now() const { return snapshot_.now; }
  bool idle() const { return waiting_.empty() && active_.empty(); }
  // kForever when nothing runs.
  Time next_end() const;

  // Sets the clock forward; what ends until then, ends.
  void advance(Time to);
  // Arrives now. Returns its number in this world, 0 when it is refused.
  uint64_t submit(const TraceJob& job);
  // One plan: starts what it says.
  void schedule();
  const std::vector<TraceJob>& waiting() const { return waiting_; }  // by time of arrival
  const std::vector<Active>& active() const { return active_; }
  const sched::Snapshot& snapshot() const { return snapshot_; }

  const sched::Policy& policy() const { return trial_->policy; }
  // The job as a forecast may have it come again.
  sched::Arrival arrival_of(const TraceJob& job);
  const sched::RunHistory& history() const { return *history_; }

 private:
  void begin(const sched::Start& start);
  void end(std::size_t index);
  sched::PendingJob pending_job(const TraceJob& job);

  std::shared_ptr<const Trial> trial_;
  std::shared_ptr<Shapes> shapes_;
  std::shared_ptr<sched::RunHistory> history_;
  Observer* observer_;
  sched::Snapshot snapshot_;
  std::vector<TraceJob> waiting_;  // parallel to snapshot_.pending, whose tags ascend
  std::vector<Active> active_;     // parallel to snapshot_.running
  uint64_t free_cpus_;
  uint32_t last_tag_ = 0;
};

// Runs all jobs to their end. `until`: stops before the first instant after it.
void replay(World& world, Source& jobs, Time until = kForever);

}  // namespace grappe::sim
