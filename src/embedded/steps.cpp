#include "embedded/steps.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <set>

#include "base/gres_spec.h"
#include "base/hostlist.h"
#include "embedded/cancel.h"
#include "embedded/layout.h"
#include "embedded/sampling.h"
#include "embedded/shrink.h"
#include "embedded/step_launch.h"
#include "embedded/view.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

// CPUs and devices of a job's share that running steps keep to themselves.
struct Taken {
  std::set<uint32_t> cpus;
  std::set<std::pair<std::string, uint32_t>> devices;
  uint64_t memory_mb = 0;
};

Taken taken_on(const State& state, uint32_t job_id, uint32_t node) {
  Taken taken;
  for (const StepPtr& step : state.steps_of(job_id)) {
    if (step->end_time || step->overlap || step->step_id >= exec::kInteractiveStep) continue;
    for (const NodeAllocation& share : step->allocation) {
      if (share.node != node) continue;
      taken.cpus.insert(share.cpus.begin(), share.cpus.end());
      for (const GresAllocation& gres : share.gres) {
        for (uint32_t index : gres.indexes) taken.devices.insert({gres.name, index});
      }
    }
  }
  return taken;
}

Result<std::vector<NodeAllocation>> candidate_nodes(const Job& job, const v1::StepSpec& spec) {
  std::vector<NodeAllocation> nodes = job.allocation;
  auto drop = [&](const std::string& hostlist, bool listed) -> Status {
    if (hostlist.empty()) return {};
    auto names = expand_hostlist(hostlist);
    if (!names) return slurm_fail(kErrInvalidNodeName);
    std::erase_if(nodes, [&](const NodeAllocation& share) {
      return (std::find(names->begin(), names->end(), share.name) != names->end()) == listed;
    });
    return {};
  };
  if (Status ok = drop(spec.excluded_nodes(), true); !ok) return tl::unexpected(ok.error());
  if (spec.has_relative()) {
    if (spec.relative() >= nodes.size()) return slurm_fail(kErrInvalidNodeCount);
    nodes.erase(nodes.begin(), nodes.begin() + spec.relative());
  }
  if (!spec.required_nodes().empty()) {
    auto names = expand_hostlist(spec.required_nodes());
    if (!names) return slurm_fail(kErrInvalidNodeName);
    for (const std::string& name : *names) {
      bool here = std::any_of(nodes.begin(), nodes.end(),
                              [&](const NodeAllocation& share) { return share.name == name; });
      if (!here) return slurm_fail(kErrNodeConfig);
    }
    // Those asked for come first; more are added when more are needed.
    std::stable_partition(nodes.begin(), nodes.end(), [&](const NodeAllocation& share) {
      return std::find(names->begin(), names->end(), share.name) != names->end();
    });
    if (!spec.has_min_nodes()) nodes.resize(std::min(nodes.size(), names->size()));
  }
  return nodes;
}

bool has_gres_request(const v1::StepSpec& spec) {
  return !spec.gres().empty() || !spec.gpus().empty() || !spec.gpus_per_node().empty() ||
         !spec.gpus_per_task().empty();
}

bool names_gpus(const std::string& gres) {
  auto parsed = parse_gres(gres);
  return parsed && !gres.empty() &&
         std::any_of(parsed->begin(), parsed->end(),
                     [](const GresSpec& one) { return one.name == "gpu" && one.count > 0; });
}

