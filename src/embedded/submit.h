// New jobs.
#pragma once

#include "embedded/admit.h"
#include "embedded/core.h"

namespace grappe::embedded {

void on_submit(Core& core, const Caller& caller, v1::SubmitRequest request,
               Reply<v1::SubmitResponse> reply);

// What a submission would become, or why it is refused. Nothing is changed.
Result<Admission> weigh(Core& core, const Caller& caller, v1::JobSpec spec, Admitting what);

// The submissions of a batch that could not be written: as if they had never come.
void take_back(Core& core, const std::vector<uint32_t>& created, const Error& error);

}  // namespace grappe::embedded
