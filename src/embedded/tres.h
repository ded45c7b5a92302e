// Trackable resources of jobs: what they ask for, what that is billed as, how it is written.
#pragma once

#include "embedded/cluster.h"
#include "model/job.h"
#include "model/usage.h"

namespace grappe::embedded {

uint64_t memory_asked_mb(const Settled& settled);
// With what it is billed.
TresCounts tres_asked(const Job& job);

// All that limits count, types of devices and licences too: what it asks for or, when it has
// started, has.
TresCounts tres_limited(const Job& job);

// "cpu=2,mem=512M,node=1,billing=2,gres/gpu=1"
std::string tres_text(const TresCounts& tres);
// Of what a job or a step has; a step is not billed.
std::string tres_text(const std::vector<NodeAllocation>& allocation,
                      std::optional<uint64_t> billing = std::nullopt);

// What a job is billed each second by the weights of its partition; absent: as many as it has CPUs.
std::optional<double> billing_asked(const Cluster& cluster, const ClusterPartition& partition,
                                    const Settled& settled, const v1::JobSpec& spec);
std::optional<double> billing_of(const Cluster& cluster, const Job& job);

// All of a partition.
TresCounts tres_of(const Cluster& cluster, const ClusterPartition& partition);

}  // namespace grappe::embedded