// --gpus of a step, where nothing says how many a node or a task has: each node gives what it can,
// and one is kept for each that follows.
class GpusOfStep {
 public:
  static Result<GpusOfStep> of(const v1::StepSpec& spec,
                               const std::vector<NodeAllocation>& chosen) {
    const size_t nodes = chosen.size();
    GpusOfStep out;
    if (spec.gpus().empty()) return out;
    auto parsed = parse_gpus(spec.gpus());
    if (!parsed) return slurm_fail(kErrInvalidGres);
    uint64_t count = 0;
    for (const GresSpec& one : *parsed) count += one.count;
    if (count && count < nodes) {
      return slurm_fail(kErrInvalidGres,
                        fmt::format("Step requested gres=gpu:{} is less than the requested min "
                                    "nodes={}",
                                    spec.gpus(), nodes));
    }
    uint64_t held = 0;
    for (const NodeAllocation& share : chosen) {
      for (const GresAllocation& have : share.gres) {
        if (have.name == "gpu") held += have.indexes.size();
      }
    }
    if (held && count > held) return slurm_fail(kErrInvalidGres);
    const bool otherwise =
        !spec.gpus_per_node().empty() || !spec.gpus_per_task().empty() || names_gpus(spec.gres());
    if (!otherwise) out.left_ = std::move(*parsed);
    return out;
  }

  void take(const NodeAllocation& share, uint32_t nodes_after, std::vector<GresSpec>& wanted) {
    for (GresSpec& one : left_) {
      uint64_t held = 0;
      for (const GresAllocation& have : share.gres) {
        const bool fits = have.name == one.name && (one.type.empty() || have.type == one.type);
        if (fits) held += have.indexes.size();
      }
      GresSpec here = one;
      here.count = std::min(held, one.count - std::min<uint64_t>(one.count, nodes_after));
      one.count -= here.count;
      if (here.count) wanted.push_back(std::move(here));
    }
  }

  bool is_complete() const {
    return std::all_of(left_.begin(), left_.end(),
                       [](const GresSpec& one) { return one.count == 0; });
  }

 private:
  std::vector<GresSpec> left_;
};

// What the job has asked for: it holds more where its nodes are its alone.
std::vector<GresAllocation> asked_by_job(const v1::JobSpec& asked, const NodeAllocation& share) {
  if (!asked.gpus().empty() || !asked.gpus_per_task().empty() || !asked.gpus_per_socket().empty()) {
    return share.gres;
  }
  std::vector<GresSpec> wanted = parse_gres(asked.gres()).value_or(std::vector<GresSpec>{});
  keep_last_of_each(wanted);
  if (!names_gpus(asked.gres())) {
    auto gpus = parse_gpus(asked.gpus_per_node()).value_or(std::vector<GresSpec>{});
    wanted.insert(wanted.end(), gpus.begin(), gpus.end());
  }
  std::vector<GresAllocation> out;
  for (GresAllocation have : share.gres) {
    uint64_t count = 0;
    for (const GresSpec& one : wanted) {
      if (one.name == have.name && (one.type.empty() || one.type == have.type)) count += one.count;
    }
    if (count < have.indexes.size()) have.indexes.resize(count);
    if (!have.indexes.empty()) out.push_back(std::move(have));
  }
  return out;
}

// Devices of one node's share for the step: those that the job asked for, or as many as it asks
// for itself.
Result<std::vector<GresAllocation>> step_gres(const NodeAllocation& share, const Taken& taken,
                                              const v1::JobSpec& asked, const v1::StepSpec& spec,
                                              uint32_t tasks, uint32_t nodes_after,
                                              GpusOfStep& gpus, bool* busy) {
  if (!has_gres_request(spec)) return asked_by_job(asked, share);
  std::vector<GresSpec> wanted;
  auto add = [&](const std::string& text, bool of_gpus, uint64_t times) -> Status {
    if (text.empty()) return {};
    auto parsed = of_gpus ? parse_gpus(text) : parse_gres(text);
    if (!parsed) return slurm_fail(kErrInvalidGres);
    keep_last_of_each(*parsed);
    for (GresSpec one : *parsed) {
      one.count *= times;
      if (one.count > 0) wanted.push_back(one);
    }
    return {};
  };
  // What a node has says more than what a task has: the environment of the job may name both.
  const bool on_node = !spec.gpus_per_node().empty() || names_gpus(spec.gres());
  Status ok = add(spec.gres(), false, 1);
  if (ok && !names_gpus(spec.gres())) ok = add(spec.gpus_per_node(), true, 1);
  if (ok && !on_node) ok = add(spec.gpus_per_task(), true, tasks);
  if (!ok) return tl::unexpected(ok.error());
  if (share.gres.empty() && (!wanted.empty() || !gpus.is_complete())) {
    return slurm_fail(kErrInvalidGres, "Step requested GRES but job doesn't have GRES");
  }
  gpus.take(share, nodes_after, wanted);
  std::vector<GresAllocation> out;
  for (const GresSpec& want : wanted) {
    uint64_t left = want.count, held = 0;
    for (const GresAllocation& have : share.gres) {
      if (have.name != want.name || (!want.type.empty() && have.type != want.type)) continue;
      held += have.indexes.size();
      GresAllocation part{have.name, have.type, {}};
      for (uint32_t index : have.indexes) {
        if (left == 0) break;
        if (!spec.overlap() && taken.devices.contains({have.name, index})) continue;
        part.indexes.push_back(index);
        --left;
      }
      if (!part.indexes.empty()) out.push_back(std::move(part));
    }
    if (left > 0 && held < want.count) return slurm_fail(kErrInsufficientGres);
    if (left > 0) *busy = true;
  }
  return out;
}

