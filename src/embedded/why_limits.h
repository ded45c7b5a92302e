// The part of "why" that is about limits of the books: which one, whose, and who has what of it.
#pragma once

#include <functional>
#include <map>

#include "embedded/core.h"
#include "grappe/v1/why.pb.h"
#include "sched/limits/break_report.h"

namespace grappe::embedded {

// What the planning needs to know of limits, apart from the engine's own state.
struct LimitScene {
  std::shared_ptr<const sched::LimitTable> table;  // null: there are no limits
  std::vector<std::string> tres;
  std::map<uint32_t, v1::BrokenLimit> owners;  // by counter of the job's chains: whose it is
  std::vector<sched::CountedRun> running;      // parallel to those of the snapshot
  // What `running` points to.
  std::vector<std::shared_ptr<const sched::TresAmounts>> amounts;
  std::vector<JobPtr> jobs;
  int64_t half_life_s = 0;
};

LimitScene limit_scene(const State& state, const sched::Snapshot& snapshot, const Job& job);

// Nothing is set where no limit keeps the job in this partition.
void fill_limit(const LimitScene& scene, const sched::Snapshot& snapshot,
                const sched::PendingJob& job, sched::PartitionIndex partition, Reason reason,
                const std::function<bool(const Job&)>& may_see, v1::PartitionReason& out);

// As users name it: of an array the task too.
std::string shown_id(const Job& job);

}  // namespace grappe::embedded
