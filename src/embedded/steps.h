// Steps inside a running job: resources out of its allocation, tasks on its nodes.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

void on_create_step(Core& core, const Caller& caller, v1::CreateStepRequest request,
                    Reply<v1::CreateStepResponse> reply);
void on_update_step(Core& core, const Caller& caller, const v1::UpdateStepRequest& request,
                    Reply<v1::UpdateStepResponse> reply);

// A step has ended or the job has: look again at those that wait.
void retry_steps(Core& core, uint32_t job_id);
// Answers "busy" to those who have waited long enough; when the next one's time is (ms).
int64_t expire_step_waiters(Core& core);

}  // namespace grappe::embedded
