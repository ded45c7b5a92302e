#include "sim/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/formats.h"
#include "sim/lines.h"

namespace grappe::sim {
namespace {

// Reads the jobs of a file one by one.
class Rows {
 public:
  static Result<Rows> open(const std::string& path) {
    auto lines = Lines::open(path);
    if (!lines) return tl::unexpected(lines.error());
    return Rows(std::move(*lines));
  }

  // None at the end of the file.
  Result<std::optional<TraceJob>> next(People& people, WorkloadFacts& facts) {
    for (;;) {
      auto more = lines_.next(line_);
      if (!more) return tl::unexpected(more.error());
      if (!*more) return std::nullopt;
      if (line_.empty()) continue;
      if (!format_) format_ = format_of(line_);
      if (!format_) {
        return fail(lines_.place() +
                    "this is neither SWF, nor the output of `sacct -P`, nor a list of GPU jobs");
      }
      auto job = format_->job(line_, people, facts);
      if (!job) return fail(lines_.place() + job.error().message);
      if (*job) return job;
    }
  }

 private:
  explicit Rows(Lines lines) : lines_(std::move(lines)) {}

  Lines lines_;
  std::unique_ptr<Format> format_;
  std::string line_;
};

void count(const TraceJob& job, WorkloadFacts& facts) {
  ++facts.jobs;
  facts.most_cpus = std::max(facts.most_cpus, job.cpus);
  facts.most_gpus = std::max(facts.most_gpus, job.gpus);
}

class ListSource : public Source {
 public:
  explicit ListSource(const std::vector<TraceJob>& jobs) : jobs_(jobs) {}
  std::optional<TraceJob> next() override {
    return at_ < jobs_.size() ? std::optional(jobs_[at_++]) : std::nullopt;
  }

 private:
  const std::vector<TraceJob>& jobs_;
  std::size_t at_ = 0;
};

class ListWorkload : public Workload {
 public:
  ListWorkload(std::vector<TraceJob> jobs, WorkloadFacts facts, People people)
      : jobs_(std::move(jobs)), facts_(facts), people_(std::move(people)) {
    auto earlier = [](const TraceJob& a, const TraceJob& b) {
      return std::pair(a.submit, a.id) < std::pair(b.submit, b.id);
    };
    std::stable_sort(jobs_.begin(), jobs_.end(), earlier);
  }
  const WorkloadFacts& facts() const override { return facts_; }
  const People& people() const override { return people_; }
  std::unique_ptr<Source> jobs() override { return std::make_unique<ListSource>(jobs_); }

 private:
  std::vector<TraceJob> jobs_;
  WorkloadFacts facts_;
  People people_;
};

// The names were given numbers when the file was checked; reading again gives the same.
class FileSource : public Source {
 public:
  FileSource(const std::string& path, People people)
      : rows_(Rows::open(path)), people_(std::move(people)) {}
  std::optional<TraceJob> next() override {
    if (!rows_) return std::nullopt;
    auto job = rows_->next(people_, facts_);
    return job ? *job : std::nullopt;
  }

 private:
  Result<Rows> rows_;
  People people_;
  WorkloadFacts facts_;
};

class FileWorkload : public Workload {
 public:
  FileWorkload(std::string path, WorkloadFacts facts, People people)
      : path_(std::move(path)), facts_(facts), people_(std::move(people)) {}
  const WorkloadFacts& facts() const override { return facts_; }
  const People& people() const override { return people_; }
  std::unique_ptr<Source> jobs() override { return std::make_unique<FileSource>(path_, people_); }

 private:
  std::string path_;
  WorkloadFacts facts_;
  People people_;
};

// Gives every job to `each`.
template <class Each>
Status read(const std::string& path, People& people, WorkloadFacts& facts, Each each) {
  auto rows = Rows::open(path);
  if (!rows) return tl::unexpected(rows.error());
  for (;;) {
    auto job = rows->next(people, facts);
    if (!job) return tl::unexpected(job.error());
    if (!*job) return {};
    each(**job);
  }
}

}  // namespace

uint32_t Names::index(std::string_view name) {
  auto [at, added] = indexes_.try_emplace(std::string(name), static_cast<uint32_t>(names_.size()));
  if (added) names_.emplace_back(name);
  return at->second;
}

Result<std::unique_ptr<Workload>> open_trace(const std::string& path) {
  WorkloadFacts facts;
  People people;
  std::pair<Time, uint64_t> last{};
  Status checked = read(path, people, facts, [&](const TraceJob& job) {
    std::pair<Time, uint64_t> place{job.submit, job.id};
    facts.in_order = facts.in_order && (facts.jobs == 0 || last <= place);
    last = place;
    count(job, facts);
  });
  if (!checked) return tl::unexpected(checked.error());
  if (facts.jobs == 0) return fail(path + ": there is no job in it that could be run");
  if (facts.in_order) return std::make_unique<FileWorkload>(path, facts, std::move(people));
  std::vector<TraceJob> jobs;
  WorkloadFacts again;
  Status kept = read(path, people, again, [&](const TraceJob& job) { jobs.push_back(job); });
  if (!kept) return tl::unexpected(kept.error());
  return std::make_unique<ListWorkload>(std::move(jobs), facts, std::move(people));
}

std::unique_ptr<Workload> dealt(Workload& all, uint64_t machines, uint64_t which) {
  std::vector<TraceJob> jobs;
  auto source = all.jobs();
  for (uint64_t i = 0; std::optional<TraceJob> job = source->next(); ++i) {
    if (i % machines == which) jobs.push_back(*job);
  }
  return workload_of(std::move(jobs));
}

std::unique_ptr<Workload> workload_of(std::vector<TraceJob> jobs) {
  WorkloadFacts facts;
  People people;
  for (const TraceJob& job : jobs) {
    count(job, facts);
    while (people.users.size() <= job.user) {
      people.users.index(fmt::format("user{}", people.users.size()));
    }
    while (people.accounts.size() <= job.account) {
      people.accounts.index(fmt::format("account{}", people.accounts.size()));
    }
  }
  return std::make_unique<ListWorkload>(std::move(jobs), facts, std::move(people));
}

}  // namespace grappe::sim
