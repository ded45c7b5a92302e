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

// A query for the ids of the jobs that `query` may mean.
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
