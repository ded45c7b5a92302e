// Nodes that leave a running job: one that has failed under a job with --no-kill, and those that
// its user gives back (`scontrol update JobId=7 NumNodes=1`).
//
// Tasks there are killed, steps go on with the others; what is left of the job is confined to what
// it still has. A requeued job asks again for all that it had asked for.
#pragma once

#include <set>
#include <string>

#include "embedded/core.h"

namespace grappe::embedded {

// `leaving`: indexes of nodes of the cluster. At least one of the job's stays.
void shrink_job(Core& core, uint32_t job_id, const std::set<uint32_t>& leaving);

// The node is down and the job is not to end for it. False when the job has no other node.
bool survive_node(Core& core, uint32_t job_id, uint32_t node);

// NumNodes= and NodeList= of a running job, in Slurm's rules; 0 or an error number.
int keep_nodes(Core& core, uint32_t job_id, const v1::UpdateJobRequest& request);

// Whether nodes have left it.
bool is_shrunk(const Job& job);
// Tells the executor again what a shrunk job may use: it may not have heard.
void confine_again(Core& core, const Job& job);

}  // namespace grappe::embedded
