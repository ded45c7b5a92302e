#include "cli/efficiency/find_jobs.h"

#include <algorithm>
#include <ctime>

#include "cli/sacct/sacct.h"
#include "grappe/v1/steps.pb.h"
#include "model/job_state.h"

namespace grappe {
namespace {

void merge_use(const v1::RunningStep& now, v1::JobRecord& job) {
  for (v1::StepRecord& step : *job.mutable_steps()) {
    if (step.info().step_id() != now.step_id()) continue;
    *step.mutable_use() = now.use();
    step.set_user_us(now.use().cpu_us().total());
    step.set_system_us(0);
    step.set_max_rss(std::max(step.max_rss(), now.use().rss().total()));
  }
}

}  // namespace

void add_running_use(Calls& calls, v1::HistoryResponse& found) {
  v1::StepUseRequest request;
  request.set_all_steps(true);
  std::vector<v1::JobRecord*> jobs;
  for (v1::JobRecord& job : *found.mutable_jobs()) {
    if (base_state(job.info().state()) != JobState::kRunning) continue;
    request.add_steps()->set_job_id(job.info().job_id());
    jobs.push_back(&job);
  }
  if (jobs.empty()) return;
  auto use = calls.call<v1::StepUseResponse>("Steps/Use", request);
  if (!use) return;
  for (size_t i = 0; i < jobs.size() && static_cast<int>(i) < use->answers_size(); ++i) {
    for (const v1::RunningStep& step : use->answers(static_cast<int>(i)).steps()) {
      merge_use(step, *jobs[i]);
    }
  }
}

Result<v1::HistoryResponse> find_jobs(Calls& calls, const std::vector<std::string>& ids) {
  v1::HistoryRequest request;
  for (const std::string& id : ids) {
    auto wish = parse_sacct_wish(id);
    if (!wish) return tl::unexpected<Error>(wish.error());
    *request.add_jobs() = wish->job;
  }
  request.set_end_time(std::time(nullptr) + 1);
  request.set_steps(true);
  auto found = calls.call<v1::HistoryResponse>("History/Jobs", request);
  if (found) add_running_use(calls, *found);
  return found;
}

}  // namespace grappe
