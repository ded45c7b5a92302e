#include "embedded/update.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <set>

#include "embedded/act.h"
#include "embedded/admit.h"
#include "embedded/arrays.h"
#include "embedded/cancel.h"
#include "embedded/dependencies.h"
#include "embedded/priority.h"
#include "embedded/shape.h"
#include "embedded/shrink.h"
#include "embedded/usage.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

// Fields that may change while the job runs; all others only while it waits.
const std::set<std::string, std::less<>>& changeable_when_running() {
  static const std::set<std::string, std::less<>> kFields{
      "time_limit", "comment",  "admin_comment", "name",      "nice",
      "priority",   "requeue",  "mail_type",     "mail_user", "deadline",
      "wckey",      "time_min", "extra",         "account",   "qos"};
  return kFields;
}

// What the service decided when the job was submitted: whose it is, what it is, whom it ends with.
const std::set<std::string, std::less<>>& never_changed() {
  static const std::set<std::string, std::less<>> kFields{"as_uid", "as_gid", "batch", "client_pid",
                                                          "client_start"};
  return kFields;
}

bool clears(const v1::UpdateJobRequest& request, std::string_view field) {
  return std::find(request.clear().begin(), request.clear().end(), field) != request.clear().end();
}

// What an operator decides while a job waits: how it shares nodes, until when it must have ended.
bool for_operators_only(const Job& job, const v1::UpdateJobRequest& request) {
  const v1::JobSpec& set = request.set();
  if (!set.admin_comment().empty() || clears(request, "admin_comment")) return true;
  if (!job.pending()) return false;
  // Who has asked for neighbouring nodes may do without.
  if (set.contiguous() || (clears(request, "contiguous") && !job.spec->contiguous())) return true;
  return set.sharing() != v1::JobSpec::SHARING_UNSET || clears(request, "sharing") ||
         set.has_deadline() || clears(request, "deadline");
}

// Fields that only an operator may set, and the direction in which a user may move others.
int check_rights(const Cluster& cluster, const Caller& caller, const Job& job,
                 const v1::UpdateJobRequest& request) {
  const v1::JobSpec& set = request.set();
  if (set.priority() != 0 && job.hold != Hold::kNone) return kErrJobHeld;
  const bool specializes = set.has_core_spec() || set.has_thread_spec();
  const bool may_specialize =
      caller.is_operator && cluster.config.scheduling.allow_spec_resources_usage;
  if (specializes && job.pending() && !may_specialize) return kErrAccessDenied;
  if (caller.is_operator) return 0;
  if (for_operators_only(job, request)) return kErrAccessDenied;
  if (set.has_priority() && set.priority() > job.priority) return kErrAccessDenied;
  if (set.has_nice() && set.nice() < job.spec->nice()) return kErrAccessDenied;
  return 0;
}

bool names_nodes(const v1::UpdateJobRequest& request) {
  return request.set().has_min_nodes() || !request.set().required_nodes().empty();
}

// What is no field of JobSpec, put where a submission would have it.
Result<v1::UpdateJobRequest> in_terms_of_spec(const Job& job, v1::UpdateJobRequest request) {
  const bool has_cpus = request.has_num_cpus() || request.has_max_cpus();
  if (has_cpus && !job.pending()) return slurm_fail(kErrNotPending);
  if (request.has_end_time() && !job.running()) return slurm_fail(kErrJobNotRunning);
  if (request.has_max_cpus()) return slurm_fail(kErrNotSupported);
  if (!request.node_list().empty()) request.mutable_set()->set_required_nodes(request.node_list());
  if (names_nodes(request) && !job.pending() && !job.running()) return slurm_fail(kErrNotSupported);
  if (request.has_num_cpus()) {
    if (job.spec->min_nodes() > 1) return slurm_fail(kErrNotSupported);
    request.mutable_set()->set_min_cpus_per_node(request.num_cpus());
  }
  return request;
}

int check_state(const Job& job, const v1::UpdateJobRequest& request) {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  request.set().GetReflection()->ListFields(request.set(), &fields);
  std::vector<std::string> names(request.clear().begin(), request.clear().end());
  for (const auto* field : fields) names.push_back(field->name());
  for (const std::string& name : names) {
    if (never_changed().contains(name)) return kErrNotSupported;
    if (!job.pending() && !changeable_when_running().contains(name)) return kErrNotPending;
  }
  return 0;
}

