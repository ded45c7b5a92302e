// GPU jobs as CSV: when they came, how long they ran, on how many GPUs, of which group.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "sim/formats.h"
#include "sim/stamp.h"

namespace grappe::sim {
namespace {

std::optional<double> decimal(std::string_view text) {
  double value = 0;
  auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool good = error == std::errc() && after == text.data() + text.size() && std::abs(value) < 1e12;
  return good ? std::optional(value) : std::nullopt;
}

class GpuList : public Format {
 public:
  Result<std::optional<TraceJob>> job(std::string_view line, People& people,
                                      WorkloadFacts& facts) override {
    std::vector<std::string_view> cells = split(line, ',');
    if (titles_ == 0) return read_titles(cells);
    if (cells.size() != titles_) {
      return fail(fmt::format("{} columns where there are {} titles", cells.size(), titles_));
    }
    auto submit = parse_stamp(cells[submit_]);
    auto run = decimal(cells[run_]);
    auto gpus = decimal(cells[gpus_]);
    if (!submit) return fail(fmt::format("'{}' is not a time", cells[submit_]));
    if (!run) return fail(fmt::format("'{}' is not a duration", cells[run_]));
    if (!gpus) return fail(fmt::format("'{}' is not a number of GPUs", cells[gpus_]));
    ++rows_;
    if (*run <= 0 || *gpus < 1) {
      ++facts.left_out;
      return std::nullopt;
    }
    TraceJob out;
    out.id = rows_;
    out.submit = *submit;
    out.run = static_cast<Time>(std::ceil(*run));
    out.limit = usual_limit(out.id, out.run);
    out.gpus = out.cpus = static_cast<uint32_t>(*gpus);
    std::string_view group = group_ < cells.size() ? cells[group_] : "all";
    out.user = people.users.index(group);
    out.account = people.accounts.index(group);
    return out;
  }

 private:
  Result<std::optional<TraceJob>> read_titles(const std::vector<std::string_view>& cells) {
    auto find = [&](std::string_view name) {
      return static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin());
    };
    titles_ = cells.size();
    submit_ = find("timestamp");
    run_ = find("duration");
    gpus_ = find("num_gpus");
    group_ = find("cluster");
    if (std::max({submit_, run_, gpus_}) >= titles_) {
      return fail("the columns timestamp, duration and num_gpus are needed");
    }
    return std::nullopt;
  }

  std::size_t titles_ = 0, submit_ = 0, run_ = 0, gpus_ = 0, group_ = 0;
  uint64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<Format> gpu_list_format() {
  return std::make_unique<GpuList>();
}

}  // namespace grappe::sim
