// Jobs and steps out of their tables, one after the other.
#pragma once

#include <functional>
#include <string>

#include "model/job.h"
#include "store/history.h"

namespace soci {
class session;
}

namespace grappe::sql {

// Queries for the ids of jobs: those that are not over or were not at `end_time`, and those that a
// query may mean.
std::string live_or_since(int64_t end_time);
struct IdRange {
  uint32_t first = 0, last = UINT32_MAX;
};
std::string ids_of(const HistoryQuery& query, const IdRange& range = {});

// Every run of the jobs, by id. `ids` is a query for them.
void each_job(soci::session& session, const std::string& ids, const std::function<void(Job)>& take);
enum class StepPart { kWhole, kWithoutSamples };
void each_step(soci::session& session, const std::string& ids, StepPart part,
               const std::function<void(Step)>& take);

}  // namespace grappe::sql
