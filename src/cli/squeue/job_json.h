// squeue --json: every job with every member, as Slurm 22.05 (OpenAPI v0.0.38) writes them.
#pragma once

#include <string>

#include "grappe/v1/cluster.pb.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe {

// The nodes say which socket a core belongs to.
void append_jobs_json(std::string& out, const v1::ListJobsResponse& jobs,
                      const v1::NodesResponse& nodes);

}  // namespace grappe