v1::JobSpec changed_spec(const Job& job, const v1::UpdateJobRequest& request) {
  v1::JobSpec spec = *job.spec;
  const auto* reflection = spec.GetReflection();
  const auto* descriptor = v1::JobSpec::descriptor();
  // A list of strings replaces, as every other field does.
  if (request.set().argv_size() > 0) spec.clear_argv();
  // Memory is said in one way.
  if (request.set().has_mem_per_cpu_mb()) spec.clear_mem_per_node_mb();
  if (request.set().has_mem_per_node_mb()) spec.clear_mem_per_cpu_mb();
  spec.MergeFrom(request.set());
  for (const std::string& name : request.clear()) {
    if (const auto* field = descriptor->FindFieldByName(name)) reflection->ClearField(&spec, field);
  }
  return spec;
}

// A user may ask for more while the job waits, as far as its partition goes.
bool may_have_limit(const Cluster& cluster, const Job& job, uint32_t limit) {
  if (!job.pending()) return false;
  return std::all_of(job.partitions.begin(), job.partitions.end(), [&](const std::string& name) {
    const ClusterPartition* partition = cluster.partition(name);
    return partition && partition->config.max_time_min >= limit;
  });
}

int change_time_limit(Core& core, Job& job, uint32_t before, const v1::UpdateJobRequest& request,
                      const Caller& caller) {
  uint32_t limit = before;
  if (request.set().has_time_limit()) limit = request.set().time_limit();
  if (request.has_time_limit_delta_plus()) limit += request.time_limit_delta_plus();
  if (request.has_time_limit_delta_minus()) {
    limit -= std::min(limit, request.time_limit_delta_minus());
  }
  if (request.has_end_time() && job.start_time) {
    // Not before the moment that was named.
    const int64_t seconds = std::max<int64_t>(request.end_time() - job.start_time, 60);
    limit = static_cast<uint32_t>((seconds + 59) / 60);
  }
  if (limit > before && !caller.is_operator && !may_have_limit(core.state.cluster, job, limit)) {
    return kErrAccessDenied;
  }
  const uint32_t in_force = limit == before ? job.settled.time_limit : limit;
  if (request.set().time_min() > in_force) return kErrInvalidTimeMin;
  if (limit == before) return 0;
  job.lifted.time = caller.is_operator;
  job.settled.time_limit = limit;
  auto spec = std::make_shared<v1::JobSpec>(*job.spec);
  spec->set_time_limit(limit);
  job.spec = std::move(spec);
  core.plan_wanted = true;
  return 0;
}

// What the scheduler weighs is worked out anew. Whether a node fits is for the scheduler to say,
// whether there are CPUs enough is asked when their number changes.
int resettle(Core& core, Job& job, const Caller& caller, const v1::UpdateJobRequest& request) {
  Caller owner{job.uid, job.gid, job.user, caller.is_operator, caller.is_administrator};
  v1::JobSpec spec = *job.spec;
  auto admitted = admit(core.state.cluster, core.state.books, owner, std::move(spec), core.now,
                        Admitting::kChange);
  if (!admitted) return admitted.error().code ? admitted.error().code : int{kErrNodeConfig};
  const bool more_cpus = request.set().has_min_cpus_per_node() || request.set().has_min_nodes();
  if (more_cpus && beyond_all_cpus(core.state.cluster, admitted->job)) return kErrPartConfig;
  job.spec = admitted->job.spec;
  job.settled = admitted->job.settled;
  job.partitions = admitted->job.partitions;
  job.account = admitted->job.account;
  job.qos = admitted->job.qos;
  job.wckey = admitted->job.wckey;
  job.assoc_id = admitted->job.assoc_id;
  const bool begins_anew = request.set().has_begin_time() || clears(request, "begin_time");
  if (begins_anew) job.begin_time = job.spec->begin_time();
  core.state.set_shape(job.id, std::move(admitted->shape));
  return 0;
}

// What an operator has set is not measured by what the user may ask for, until the user sets it.
void lift_limits(const Job& before, Job& job, const Caller& caller) {
  const v1::JobSpec &was = *before.spec, &is = *job.spec;
  const auto cpus = [](const Job& of) {
    return std::max(of.settled.cpus, of.settled.min_cpus_per_node);
  };
  const bool other_cpus =
      was.min_cpus_per_node() != is.min_cpus_per_node() && cpus(before) != cpus(job);
  if (other_cpus) job.lifted.cpus = caller.is_operator;
  const bool other_memory =
      was.mem_per_node_mb() != is.mem_per_node_mb() || was.mem_per_cpu_mb() != is.mem_per_cpu_mb();
  if (other_memory) job.lifted.memory = caller.is_operator;
}

// What an operator does is not measured by what the user may ask for.
int check_limits(State& state, const Caller& caller, const Job& job) {
  if (caller.is_operator || !job.pending()) return 0;
  return state.submit_reason(job) == Reason::kNone ? 0 : int{kErrAccountingPolicy};
}

