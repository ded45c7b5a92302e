// The job whose resources the step uses: the one srun runs in, or one of its own.
#pragma once

#include <optional>
#include <tl/expected.hpp>

#include "cli/calls.h"
#include "cli/options/job_options.h"
#include "cli/report.h"
#include "cli/srun/signals.h"
#include "grappe/v1/jobs.pb.h"
#include "grappe/v1/steps.pb.h"

namespace grappe {

// A value, or the code to exit with after the user was told.
template <class T>
using OrExit = tl::expected<T, int>;

// How srun reaches the service. A call that waits has a line of its own, so that another can end
// what it waits for.
struct Service {
  Calls& calls;
  Calls& waiting;
  std::chrono::milliseconds patience = std::chrono::seconds(60);  // --msg-timeout
};

class Allocator {
 public:
  Allocator(Service service, Signals& signals, const Report& report, int error_exit)
      : service_(service), signals_(signals), report_(report), error_exit_(error_exit) {}

  // A new allocation, waited for. A signal that asks to stop cancels it.
  OrExit<v1::JobInfo> allocate(const v1::SubmitRequest& request);

  // A step in a job; waits while its resources are in use by other steps.
  OrExit<v1::CreateStepResponse> create_step(v1::CreateStepRequest request,
                                             std::optional<uint32_t> immediate_s);

 private:
  // Until then, or its end.
  OrExit<v1::JobInfo> wait_for(uint32_t job_id, v1::WaitRequest::Until until,
                               std::optional<uint32_t> immediate_s);
  OrExit<v1::JobInfo> ready(v1::JobInfo job);
  int refused(const Error& error, const v1::SubmitRequest& request);
  int revoked(uint32_t job_id);
  int too_late(uint32_t job_id);
  int no_step(const Error& error, uint32_t job_id);
  void cancel(const std::string& id);

  Service service_;
  Signals& signals_;
  const Report& report_;
  int error_exit_;
};

// Ends a job or a step ("27.0"); false if the service can't be asked.
bool cancel_by_id(Calls& calls, const std::string& id);

}  // namespace grappe
