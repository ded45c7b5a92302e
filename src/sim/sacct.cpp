// What `sacct -P` prints, by the titles of its columns.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/duration.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "sim/formats.h"
#include "sim/stamp.h"

namespace grappe::sim {
namespace {

enum Field {
  kJobId,
  kUser,
  kAccount,
  kSubmit,
  kStart,
  kEnd,
  kLimit,
  kLimitMinutes,
  kCpus,
  kTres,
  kFields
};

// The titles that give a field, the best first.
struct Titles {
  Field field;
  std::array<std::string_view, 3> names;
  bool needed;
};
constexpr Titles kTitles[] = {
    {kJobId, {"JobID", "JobIDRaw"}, true},
    {kUser, {"User", "UID"}, false},
    {kAccount, {"Account"}, false},
    {kSubmit, {"Submit", "Eligible"}, true},
    {kStart, {"Start"}, true},
    {kEnd, {"End"}, true},
    {kLimit, {"Timelimit"}, false},
    {kLimitMinutes, {"TimelimitRaw"}, false},
    {kCpus, {"ReqCPUS", "AllocCPUS", "NCPUS"}, true},
    {kTres, {"ReqTRES", "AllocTRES"}, false},
};

// "cpu=4,mem=16G,gres/gpu=2": the value of `key`, or nothing.
std::string_view tres_value(std::string_view tres, std::string_view key) {
  for (std::string_view word : split_words(tres, ",")) {
    std::size_t equals = word.find('=');
    if (equals != word.npos && word.substr(0, equals) == key) return word.substr(equals + 1);
  }
  return {};
}

class Sacct : public Format {
 public:
  Result<std::optional<TraceJob>> job(std::string_view line, People& people,
                                      WorkloadFacts& facts) override {
    cells_ = split(line, '|');
    if (titles_ == 0) return read_titles();
    if (cells_.size() != titles_) {
      return fail(fmt::format("{} columns where there are {} titles", cells_.size(), titles_));
    }
    if (cell(kJobId).find('.') != std::string_view::npos) return std::nullopt;  // a step
    auto submit = parse_stamp(cell(kSubmit));
    if (!submit) return fail(fmt::format("'{}' is not a time", cell(kSubmit)));
    auto cpus = parse_uint(cell(kCpus), UINT32_MAX);
    if (!cpus) return fail(fmt::format("'{}' is not a number of CPUs", cell(kCpus)));
    // Jobs that never ran, or run still, have no run to repeat.
    auto start = parse_stamp(cell(kStart)), end = parse_stamp(cell(kEnd));
    if (!start || !end || *end <= *start || *cpus == 0 || *start < *submit) {
      ++facts.left_out;
      return std::nullopt;
    }
    TraceJob out;
    out.id = ++rows_;
    out.submit = *submit;
    out.recorded_wait = *start - *submit;
    out.run = *end - *start;
    out.limit = limit(out.id, out.run);
    out.run = std::min(out.run, out.limit);
    out.cpus = static_cast<uint32_t>(*cpus);
    read_tres(out);
    out.user = people.users.index(cell(kUser));
    out.account = people.accounts.index(cell(kAccount));
    return out;
  }

 private:
  Result<std::optional<TraceJob>> read_titles() {
    titles_ = cells_.size();
    columns_.fill(SIZE_MAX);
    for (const Titles& row : kTitles) {
      for (std::string_view name : row.names) {
        auto same = [&](std::string_view title) { return iequals(trim(title), name); };
        auto found = std::find_if(cells_.begin(), cells_.end(), same);
        if (name.empty() || found == cells_.end() || columns_[row.field] != SIZE_MAX) continue;
        columns_[row.field] = static_cast<std::size_t>(found - cells_.begin());
      }
      if (row.needed && columns_[row.field] == SIZE_MAX) {
        return fail(
            fmt::format("the column {} is missing; use sacct -aXP -o jobid,user,account,"
                        "submit,start,end,state,timelimit,reqcpus,reqtres",
                        row.names[0]));
      }
    }
    return std::nullopt;
  }

  std::string_view cell(Field field) const {
    return columns_[field] == SIZE_MAX ? std::string_view() : trim(cells_[columns_[field]]);
  }

  Time limit(uint64_t id, Time run) const {
    if (auto minutes = parse_uint(cell(kLimitMinutes), UINT32_MAX); minutes && *minutes) {
      return static_cast<Time>(*minutes) * 60;
    }
    auto seconds = parse_duration(cell(kLimit));
    return seconds && *seconds != kInfinite && *seconds ? Time{*seconds} : usual_limit(id, run);
  }

  void read_tres(TraceJob& job) const {
    if (auto gpus = parse_uint(tres_value(cell(kTres), "gres/gpu"), UINT32_MAX)) {
      job.gpus = static_cast<uint32_t>(*gpus);
    }
    if (auto memory = parse_megabytes(tres_value(cell(kTres), "mem"))) job.memory_mb = *memory;
  }

  std::size_t titles_ = 0;
  std::array<std::size_t, kFields> columns_{};
  std::vector<std::string_view> cells_;
  uint64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<Format> sacct_format() {
  return std::make_unique<Sacct>();
}

}  // namespace grappe::sim
