#include "service/service.h"

#include "base/account_names.h"
#include "model/slurm_error.h"
#include "service/text_limits.h"

namespace grappe {

Result<Caller> Service::rate(uid_t uid, gid_t gid) const {
  if (rules_.personal && uid != rules_.owner && uid != 0) {
    return fail(kErrAccessDenied, "this is the personal service of another user");
  }
  const auto user = user_of(uid);
  if (!user) return slurm_fail(kErrUserId);
  Caller caller;
  caller.uid = uid;
  caller.gid = gid;
  caller.user = user->name;
  const v1::AdminLevel level = engine_.admin_level(caller.user);
  const bool is_owner = uid == 0 || uid == rules_.owner || rules_.operators.contains(uid);
  caller.is_operator = is_owner || level >= v1::ADMIN_OPERATOR;
  caller.is_administrator = is_owner || level >= v1::ADMIN_ADMINISTRATOR;
  return caller;
}

Result<Caller> Service::owner_of(const Caller& caller, const v1::JobSpec& spec) const {
  Caller owner = caller;
  owner.token.clear();
  if (spec.has_as_uid() && spec.as_uid() != caller.uid) {
    if (!caller.is_operator || rules_.personal) return slurm_fail(kErrUserId);
    const auto user = user_of(spec.as_uid());
    if (!user) return slurm_fail(kErrUserId);
    owner = Caller{spec.as_uid(), user->gid, user->name, false, false, "", caller.pid};
  }
  if (spec.has_as_gid() && spec.as_gid() != owner.gid) {
    if (!caller.is_operator) return slurm_fail(kErrGroupId);
    owner.gid = spec.as_gid();
  }
  if (rules_.personal) owner.uid = rules_.owner;
  return owner;
}

void Service::when(const Caller& caller, v1::WhenRequest request, Reply<v1::WhenResponse> reply) {
  if (!request.has_spec()) return engine_.when(caller, std::move(request), std::move(reply));
  auto owner = owner_of(caller, request.spec());
  if (!owner) return reply(tl::unexpected<Error>(owner.error()));
  if (!texts_fit(request.spec())) return reply(slurm_fail(kErrPathTooLong));
  engine_.when(*owner, std::move(request), std::move(reply));
}

void Service::submit(const Caller& caller, v1::SubmitRequest request,
                     Reply<v1::SubmitResponse> reply) {
  // A job remembers its token itself.
  if (request.token().empty()) request.set_token(caller.token);
  const v1::JobSpec& spec = request.spec();
  auto owner = owner_of(caller, spec);
  if (!owner) return reply(tl::unexpected<Error>(owner.error()));
  if (spec.batch() && request.script().empty()) return reply(slurm_fail(kErrScriptMissing));
  if (request.script().size() > rules_.max_script_bytes ||
      request.environment().size() > rules_.max_environment_bytes || !texts_fit(spec)) {
    return reply(slurm_fail(kErrPathTooLong));
  }
  if (!request.environment().empty() && request.environment().back() != '\0') {
    request.mutable_environment()->push_back('\0');
  }
  engine_.submit(*owner, std::move(request), std::move(reply));
}

void Service::update_job(const Caller& caller, v1::UpdateJobRequest request,
                         Reply<v1::JobsChanged> reply) {
  if (!texts_fit(request.set())) return reply(slurm_fail(kErrPathTooLong));
  engine_.update_job(caller, std::move(request), std::move(reply));
}

void Service::create_step(const Caller& caller, v1::CreateStepRequest request,
                          Reply<v1::CreateStepResponse> reply) {
  if (!texts_fit(request.spec()) ||
      request.spec().environment().size() > rules_.max_environment_bytes) {
    return reply(slurm_fail(kErrPathTooLong));
  }
  engine_.create_step(caller, std::move(request), std::move(reply));
}

void Service::change_books(const Caller& caller, v1::ChangeBooksRequest request,
                           Reply<v1::ChangeBooksResponse> reply) {
  if (!texts_fit(request)) return reply(slurm_fail(kErrPathTooLong));
  engine_.change_books(caller, std::move(request), std::move(reply));
}

void Service::amend_jobs(const Caller& caller, v1::AmendJobsRequest request,
                         Reply<v1::AmendJobsResponse> reply) {
  if (!texts_fit(request)) return reply(slurm_fail(kErrPathTooLong));
  engine_.amend_jobs(caller, std::move(request), std::move(reply));
}

}  // namespace grappe