struct StepPlan {
  std::vector<NodeAllocation> allocation;
  std::vector<uint32_t> task_node;
  bool busy = false;
};

uint32_t node_limit(const v1::StepSpec& spec, size_t available, uint32_t tasks) {
  auto all = static_cast<uint32_t>(available);
  if (spec.has_max_nodes()) {
    return std::min({all, spec.max_nodes(), std::max(tasks, spec.min_nodes())});
  }
  if (spec.has_min_nodes()) return std::min(all, spec.min_nodes());
  return std::min(all, tasks);
}

// The node of each task, where --distribution=arbitrary names them; else nothing.
Result<std::vector<uint32_t>> named_places(const v1::StepSpec& spec, uint32_t tasks,
                                           const std::vector<NodeAllocation>& nodes) {
  std::vector<uint32_t> places;
  if (!spec.distribution().starts_with("arbitrary") || spec.required_nodes().empty()) return places;
  auto names = expand_hostlist(spec.required_nodes());
  if (!names) return slurm_fail(kErrInvalidNodeName);
  if (names->size() != tasks) return slurm_fail(kErrBadDistribution);
  for (const std::string& name : *names) {
    auto at = std::find_if(nodes.begin(), nodes.end(),
                           [&](const NodeAllocation& share) { return share.name == name; });
    if (at == nodes.end()) return slurm_fail(kErrNodeConfig);
    places.push_back(static_cast<uint32_t>(at - nodes.begin()));
  }
  return places;
}

// -c alone asks for as many tasks as the CPUs of the job hold.
uint32_t tasks_of(const Job& job, const v1::StepSpec& spec) {
  if (spec.has_ntasks()) return std::max(spec.ntasks(), 1u);
  const uint32_t least = std::max<uint32_t>(spec.min_nodes(), 1);
  if (spec.ntasks_per_node()) return least * spec.ntasks_per_node();
  if (!spec.cpus_per_task() || spec.pty()) return least;
  uint32_t fit = 0;
  for (const NodeAllocation& share : job.allocation) {
    fit += static_cast<uint32_t>(share.cpus.size()) / spec.cpus_per_task();
  }
  return std::max(fit, least);
}

// As many CPUs of a node as have their --mem-per-cpu in the memory of the job.
size_t cpus_in_memory(const NodeAllocation& share, const v1::StepSpec& spec) {
  if (!spec.mem_per_cpu_mb() || !share.memory_mb) return share.cpus.size();
  return std::min<uint64_t>(share.cpus.size(), share.memory_mb / spec.mem_per_cpu_mb());
}

