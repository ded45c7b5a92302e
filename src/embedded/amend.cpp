#include "embedded/amend.h"

#include "embedded/cancel.h"
#include "embedded/history.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

bool for_operators(const v1::AmendJobsRequest& request) {
  return request.has_admin_comment() || request.has_system_comment() || request.has_wckey();
}

void amend(Job& job, const v1::AmendJobsRequest& request) {
  if (request.has_derived_exit_code()) {
    job.derived_exit_code = static_cast<int32_t>(request.derived_exit_code());
  }
  if (request.has_system_comment()) job.system_comment = request.system_comment();
  if (request.has_wckey()) job.wckey = request.wckey();
  if (!request.has_comment() && !request.has_admin_comment()) return;
  auto spec = std::make_shared<v1::JobSpec>(*job.spec);
  if (request.has_comment()) spec->set_comment(request.comment());
  if (request.has_admin_comment()) spec->set_admin_comment(request.admin_comment());
  job.spec = std::move(spec);
}

}  // namespace

Result<v1::AmendJobsResponse> amend_jobs(Core& core, const Caller& caller,
                                         const v1::AmendJobsRequest& request) {
  v1::AmendJobsResponse out;
  std::vector<JobPtr> past;
  std::vector<uint32_t> present;
  for (uint32_t id : request.job_ids()) {
    JobPtr job = core.state.get(id);
    const bool is_present = job != nullptr;
    if (!job) job = last_run_of(core.store, id);
    if (!job) return slurm_fail(kErrInvalidJobId);
    if (!may_change(caller, *job) || (for_operators(request) && !caller.is_operator)) {
      return slurm_fail(kErrAccessDenied);
    }
    out.add_job_ids(id);
    if (is_present) {
      present.push_back(id);
    } else {
      past.push_back(std::move(job));
    }
  }
  for (uint32_t id : present) amend(core.state.edit(id), request);
  for (const JobPtr& job : past) {
    Job changed = *job;
    amend(changed, request);
    core.state.save_past(std::move(changed));
  }
  return out;
}

}  // namespace grappe::embedded
