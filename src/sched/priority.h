// The priority of a job: a sum of weighted factors (PriorityType=priority/multifactor).
//
// Pure. Each factor is between 0 and 1 unless a flag says that it is not normalized; times its
// weight it is what sprio shows.
#pragma once

#include <cstdint>
#include <vector>

#include "model/config.h"

namespace grappe::sched {

// What the factors are measured against.
struct PriorityScale {
  // The highest of all; 0: nobody has any.
  uint32_t assoc = 0, qos = 0, partition = 0;
  uint32_t nodes = 0;  // of the cluster
  uint64_t cpus = 0;
};

// Of a trackable resource: asked for, or had once the job runs, and what its partition has.
struct TresPart {
  uint64_t amount = 0, of = 0;
};

// What is weighed of one job.
struct PriorityFacts {
  int64_t now = 0;
  int64_t submit_time = 0;
  int64_t accrue_time = 0;  // since when it grows older; 0: it does not
  double fair_share = 0;    // of its association
  uint32_t assoc_priority = 0, qos_priority = 0;
  uint32_t partition_factor = 0;  // PriorityJobFactor
  uint32_t nodes = 1;             // at least
  uint64_t cpus = 0;
  uint32_t time_limit_min = 1;
  std::vector<TresPart> tres;  // one for each of PriorityWeightTRES, in its order
  int64_t site = 0;            // SiteFactor
  int64_t nice = 0;
};

// The factors, each times its weight.
struct WeightedFactors {
  double site = 0, age = 0, assoc = 0, fair_share = 0, job_size = 0, partition = 0, qos = 0;
  std::vector<double> tres;
  double nice = 0;  // to be taken away
};

WeightedFactors weigh(const PriorityConfig& config, const PriorityScale& scale,
                      const PriorityFacts& facts);

// Truncated; at least 1, because 0 is a job that is held.
uint32_t priority_of(const WeightedFactors& factors);

}  // namespace grappe::sched