Result<StepPlan> plan_step(const Core& core, const Job& job, const v1::StepSpec& spec) {
  auto nodes = candidate_nodes(job, spec);
  if (!nodes) return tl::unexpected(nodes.error());
  if (spec.has_min_nodes() && spec.min_nodes() > nodes->size()) {
    return slurm_fail(kErrInvalidNodeCount);
  }
  uint32_t per_task = std::max(spec.cpus_per_task(), 1u);
  uint32_t tasks = tasks_of(job, spec);
  bool exact = spec.exact() || spec.exclusive() || spec.has_cpus_per_task();
  uint32_t limit = node_limit(spec, nodes->size(), tasks);

  StepPlan plan;
  struct Part {
    NodeAllocation share;
    std::vector<uint32_t> free_cpus;
  };
  std::vector<Part> parts;
  LayoutRequest layout{tasks,
                       {},
                       spec.ntasks_per_node(),
                       spec.overcommit() || spec.interactive(),
                       spec.distribution(),
                       {}};
  uint64_t room = 0, room_if_idle = 0;
  bool lacks_memory = false;
  for (const NodeAllocation& share : *nodes) {
    if (parts.size() == limit) break;
    Taken taken = taken_on(core.state, job.id, share.node);
    if (share.memory_mb && spec.mem_per_node_mb() > share.memory_mb) {
      lacks_memory = true;
      continue;
    }
    std::vector<uint32_t> available;
    for (uint32_t cpu : share.cpus) {
      if (spec.overlap() || !taken.cpus.contains(cpu)) available.push_back(cpu);
    }
    // A step that takes whole nodes can't share them with one that has taken a part.
    bool partly = !exact && !spec.overlap() && available.size() < share.cpus.size();
    if (partly) available.clear();
    const size_t fit = cpus_in_memory(share, spec);
    if (available.size() > fit) available.resize(fit);
    room_if_idle += fit / per_task;
    if (available.size() < per_task && !layout.overcommit) {
      plan.busy = true;
      continue;
    }
    room += available.size() / per_task;
    parts.push_back({share, std::move(available)});
  }
  if (lacks_memory && parts.size() < std::max(1u, spec.min_nodes())) {
    return slurm_fail(kErrTaskMemory);
  }
  // Nodes that were asked for are chosen first, but tasks follow the order of the job's nodes.
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.share.node < b.share.node; });
  std::vector<NodeAllocation> chosen;
  for (const Part& part : parts) {
    layout.capacity.push_back(static_cast<uint32_t>(part.free_cpus.size()) / per_task);
    chosen.push_back(part.share);
  }
  if (!layout.overcommit && !nodes->empty()) {
    // What other steps have now comes back; what the job has not never comes.
    if (room_if_idle < tasks) return slurm_fail(kErrTooManyCpus);
    plan.busy = room < tasks;
    if (plan.busy) return plan;
  }
  if (room_if_idle < tasks && !layout.overcommit) return slurm_fail(kErrTooManyCpus);
  plan.busy = false;
  auto places = named_places(spec, tasks, chosen);
  if (!places) return tl::unexpected(places.error());
  layout.chosen = std::move(*places);
  auto laid_out = lay_out(layout);
  if (!laid_out) return tl::unexpected(laid_out.error());
  plan.task_node = std::move(*laid_out);
  const auto count = static_cast<uint32_t>(chosen.size());
  auto gpus = GpusOfStep::of(spec, chosen);
  if (!gpus) return tl::unexpected(gpus.error());
  for (uint32_t n = 0; n < count; ++n) {
    NodeAllocation share = chosen[n];
    share.tasks =
        static_cast<uint32_t>(std::count(plan.task_node.begin(), plan.task_node.end(), n));
    std::vector<uint32_t>& cpus = parts[n].free_cpus;
    if (exact) cpus.resize(std::min<size_t>(cpus.size(), size_t{share.tasks} * per_task));
    share.cpus = cpus;
    if (spec.has_mem_per_node_mb() && spec.mem_per_node_mb()) {
      share.memory_mb = std::min(share.memory_mb, spec.mem_per_node_mb());
    } else if (spec.has_mem_per_cpu_mb() && spec.mem_per_cpu_mb()) {
      share.memory_mb =
          std::min<uint64_t>(share.memory_mb, spec.mem_per_cpu_mb() * share.cpus.size());
    }
    Taken taken = taken_on(core.state, job.id, share.node);
    auto gres =
        step_gres(share, taken, *job.spec, spec, share.tasks, count - n - 1, *gpus, &plan.busy);
    if (!gres) return tl::unexpected(gres.error());
    share.gres = std::move(*gres);
    plan.allocation.push_back(std::move(share));
  }
  if (!gpus->is_complete()) return slurm_fail(kErrInvalidGres);
  return plan;
}

