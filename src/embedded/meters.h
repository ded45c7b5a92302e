// What running steps use: when each is looked at, and what has been seen of it so far.
//
// The figures live here, in memory, until the step ends; of a long one they are written now and
// then, with whatever else is being written, so that a restart does not begin at nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "engine/engine.h"
#include "exec/executor.h"
#include "model/job.h"
#include "model/use_series.h"

namespace grappe::embedded {

struct TaskMeter {
  uint64_t cpu_us = 0;
  uint64_t rss = 0, max_rss = 0;
  uint64_t vsize = 0, max_vsize = 0;
  uint64_t pages = 0, read = 0, written = 0;
};

class StepMeter {
 public:
  // Goes on where the record stopped.
  explicit StepMeter(const Step& step);

  uint32_t interval_s = 0;  // 0: looked at when somebody asks, and at the end
  int64_t due = 0;
  int64_t sampled_ms = 0;
  int64_t saved = 0;
  std::set<uint32_t> gpus;     // numbers of the device files of those it has
  std::vector<uint32_t> pids;  // at the last look

  void add(const exec::StepSample& sample, int64_t now);
  void add_gpus(const std::vector<exec::GpuUse>& all);
  void finish(const exec::StepUsage& usage);

  // Into the record.
  void save(Step& step) const;
  v1::StepUse use() const;
  const UseSeries& series() const { return series_; }

 private:
  void take_time(uint64_t user_us, uint64_t system_us);
  void fill(v1::Spread* out, uint64_t TaskMeter::*peak, uint64_t TaskMeter::*last) const;

  std::vector<TaskMeter> tasks_;  // by rank
  uint64_t user_us_ = 0, system_us_ = 0, max_rss_ = 0;
  v1::StepUse known_;  // what is not in the tasks, and peaks of before a restart
  UseSeries series_;
};

struct UseWaiter {
  Caller caller;
  v1::StepUseRequest request;
  Reply<v1::StepUseResponse> reply;
};

struct Meters {
  std::map<exec::StepKey, StepMeter> steps;
  int64_t due = 0;       // the first of them
  int64_t save_due = 0;  // when one may be worth writing
  uint64_t requests = 0;
  std::multimap<uint64_t, UseWaiter> waiters;  // by the request that answers them
};

}  // namespace grappe::embedded
