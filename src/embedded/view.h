// What the commands are shown of jobs, steps and nodes.
#pragma once

#include <map>

#include "embedded/cluster.h"
#include "embedded/core.h"
#include "model/job.h"

namespace grappe::embedded {

// The little that a job's view takes from the configuration; a copy, so that long answers can be
// written away from the engine's thread.
struct ViewContext {
  std::string cluster_name;
  bool requeue = true;
  std::string mail_domain;
  std::map<std::string, uint32_t> most_cpus;  // of a node, by partition
  bool track_wckey = false;
};
ViewContext view_context(const Cluster& cluster);

void fill_job(const ViewContext& context, const Job& job, v1::ListJobsRequest::View view,
              v1::JobInfo* out);
// For the history: no expectations, no files, no request.
void fill_past_job(const ViewContext& context, const Job& job, v1::JobInfo* out);
// The same without the words of its request.
void fill_past_job_briefly(const Job& job, v1::JobInfo* out);
// Without the way to its tasks, which only a running one has.
void fill_step(const Job& job, const Step& step, v1::StepInfo* out);

// "node[1-3]", in the order of their names.
std::string node_list_text(std::vector<std::string> names);

// "batch", "interactive", "extern" or the number.
std::string step_name(uint32_t step_id);

}  // namespace grappe::embedded