v1::CreateStepResponse describe(const Core& core, const Step& step) {
  v1::CreateStepResponse response;
  response.set_step_id(step.step_id);
  response.set_socket(core.executor.socket_path(key_of(step)));
  response.set_nodes(step.nodes);
  response.set_ntasks(step.tasks);
  std::vector<uint32_t> per_node(step.allocation.size());
  for (uint32_t node : step.task_node) ++per_node.at(node);
  response.mutable_tasks_per_node()->Assign(per_node.begin(), per_node.end());
  response.mutable_task_node()->Assign(step.task_node.begin(), step.task_node.end());
  const ClusterConfig& config = core.state.cluster.config;
  v1::SrunDefaults& defaults = *response.mutable_defaults();
  defaults.set_kill_on_bad_exit(config.jobs.kill_on_bad_exit);
  defaults.set_wait_s(config.jobs.wait_time_s);
  defaults.set_kill_wait_s(config.jobs.kill_wait_s);
  defaults.set_prolog(config.hooks.srun_prolog);
  defaults.set_epilog(config.hooks.srun_epilog);
  return response;
}

// Makes the step when its resources are free; nothing when it must wait.
std::optional<Result<v1::CreateStepResponse>> try_create(Core& core, const Caller& caller,
                                                         const v1::CreateStepRequest& request) {
  const Job* job = core.state.find(request.job_id());
  if (!job) return slurm_fail(kErrInvalidJobId);
  if (!may_change(caller, *job)) return slurm_fail(kErrAccessDenied);
  if (job->finished()) return slurm_fail(kErrAlreadyDone);
  if (job->pending()) return slurm_fail(kErrJobPending);
  if (job->base() == JobState::kSuspended || job->state & kStateConfiguring) return std::nullopt;
  if (job->next_step >= core.state.cluster.config.limits.max_step_count) {
    return slurm_fail(kErrStepLimit);
  }
  // What the environment of the script says of its nodes was true before some of them left.
  std::optional<v1::StepSpec> fitted;
  const auto nodes_left = static_cast<uint32_t>(job->allocation.size());
  if (is_shrunk(*job) && request.spec().min_nodes() > nodes_left) {
    fitted = request.spec();
    fitted->set_min_nodes(nodes_left);
    if (fitted->has_max_nodes()) fitted->set_max_nodes(nodes_left);
  }
  const v1::StepSpec& spec = fitted ? *fitted : request.spec();
  const bool limited = job->settled.mem_per_node_mb || job->settled.mem_per_cpu_mb;
  if (Status often = check_frequency(core.state.cluster, spec.acctg_freq(), limited); !often) {
    return tl::unexpected(often.error());
  }
  auto plan = plan_step(core, *job, spec);
  if (!plan) return tl::unexpected(plan.error());
  if (plan->busy) return std::nullopt;

  Step step;
  step.job_id = job->id;
  step.restart = job->restarts;
  if (spec.interactive()) {
    if (core.state.find_step(job->id, exec::kInteractiveStep)) {
      return slurm_fail(kErrDuplicateStepId);
    }
    step.step_id = exec::kInteractiveStep;
  } else {
    step.step_id = job->next_step;
  }
  step.name = spec.name();
  step.spec = std::make_shared<const v1::StepSpec>(spec);
  step.start_time = core.now;
  step.allocation = std::move(plan->allocation);
  std::vector<std::string> names;
  for (const NodeAllocation& share : step.allocation) names.push_back(share.name);
  step.nodes = fold_hostlist(names);
  step.task_node = std::move(plan->task_node);
  step.tasks = static_cast<uint32_t>(step.task_node.size());
  if (spec.has_time_limit()) step.time_limit = spec.time_limit();
  step.overlap = spec.overlap();
  step.srun_pid = request.srun_pid();
  step.srun_host = request.srun_host();
  uint32_t id = step.step_id;
  auto binding = bind_step(core, *job, step);
  if (!binding) return tl::unexpected(binding.error());
  if (!spec.interactive()) ++core.state.edit(job->id).next_step;
  core.state.add_step(std::move(step));
  launch_step(core, request.job_id(), id, *binding);
  auto answer = describe(core, *core.state.find_step(request.job_id(), id));
  if (fitted) {
    answer.add_notes(
        fmt::format("error: SLURM_JOB_NUM_NODES environment variable conflicts with allocated node "
                    "count ({} != {}).",
                    request.spec().min_nodes(), nodes_left));
  }
  // Of a binding that only follows from other options srun says "quiet".
  if (binding->nodes.empty() && !spec.cpu_bind().empty() &&
      !spec.cpu_bind().starts_with("quiet,")) {
    answer.add_notes("cluster configuration lacks support for cpu binding");
  }
  return answer;
}

}  // namespace

