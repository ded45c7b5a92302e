#include "embedded/submit.h"

#include <algorithm>

#include "base/account_names.h"
#include "base/log.h"
#include "embedded/admit.h"
#include "embedded/books.h"
#include "embedded/dependencies.h"
#include "embedded/finish.h"
#include "embedded/forecasts.h"
#include "embedded/leases.h"
#include "embedded/plan_pass.h"
#include "embedded/priority.h"
#include "embedded/reservation_use.h"
#include "embedded/snapshot.h"
#include "embedded/view.h"
#include "model/slurm_error.h"
#include "sched/plan.h"

namespace grappe::embedded {
namespace {

Status set_array(Core& core, const v1::JobSpec& spec, Job& job) {
  if (spec.array().empty()) return {};
  auto parsed = parse_array_spec(spec.array(), core.state.cluster.config.limits.max_array_size);
  if (!parsed || parsed->tasks.empty()) return slurm_fail(kErrInvalidArray);
  const uint32_t most = core.state.cluster.config.scheduling.parameters.max_array_tasks;
  if (most && parsed->tasks.count() > most) return slurm_fail(kErrInvalidArray);
  job.array_max_running = parsed->max_running;
  job.waiting = std::make_shared<const TaskSet>(std::move(parsed->tasks));
  return {};
}

// Whoever does not say how long gets as long as limits allow, unless the partition has a default.
Status obey_limits(State& state, Job& job) {
  const ClusterPartition* partition = state.cluster.partition(job.partitions.front());
  if (!job.spec->has_time_limit() && partition && !partition->config.default_time_min) {
    job.settled.time_limit = std::min(job.settled.time_limit, state.longest_time(job));
  }
  const Reason reason = state.submit_reason(job);
  if (reason == Reason::kNone) return {};
  return slurm_fail(kErrAccountingPolicy, std::string(reason_name(reason)));
}

// When and where it would start: nothing is kept.
void answer_test_only(Core& core, Admission& admission, const Reply<v1::SubmitResponse>& reply) {
  sched::Snapshot snapshot = snapshot_of(core.state, ready_jobs(core.state, core.now), core.now);
  sched::PendingJob wish;
  wish.tag = UINT64_MAX;
  wish.shape = &admission.shape;
  for (const std::string& name : admission.job.partitions) {
    for (uint32_t p = 0; p < snapshot.partitions.size(); ++p) {
      if (snapshot.partitions[p].name == name) wish.partitions.push_back(p);
    }
  }
  wish.priority = 1;
  wish.submit_time = core.now;
  wish.job_id = UINT32_MAX;
  uint32_t limit = admission.job.settled.time_limit;
  wish.time_limit = limit == kInfinite ? sched::kForever : sched::Time{limit} * 60;
  wish.user = admission.job.uid;
  wish.reservation = choose_reservation(core.state.cluster, admission.job, core.now).index;
  if (!wish.partitions.empty()) {
    // How long it may run is not asked here.
    const sched::Partition& first = snapshot.partitions[wish.partitions[0]];
    wish.time_limit = std::min(wish.time_limit, first.max_time);
  }
  sched::Waiting when = sched::expected_start(snapshot, policy_of(core.state.cluster), wish);
  if (admission.waits_for && when.expected_nodes.empty()) {
    return core.answer<v1::SubmitResponse>(reply, slurm_fail(kErrNodeConfig));
  }

  v1::SubmitResponse response;
  response.set_job_id(core.state.next_job_id());
  response.set_start_time(when.expected_start ? when.expected_start : core.now);
  response.set_cpus(admission.job.settled.cpus);
  std::vector<std::string> names;
  for (uint32_t node : when.expected_nodes) {
    names.push_back(core.state.cluster.nodes.at(node).machine.name);
  }
  response.set_nodes(node_list_text(names));
  response.set_partition(admission.job.partitions.front());
  core.answer<v1::SubmitResponse>(reply, std::move(response));
}

// Its own conditions keep it from starting, whatever is free.
bool waits_by_itself(const Job& job) {
  return job.hold != Hold::kNone || job.reason == Reason::kBeginTime ||
         job.reason == Reason::kDependency;
}

// What salloc and srun say before they wait; 0 where the wait explains itself.
uint32_t why_it_waits(const Job& job, uint32_t waits_for) {
  if (waits_for || !job.pending()) return waits_for;
  if (job.hold != Hold::kNone) return kErrJobHeld;
  if (job.reason == Reason::kPartitionDown) return kErrPartitionDown;
  if (job.reason == Reason::kReqNodeNotAvail) return kErrNodeNotAvail;
  return 0;
}

// Interactive: the answer says whether the allocation is there already.
void answer_after_plan(Core& core, uint32_t id, uint32_t waits_for,
                       const Reply<v1::SubmitResponse>& reply) {
  core.after_plan([&core, id, waits_for, reply] {
    const Job* job = core.state.find(id);
    v1::SubmitResponse response;
    response.set_job_id(id);
    if (!job) return;
    response.set_rc(why_it_waits(*job, waits_for));
    response.set_started(job->running());
    response.set_pending_reason(std::string(reason_name(job->reason)));
    fill_job(view_context(core.state.cluster), *job, v1::ListJobsRequest::FULL,
             response.mutable_job());
    if (job->spec->has_immediate_s() && job->pending() && job->spec->immediate_s() <= 1) {
      uint32_t uid = job->uid;
      int why = kErrNodesBusy;
      if (waits_for) why = static_cast<int>(waits_for);
      if (waits_by_itself(*job)) why = kErrDependency;
      cancel_job(core, id, uid);
      core.answer<v1::SubmitResponse>(reply, slurm_fail(why), id);
      return;
    }
    core.answer<v1::SubmitResponse>(reply, std::move(response), id);
  });
}

// The first answer was lost; the job is there.
void answer_again(Core& core, const Job& job, const Reply<v1::SubmitResponse>& reply) {
  if (!job.spec->batch()) return answer_after_plan(core, job.id, 0, reply);
  v1::SubmitResponse response;
  response.set_job_id(job.id);
  core.answer<v1::SubmitResponse>(reply, std::move(response));
}

}  // namespace

Result<Admission> weigh(Core& core, const Caller& caller, v1::JobSpec spec, Admitting what) {
  State& state = core.state;
  auto admitted = admit(state.cluster, state.books, caller, std::move(spec), core.now, what);
  if (!admitted) return admitted;
  Job& job = admitted->job;
  auto refused = [](const Error& error) { return tl::unexpected<Error>(error); };
  if (Status array = set_array(core, *job.spec, job); !array) return refused(array.error());
  if (Status depends = set_dependency(core, job, job.spec->dependency()); !depends) {
    return refused(depends.error());
  }
  if (Status allowed = obey_limits(state, job); !allowed) return refused(allowed.error());
  return admitted;
}

void on_submit(Core& core, const Caller& caller, v1::SubmitRequest request,
               Reply<v1::SubmitResponse> reply) {
  State& state = core.state;
  const Job* known = state.find(state.job_of_token(caller.uid, request.token()));
  if (known) return answer_again(core, *known, reply);
  auto refuse = [&](const Error& error) {
    core.answer<v1::SubmitResponse>(reply, tl::unexpected(error));
  };
  if (state.job_count() >= state.cluster.config.limits.max_job_count) {
    return refuse(slurm_fail(kErrJobRecordFull).value());
  }
  note_client(core, caller, request);
  if (!request.test_only()) give_place(core, caller);
  auto admitted = weigh(core, caller, std::move(*request.mutable_spec()),
                        request.test_only() ? Admitting::kTest : Admitting::kSubmission);
  if (!admitted) return refuse(admitted.error());
  Job& job = admitted->job;
  if (request.test_only()) return answer_test_only(core, *admitted, reply);

  job.id = state.next_job_id();
  if (job.waiting) job.array_job_id = job.id;
  job.group = group_of(job.gid).value_or(std::to_string(job.gid));
  job.token = request.token();
  if (job.spec->batch()) {
    job.script_key = content_key(request.script());
    state.save_content(job.script_key, std::move(*request.mutable_script()));
  }
  job.environment_key = content_key(request.environment());
  state.save_content(job.environment_key, std::move(*request.mutable_environment()));
  uint32_t id = job.id;
  set_priority(core, job);
  note_use(core, job);
  state.add(std::move(job));
  state.set_shape(id, std::move(admitted->shape));
  resolve(core, id);  // what it waits for may have ended before
  take_lease(core, *state.find(id));
  note_arrival(core, id);
  core.created.push_back(id);
  core.unconfirmed[id] = reply;
  ++core.counters.submitted;
  core.plan_wanted = true;
  log_debug("job {} submitted by {}", id, caller.user);

  if (!state.find(id)->spec->batch()) {
    return answer_after_plan(core, id, admitted->waits_for, reply);
  }
  v1::SubmitResponse response;
  response.set_job_id(id);
  core.answer<v1::SubmitResponse>(reply, std::move(response), id);
}

void take_back(Core& core, const std::vector<uint32_t>& created, const Error& error) {
  for (uint32_t id : created) {
    core.state.undo(id);
    auto reply = core.unconfirmed.find(id);
    if (reply == core.unconfirmed.end()) continue;
    reply->second(slurm_fail(kErrWritingFile, error.message));
    core.unconfirmed.erase(reply);
  }
}

}  // namespace grappe::embedded