// Of a job that runs: whoever pays for it must be able to.
int choose_membership(Core& core, Job& job) {
  const ClusterConfig& config = core.state.cluster.config;
  auto member = membership(
      core.state.books, config.accounting, config.service.cluster_name,
      {job.user, job.spec->account(), job.partitions.front(), job.spec->qos(), job.spec->wckey()});
  if (!member) return member.error().code;
  charge_so_far(core, job);
  job.account = member->account;
  job.qos = member->qos;
  job.wckey = member->wckey;
  job.assoc_id = member->assoc_id;
  return 0;
}

int change_order(Core& core, const Caller& caller, Job& job, const v1::JobSpec& set) {
  if (set.has_priority()) {
    if (set.priority() == 0)
      return hold_job(core, job.id, caller.uid == job.uid ? Hold::kUser : Hold::kAdmin);
    job.priority = set.priority();
    job.direct_priority = true;
  } else if (!job.direct_priority && job.hold == Hold::kNone && job.pending()) {
    set_priority(core, job);
  }
  return 0;
}

int change_site_factor(Core& core, const Caller& caller, Job& job,
                       const v1::UpdateJobRequest& request) {
  if (!caller.is_operator) return kErrAccessDenied;
  job.site_factor = request.site_factor();
  if (!job.direct_priority && job.hold == Hold::kNone && job.pending()) set_priority(core, job);
  return 0;
}

int update_one(Core& core, const Caller& caller, uint32_t job_id,
               const v1::UpdateJobRequest& typed) {
  const Job* current = core.state.find(job_id);
  if (!current) return kErrInvalidJobId;
  if (!may_manage(core.state, caller, *current)) return kErrUserId;
  if (current->finished()) return kErrJobFinished;
  auto understood = in_terms_of_spec(*current, typed);
  if (!understood) return understood.error().code;
  v1::UpdateJobRequest& request = *understood;
  if (int error = check_rights(core.state.cluster, caller, *current, request)) return error;
  if (current->running() && names_nodes(request)) {
    if (int error = keep_nodes(core, job_id, request)) return error;
    request.mutable_set()->clear_min_nodes();
    request.mutable_set()->clear_max_nodes();
    request.mutable_set()->clear_required_nodes();
  }
  current = core.state.find(job_id);
  if (int error = check_state(*current, request)) return error;
  const Job before = *current;
  auto shape = core.state.shape(job_id);
  Job& job = core.state.edit(job_id);
  job.spec = std::make_shared<const v1::JobSpec>(changed_spec(job, request));
  int error = 0;
  if (job.pending()) {
    error = resettle(core, job, caller, request);
    if (!error && (!request.set().dependency().empty() || clears(request, "dependency"))) {
      Status done = set_dependency(core, job, job.spec->dependency());
      if (!done) error = done.error().code;
    }
  } else {
    error = choose_membership(core, job);
  }
  if (!error) error = change_time_limit(core, job, before.settled.time_limit, request, caller);
  if (!error) lift_limits(before, job, caller);
  if (!error) error = check_limits(core.state, caller, job);
  if (!error) error = change_order(core, caller, job, request.set());
  if (request.has_site_factor() && !error) error = change_site_factor(core, caller, job, request);
  if (request.has_array_max_running()) job.array_max_running = request.array_max_running();
  if (request.reset_accrue_time() && job.accrue_time) job.accrue_time = core.now;
  if (error) {
    core.state.edit(job_id) = before;
    if (shape) core.state.share_shape(job_id, shape);
  }
  core.state.reindex(job_id);
  core.plan_wanted = true;
  return error;
}

}  // namespace

void on_update_job(Core& core, const Caller& caller, const v1::UpdateJobRequest& request,
                   Reply<v1::JobsChanged> reply) {
  v1::JobsChanged response;
  // scontrol -u: with another user's rights.
  Caller as = caller;
  if (request.has_as_uid() && request.as_uid() != caller.uid) {
    if (!caller.is_operator) return reply(slurm_fail(kErrAccessDenied));
    as.uid = request.as_uid();
    as.is_operator = as.uid == 0;
  }
  std::vector<std::string> ids = {request.job_id()};
  if (!request.job_name().empty()) {
    std::optional<uint32_t> uid;
    if (request.has_uid()) uid = request.uid();
    ids = jobs_named(core.state, as, request.job_name(), uid);
  }
  for (const std::string& id : ids) {
    change_each(
        core, id, [&](uint32_t target) { return update_one(core, as, target, request); }, response);
  }
  core.answer<v1::JobsChanged>(reply, std::move(response));
}

}  // namespace grappe::embedded