void on_create_step(Core& core, const Caller& caller, v1::CreateStepRequest request,
                    Reply<v1::CreateStepResponse> reply) {
  if (auto done = try_create(core, caller, request)) {
    return core.answer<v1::CreateStepResponse>(reply, std::move(*done));
  }
  uint32_t job_id = request.job_id();
  int64_t deadline = core.now_ms + request.wait_ms();
  core.step_waiters.emplace(job_id, StepWaiter{caller, std::move(request), deadline, reply});
}

void retry_steps(Core& core, uint32_t job_id) {
  auto [begin, end] = core.step_waiters.equal_range(job_id);
  for (auto it = begin; it != end;) {
    if (auto done = try_create(core, it->second.caller, it->second.request)) {
      core.asking = &it->second.caller;
      core.answer<v1::CreateStepResponse>(it->second.reply, std::move(*done));
      core.asking = nullptr;
      it = core.step_waiters.erase(it);
    } else {
      ++it;
    }
  }
}

int64_t expire_step_waiters(Core& core) {
  int64_t next = INT64_MAX;
  for (auto it = core.step_waiters.begin(); it != core.step_waiters.end();) {
    const Job* job = core.state.find(it->first);
    if (job && !job->finished() && it->second.deadline_ms > core.now_ms) {
      next = std::min(next, it->second.deadline_ms);
      ++it;
      continue;
    }
    v1::CreateStepResponse busy;
    busy.set_busy(true);
    if (job && !job->finished()) {
      core.answer<v1::CreateStepResponse>(it->second.reply, std::move(busy));
    } else {
      core.answer<v1::CreateStepResponse>(it->second.reply, slurm_fail(kErrAlreadyDone));
    }
    it = core.step_waiters.erase(it);
  }
  return next;
}

void on_update_step(Core& core, const Caller& caller, const v1::UpdateStepRequest& request,
                    Reply<v1::UpdateStepResponse> reply) {
  auto refuse = [&](int code) { core.answer<v1::UpdateStepResponse>(reply, slurm_fail(code)); };
  const Job* job = core.state.find(request.job_id());
  if (!job) return refuse(kErrInvalidJobId);
  if (!may_change(caller, *job)) return refuse(kErrUserId);
  bool found = false;
  for (const StepPtr& step : core.state.steps_of(job->id)) {
    bool meant = request.step_id().empty() || step_name(step->step_id) == request.step_id();
    if (!meant || step->end_time) continue;
    found = true;
    if (request.has_time_limit()) {
      core.state.edit_step(job->id, step->step_id).time_limit = request.time_limit();
    }
  }
  if (!found) return refuse(kErrInvalidJobId);
  core.answer<v1::UpdateStepResponse>(reply, v1::UpdateStepResponse{});
}

}  // namespace grappe::embedded
