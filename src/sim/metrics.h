// What a run was like: waits, slowdowns, how full the machine was, who got how much.
//
// Only sums are kept, so that the memory does not grow with the number of jobs.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/histogram.h"
#include "sim/world.h"

namespace grappe::sim {

// How long a job was in the system for each second that it ran; runs shorter than ten seconds
// count as ten, and no job has less than one.
double bounded_slowdown(Time wait, Time run);

struct UserFigures {
  uint64_t jobs = 0;
  Time worst_wait = 0;
};

// In seconds of one CPU, or of one GPU where the machine has GPUs.
struct AccountFigures {
  double used = 0;
  double entitled = 0;  // its equal part of the machine, as far as it had jobs for it
  double missing = 0;   // what it had less than that, at the times it had less
};

struct Figures {
  uint64_t jobs = 0, refused = 0;
  double mean_wait = 0, mean_slowdown = 0;
  Histogram waits;
  Time worst_wait = 0;
  // Until the last job came: what comes after it is only the machine getting empty.
  double utilisation = 0;
  double cpu_hours = 0, gpu_hours = 0;
  double fairness = 1;       // 1: everybody always had what they were entitled to
  Time first = 0, last = 0;  // submission, end
  uint64_t most_waiting = 0;
  // Jobs with several GPUs that a group of links could hold on each node, and those of them whose
  // GPUs are not all in one.
  uint64_t linkable = 0, split = 0;
  std::vector<UserFigures> users;
  std::vector<AccountFigures> accounts;
};

class Metrics : public Observer {
 public:
  explicit Metrics(const Machine& machine);

  void submitted(const TraceJob& job, Time now) override;
  void refused(const TraceJob& job) override;
  void started(const TraceJob& job, Time now) override;
  void placed(const TraceJob& job, const sched::RunningJob& running,
              const sched::Snapshot& snapshot) override;
  void ended(const TraceJob& job, Time start, Time now) override;

  Figures figures() const;
  uint64_t jobs_ended() const { return ended_; }

 private:
  struct Demand {
    uint64_t running = 0, waiting = 0;
    uint64_t total() const { return running + waiting; }
  };
  struct Used {
    double cpu_s = 0, gpu_s = 0;
  };

  uint64_t units(const TraceJob& job) const { return by_gpu_ ? job.gpus : job.cpus; }
  void advance(Time now);
  void share_out(double seconds);

  bool by_gpu_, has_links_;
  double cpus_, gpus_;
  Figures sums_;
  double wait_s_ = 0, slowdown_ = 0;
  uint64_t ended_ = 0, started_ = 0, waiting_ = 0;
  Time now_ = 0, last_submit_ = 0;
  uint64_t busy_cpus_ = 0, busy_gpus_ = 0;
  Used used_, used_at_last_submit_;
  std::vector<Demand> demand_;       // by account
  std::vector<uint32_t> demanding_;  // accounts that have some
};

}  // namespace grappe::sim
