// Allocations that belong to a running salloc or srun: when that process is gone without a word
// (kill -9), nobody would ever give them back.
//
// A process is known by its number and its start time, both in the job's record, so a restart of
// the service ends nothing whose client lives.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// Writes into the request whom the job ends with, if it asks for that and the client can be seen.
void note_client(const Core& core, const Caller& caller, v1::SubmitRequest& request);
// Watches the client of a new job.
void take_lease(Core& core, const Job& job);
// All jobs of the records, after a restart.
void recover_leases(Core& core);
// Cancels the jobs whose clients are gone; when to look again (s).
int64_t check_leases(Core& core);

}  // namespace grappe::embedded
