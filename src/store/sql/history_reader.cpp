#include "store/sql/history_reader.h"

#include <soci/soci.h>

#include <algorithm>
#include <future>
#include <span>
#include <thread>

#include "store/sql/read_rows.h"
#include "store/sql/usage_tables.h"

namespace grappe::sql {
namespace {

constexpr size_t kWorthAnother = 1000;  // jobs that pay for one more connection and thread
constexpr size_t kMostConnections = 8;

using Ids = std::span<const uint32_t>;

std::pair<uint32_t, uint32_t> run_of(const Job& job) {
  return {job.id, job.restarts};
}
std::pair<uint32_t, uint32_t> run_of(const Step& step) {
  return {step.job_id, step.restart};
}

std::vector<JobHistory> read_part(soci::session& session, const HistoryQuery& query, Ids ids) {
  std::vector<JobHistory> out;
  out.reserve(ids.size());
  const std::string which = among(query, ids);
  auto wanted = ids.begin();
  each_job(session, which, query.for_lists ? JobPart::kForLists : JobPart::kWhole, [&](Job&& job) {
    while (wanted != ids.end() && *wanted < job.id) ++wanted;
    if (wanted != ids.end() && *wanted == job.id) out.emplace_back().job = std::move(job);
  });
  if (!query.steps && !query.samples) return out;
  auto owner = out.begin();
  each_step(session, which, query.samples ? StepPart::kWhole : StepPart::kWithoutSamples,
            [&](Step&& step) {
              while (owner != out.end() && run_of(owner->job) < run_of(step)) ++owner;
              if (owner != out.end() && run_of(owner->job) == run_of(step)) {
                owner->steps.push_back(std::move(step));
              }
            });
  return out;
}

// The part `index` of so many.
Ids part_of(Ids ids, size_t index, size_t parts) {
  const size_t first = ids.size() * index / parts, next = ids.size() * (index + 1) / parts;
  return ids.subspan(first, next - first);
}

}  // namespace

HistoryReader::HistoryReader(std::function<void(soci::session&)> open, std::mutex& writing)
    : open_(std::move(open)), writing_(writing) {}

HistoryReader::~HistoryReader() = default;

soci::session& HistoryReader::session(size_t index) {
  while (sessions_.size() <= index) {
    auto next = std::make_unique<soci::session>();
    open_(*next);
    sessions_.push_back(std::move(next));
  }
  return *sessions_[index];
}

std::vector<JobHistory> HistoryReader::read_parts(const HistoryQuery& query,
                                                  const std::vector<uint32_t>& ids, size_t parts) {
  std::vector<std::unique_ptr<soci::transaction>> moments;
  for (size_t i = 0; i < parts; ++i) session(i);
  {
    std::lock_guard nobody_writes(writing_);
    for (size_t i = 0; i < parts; ++i) {
      moments.push_back(std::make_unique<soci::transaction>(session(i)));
      see_one_moment(session(i));
      int there = 0;  // a transaction begins with its first look
      session(i) << "SELECT COUNT(*) FROM meta", soci::into(there);
    }
  }
  std::vector<std::future<std::vector<JobHistory>>> others;
  for (size_t i = 1; i < parts; ++i) {
    others.push_back(std::async(std::launch::async, read_part, std::ref(session(i)),
                                std::cref(query), part_of(ids, i, parts)));
  }
  std::vector<JobHistory> out = read_part(session(0), query, part_of(ids, 0, parts));
  out.reserve(ids.size());
  for (auto& other : others) {
    std::vector<JobHistory> more = other.get();
    out.insert(out.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }
  return out;
}

Result<std::vector<JobHistory>> HistoryReader::read(const HistoryQuery& query) {
  std::lock_guard lock(mutex_);
  const size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  try {
    const std::vector<uint32_t> ids = sorted_ids(session(0), query);
    if (ids.size() > query.most) return too_many_jobs(query.most);
    return read_parts(
        query, ids,
        std::clamp(ids.size() / kWorthAnother, size_t{1}, std::min(cores, kMostConnections)));
  } catch (...) {
    sessions_.clear();  // a connection that broke does not come back
    throw;
  }
}

}  // namespace grappe::sql
