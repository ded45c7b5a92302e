// The rules between a caller and the engine: who he is, what he may ask for.
//
// Authorisation lives here: every request is rated once, and from here on `Caller` says what its
// maker may do. What depends on a job's owner is then decided where the job is, by the rating.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>

#include "engine/engine.h"

namespace grappe {

struct ServiceRules {
  uid_t owner = 0;            // who runs the service
  bool personal = false;      // only the owner and root may use it
  std::set<uid_t> operators;  // beside root and the owner
  size_t max_script_bytes = 4 << 20;
  size_t max_environment_bytes = 32 << 20;
};

class Service {
 public:
  Service(Engine& engine, ServiceRules rules) : engine_(engine), rules_(std::move(rules)) {}

  // From the uid that the kernel vouches for; a uid without a name is refused.
  Result<Caller> rate(uid_t uid, gid_t gid) const;

  // --uid only for operators; a script within bounds; nothing with a NUL that must not have one.
  void submit(const Caller& caller, v1::SubmitRequest request, Reply<v1::SubmitResponse> reply);

  // The same for a job that is only thought of.
  void when(const Caller& caller, v1::WhenRequest request, Reply<v1::WhenResponse> reply);

  // The same bounds for what is changed and started later.
  void update_job(const Caller& caller, v1::UpdateJobRequest request, Reply<v1::JobsChanged> reply);
  void create_step(const Caller& caller, v1::CreateStepRequest request,
                   Reply<v1::CreateStepResponse> reply);

  void change_books(const Caller& caller, v1::ChangeBooksRequest request,
                    Reply<v1::ChangeBooksResponse> reply);
  void amend_jobs(const Caller& caller, v1::AmendJobsRequest request,
                  Reply<v1::AmendJobsResponse> reply);

  Engine& engine() { return engine_; }

 private:
  // Whose job it would be.
  Result<Caller> owner_of(const Caller& caller, const v1::JobSpec& spec) const;

  Engine& engine_;
  ServiceRules rules_;
};

}  // namespace grappe
