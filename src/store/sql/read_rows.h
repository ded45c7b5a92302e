// Jobs and steps out of their tables, one after the other.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/job.h"
#include "store/history.h"

namespace soci {
class session;
}

namespace grappe::sql {

// The jobs that `query` may mean.
std::vector<uint32_t> sorted_ids(soci::session& session, const HistoryQuery& query);

// What follows a column of ids in a condition: "IN (SELECT ...)" of the jobs that `query` may mean.
std::string among(const HistoryQuery& query);
// The same for a part of those ids, as `sorted_ids` gave them. Where they lie close together it is
// their range, with other jobs in it.
std::string among(const HistoryQuery& query, std::span<const uint32_t> ids);

// Every run of the jobs, by id.
enum class JobPart { kWhole, kForLists };
void each_job(soci::session& session, const std::string& which, JobPart part,
              const std::function<void(Job&&)>& take);
enum class StepPart { kWhole, kWithoutSamples };
void each_step(soci::session& session, const std::string& which, StepPart part,
               const std::function<void(Step&&)>& take);

}  // namespace grappe::sql
