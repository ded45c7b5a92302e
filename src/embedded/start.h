// Starting what the plan says.
#pragma once

#include "embedded/core.h"
#include "sched/plan.h"

namespace grappe::embedded {

// Gives a pending job (or the next task of an array) its resources and starts it.
// `magnet`: the reservation that drew a job which named none.
void start_job(Core& core, const sched::Start& start, const std::string& magnet = "");

// The script of a batch job that has its resources.
void start_script(Core& core, uint32_t job_id);

// Hands the batch step to the executor, after the commit. Also when it was not known to have
// started before a restart of the service.
void launch_batch(Core& core, uint32_t job_id);

// The names of an allocation's nodes, folded.
std::string hostlist_of(const std::vector<NodeAllocation>& allocation);

// Whether jobs have a /tmp, /var/tmp and /dev/shm of their own (JobContainerType).
bool has_private_tmp(const Core& core);

// The kernel's CPUs of a share; none where hardware is pretended.
std::vector<uint32_t> real_cpus_of(const Cluster& cluster, const NodeAllocation& share);

// What every step of a job shares.
exec::JobConfinement confinement_of(const Core& core, const Job& job);

}  // namespace grappe::embedded
