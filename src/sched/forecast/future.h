// A queue under a virtual clock: the production scheduler starts jobs, they end after what was
// drawn for them, others come.
//
// Everything that happens at one second is one batch: ends, then arrivals, then one plan. Of a long
// queue only the head is looked at in each plan. Many futures share one Queue.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "sched/plan.h"
#include "sched/run_history.h"

namespace grappe::sched {

// A job that waits at the moment from which a future goes on.
struct Waiter {
  PendingJob job;
  uint32_t more = 0;    // tasks of its array that may start only when others of it have ended
  uint64_t group = 0;   // the array; 0: none
  Time not_before = 0;  // it does not count until then
  std::vector<uint32_t> after;  // jobs and arrays that must be over first
};

// What is known at one instant.
struct Queue {
  Snapshot machine;              // with what runs, tagged by job id; nobody in `pending`
  std::vector<uint64_t> groups;  // of those that run, parallel to them; empty: none
  std::vector<Waiter> waiting;   // in the order in which they are looked at
  std::unordered_map<uint32_t, std::vector<uint32_t>> dependents;  // of a job or array: places
  std::unordered_map<uint64_t, uint32_t> arrays;  // group -> place, of those with more tasks
  Policy policy;
};

// Puts those that wait in order, and makes what is derived of them.
void settle(Queue& queue);

// How long a job with this limit will run, drawn from history; `elapsed` seconds of it are over,
// -1: it waits.
Time drawn_run(const RunHistory& history, uint32_t user, Time limit, Time elapsed, Random& random);

class Future {
 public:
  // Without history every job runs until its limit, if it has one. `seen`: how many of those that
  // wait a plan looks at.
  Future(const Queue& queue, const RunHistory* history, Random& random, std::size_t seen);

  Time now() const { return snapshot_.now; }
  // When something happens next by itself; kForever: nothing runs and nobody is to come.
  Time next() const;
  // Sets the clock forward; what ends until then, ends.
  void advance(Time to);
  // Somebody new arrives now.
  void submit(PendingJob job);
  // One plan: starts what it says.
  void schedule();

  // When the first task of the queue's job `place` has started; kForever: not yet.
  Time started(std::size_t place) const { return started_[place]; }
  std::size_t started_count() const { return started_count_; }

 private:
  using Key = std::tuple<uint64_t, Time, uint64_t>;  // priority inverted, submission, a number

  Key key_of(const PendingJob& job);
  Time run_of(uint32_t user, Time limit, Time elapsed);
  void draw_ends();
  void end(std::size_t index);
  void evict(const Evicted& evicted);
  void begin(const Start& start);
  void let_next_task(uint64_t group);
  void arrive(PendingJob job);
  void arrive_of_queue(std::size_t place);
  void count_unfinished();
  void is_over(uint64_t tag, uint64_t group);
  void refill();
  void count_limits(const RunningJob& job, bool runs);

  const Queue& queue_;
  const RunHistory* history_;
  Random& random_;
  std::size_t seen_;
  Policy policy_;
  Snapshot snapshot_;
  std::shared_ptr<LimitTable> limits_;  // the snapshot's, which follows
  bool node_limits_ = false;            // some limit counts nodes
  bool may_share_ = false;              // a CPU in use may still be had
  std::vector<Time> ends_;              // parallel to those that run
  std::vector<uint64_t> groups_;        // the same
  std::vector<Time> started_;           // by place in the queue
  std::vector<uint32_t> more_;          // the same; only where arrays are limited
  std::size_t started_count_ = 0;
  std::size_t next_in_queue_ = 0;
  std::multimap<Time, std::size_t> later_;    // places of those that do not count yet
  std::multimap<Key, PendingJob> newcomers_;  // not seen yet
  // What is still to end of jobs and arrays that others wait for, and for how many each waits.
  std::unordered_map<uint32_t, uint64_t> unfinished_;
  std::unordered_map<uint32_t, uint32_t> waits_for_;
  uint64_t free_cpus_ = 0;
  uint64_t last_number_ = 0;
};

}  // namespace grappe::sched
