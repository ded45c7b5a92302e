#include "embedded/shrink.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hostlist.h"
#include "base/log.h"
#include "embedded/start.h"
#include "embedded/steps.h"
#include "embedded/tres.h"
#include "embedded/usage.h"
#include "embedded/waiting.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

// Calls visit(step, index of the node in the step) for running steps on these nodes.
template <class Visit>
void for_each_step_on(const State& state, uint32_t job_id, const std::set<uint32_t>& nodes,
                      Visit visit) {
  for (const StepPtr& step : state.steps_of(job_id)) {
    if (step->end_time) continue;
    for (uint32_t i = 0; i < step->allocation.size(); ++i) {
      if (nodes.contains(step->allocation[i].node)) visit(*step, i);
    }
  }
}

void say(Core& core, const Step& step, std::string line) {
  core.after_commit([&core, key = key_of(step), line = std::move(line)] {
    core.executor.notify(key, line, exec::NoticeKind::kMessage);
  });
}

}  // namespace

bool is_shrunk(const Job& job) {
  return !job.allocation.empty() && job.allocation.size() < job.settled.min_nodes;
}

void confine_again(Core& core, const Job& job) {
  if (job.finished() || !is_shrunk(job)) return;
  core.after_commit(
      [&core, id = job.id, restart = job.restarts, what = confinement_of(core, job)]() mutable {
        core.executor.confine(id, restart, std::move(what));
      });
}

void shrink_job(Core& core, uint32_t job_id, const std::set<uint32_t>& leaving) {
  State& state = core.state;
  for_each_step_on(state, job_id, leaving, [&](const Step& step, uint32_t index) {
    core.after_commit([&core, key = key_of(step), index] { core.executor.end_node(key, index); });
  });
  state.release(*state.find(job_id));
  state.save_first_share(*state.find(job_id));
  charge_so_far(core, *state.find(job_id));
  Job& job = state.edit(job_id);
  std::erase_if(job.allocation,
                [&](const NodeAllocation& share) { return leaving.contains(share.node); });
  job.nodes = hostlist_of(job.allocation);
  job.billing = billing_of(state.cluster, job);
  state.occupy(job);
  state.save_share(job, core.now);
  state.reindex(job_id);
  for (uint32_t node : leaving) state.cluster.nodes.at(node).last_busy = core.now;
  core.plan_wanted = true;
  confine_again(core, job);
  log_info("job {} goes on with {}", job_id, job.nodes);
}

bool survive_node(Core& core, uint32_t job_id, uint32_t node) {
  const Job& job = *core.state.find(job_id);
  if (job.allocation.size() < 2) return false;
  const std::string text =
      fmt::format("error: Node failure on {}", core.state.cluster.nodes.at(node).machine.name);
  if (!job.spec->batch()) tell_waiters(core, job, text);
  for_each_step_on(core.state, job_id, {node}, [&](const Step& step, uint32_t) {
    if (step.spec) say(core, step, "srun: " + text);
  });
  shrink_job(core, job_id, {node});
  return true;
}

int keep_nodes(Core& core, uint32_t job_id, const v1::UpdateJobRequest& request) {
  const Job& job = *core.state.find(job_id);
  std::set<uint32_t> leaving;
  for (const NodeAllocation& share : job.allocation) leaving.insert(share.node);
  const std::string& list = request.set().required_nodes();
  if (!list.empty()) {
    auto names = expand_hostlist(list);
    if (!names || names->empty()) return kErrInvalidNodeName;
    for (const std::string& name : *names) {
      const auto found = core.state.cluster.node_index.find(name);
      const bool ours = found != core.state.cluster.node_index.end();
      if (!ours || leaving.erase(found->second) == 0) return kErrInvalidNodeName;
    }
    // The script stays where it is.
    if (job.spec->batch() && leaving.contains(job.allocation.front().node)) {
      return kErrInvalidNodeName;
    }
  } else {
    if (request.set().has_max_nodes() && request.set().max_nodes() != request.set().min_nodes()) {
      return kErrNotPending;
    }
    const uint32_t count = request.set().min_nodes();
    if (count == 0) return kErrInvalidNodeCount;
    if (count > job.allocation.size()) return kErrNotSupported;
    for (uint32_t i = 0; i < count; ++i) leaving.erase(job.allocation[i].node);
  }
  if (!leaving.empty()) shrink_job(core, job_id, leaving);
  return 0;
}

}  // namespace grappe::embedded
