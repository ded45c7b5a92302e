// Reads what is remembered of jobs: a long list on several connections at once, all of which see
// the same moment.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "model/job.h"
#include "store/history.h"

namespace soci {
class session;
}

namespace grappe::sql {

class HistoryReader {
 public:
  // `open` connects a session. Nobody commits while `writing` is held.
  HistoryReader(std::function<void(soci::session&)> open, std::mutex& writing);
  ~HistoryReader();

  // Throws what SOCI throws.
  Result<std::vector<JobHistory>> read(const HistoryQuery& query);

 private:
  soci::session& session(size_t index);
  std::vector<JobHistory> read_parts(const HistoryQuery& query, const std::vector<uint32_t>& ids,
                                     size_t parts);

  const std::function<void(soci::session&)> open_;
  std::mutex& writing_;
  std::mutex mutex_;  // guards sessions_
  std::vector<std::unique_ptr<soci::session>> sessions_;
};

}  // namespace grappe::sql
