// sacct: which of the jobs in the books a request means, and what is told of them.
#pragma once

#include "embedded/view.h"
#include "grappe/v1/history.pb.h"
#include "store/store.h"

namespace grappe::embedded {

// Was the job in one of the request's states in its window, or, without states, alive and eligible?
// A job that is asked for by its id need not have become eligible.
bool in_window(const Job& job, const v1::HistoryRequest& request);

// May be called on any thread. `only_uid`: a user who may see no others' jobs.
Result<HistoryListing> history_of(Store& store, const ViewContext& context,
                                  const v1::HistoryRequest& request, int64_t now,
                                  std::optional<uid_t> only_uid);

// The record of a job that the engine has forgotten; null if there never was one.
JobPtr last_run_of(Store& store, uint32_t job_id);

}  // namespace grappe::embedded
