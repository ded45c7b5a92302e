// What the commands are shown of jobs, steps and nodes.
#pragma once

#include "embedded/cluster.h"
#include "embedded/core.h"
#include "model/job.h"

namespace grappe::embedded {

void fill_job(const Cluster& cluster, const Job& job, v1::ListJobsRequest::View view, int64_t now,
              v1::JobInfo* out);
void fill_step(const Core& core, const Job& job, const Step& step, v1::StepInfo* out);

// "node[1-3]", in the order of their names.
std::string node_list_text(std::vector<std::string> names);

// "cpu=2,mem=512M,node=1,billing=2,gres/gpu=1": of an allocation, or of what is asked for.
std::string tres_text(const std::vector<NodeAllocation>& allocation);
std::string tres_asked(const Job& job);

// "batch", "interactive", "extern" or the number.
std::string step_name(uint32_t step_id);

}  // namespace grappe::embedded
