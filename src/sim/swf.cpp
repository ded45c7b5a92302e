// The Standard Workload Format: 18 numbers a line, -1 for what is not known; comments start with
// ';'.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "sim/formats.h"

namespace grappe::sim {
namespace {

struct Column {
  enum : std::size_t {
    kId,
    kSubmit,
    kWait,
    kRun,
    kProcs,
    kAskedProcs = 7,
    kAskedTime,
    kUser = 11,
    kGroup
  };
};
constexpr std::size_t kColumns = 18;
constexpr double kTooBig = 1e15;

using Row = std::array<double, kColumns>;

// Most numbers are whole, but some logs have fractions of seconds.
Result<Row> parse_row(std::string_view line) {
  Row row;
  const char* at = line.data();
  const char* end = at + line.size();
  for (std::size_t i = 0; i < kColumns; ++i) {
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    auto [after, error] = std::from_chars(at, end, row[i]);
    if (error != std::errc() || !(std::abs(row[i]) < kTooBig)) {
      return fail(fmt::format("column {} of {} is not a number", i + 1, kColumns));
    }
    at = after;
  }
  return row;
}

class Swf : public Format {
 public:
  Result<std::optional<TraceJob>> job(std::string_view line, People& people,
                                      WorkloadFacts& facts) override {
    std::string_view text = trim(line);
    if (text.empty()) return std::nullopt;
    if (text.front() == ';') {
      read_header(text, facts);
      return std::nullopt;
    }
    auto row = parse_row(text);
    if (!row) return tl::unexpected(row.error());
    const Row& r = *row;
    double cpus = r[Column::kAskedProcs] > 0 ? r[Column::kAskedProcs] : r[Column::kProcs];
    if (r[Column::kRun] <= 0 || cpus <= 0 || cpus > UINT32_MAX || r[Column::kSubmit] < 0 ||
        r[Column::kId] < 0) {
      ++facts.left_out;
      return std::nullopt;
    }
    TraceJob out;
    out.id = static_cast<uint64_t>(r[Column::kId]);
    out.submit = static_cast<Time>(r[Column::kSubmit]);
    out.limit = static_cast<Time>(r[Column::kAskedTime]);
    out.run = static_cast<Time>(std::ceil(r[Column::kRun]));
    if (out.limit <= 0) out.limit = usual_limit(out.id, out.run);
    out.run = std::min(out.run, out.limit);
    out.cpus = static_cast<uint32_t>(cpus);
    out.user = people.users.index(fmt::format("{:.0f}", r[Column::kUser]));
    out.account = people.accounts.index(
        fmt::format("{:.0f}", r[Column::kGroup] >= 0 ? r[Column::kGroup] : r[Column::kUser]));
    out.recorded_wait = static_cast<Time>(r[Column::kWait]);
    return out;
  }

 private:
  // "; MaxProcs: 100": the machine.
  static void read_header(std::string_view text, WorkloadFacts& facts) {
    for (std::string_view key : {"MaxProcs:", "MaxNodes:"}) {
      std::size_t at = text.find(key);
      if (at == text.npos || facts.machine_cpus) continue;
      auto words = split_words(text.substr(at + key.size()), " \t");
      auto number = words.empty() ? std::nullopt : parse_uint(words[0], UINT32_MAX);
      if (number) facts.machine_cpus = static_cast<uint32_t>(*number);
    }
  }
};

}  // namespace

std::unique_ptr<Format> swf_format() {
  return std::make_unique<Swf>();
}

}  // namespace grappe::sim
