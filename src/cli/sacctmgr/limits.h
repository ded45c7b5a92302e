// The limits of associations and QoS: what each is called, how it is read, changed and shown.
//
// A limit is a count of jobs, a time in minutes, or amounts of trackable resources (TRES) by name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/sacctmgr/fields.h"
#include "grappe/v1/books.pb.h"

namespace grappe::sacctmgr {

using Amounts = google::protobuf::Map<std::string, uint64_t>;

struct Limit {
  enum Kind { kCount, kWall, kTres };
  F field;
  Kind kind;
  bool group;                  // Grp...: of all below together, and never a parent's
  std::string_view label;      // in " Settings" of an association; empty: a QoS has it only
  std::string_view qos_label;  // likewise of a QoS; empty: only an association has it
  std::string_view file_name;  // in a dump; empty: not written there
  // Of counts and times.
  bool (*has)(const v1::Limits& limits) = nullptr;
  uint32_t (*get)(const v1::Limits& limits) = nullptr;
  void (*set)(v1::Limits& limits, uint32_t value) = nullptr;
  void (*clear)(v1::Limits& limits) = nullptr;
  // Of TRES.
  const Amounts& (*amounts)(const v1::Limits& limits) = nullptr;
  Amounts& (*edit)(v1::Limits& limits) = nullptr;
};

// In the order in which " Settings" are written.
std::span<const Limit> limits();
const Limit& limit_of(F field);

// A new value: nothing clears it (of TRES: those that are named).
struct LimitChange {
  const Limit* limit;
  std::optional<uint32_t> number;
  std::vector<std::pair<std::string, std::optional<uint64_t>>> amounts;
};
void apply(const LimitChange& change, v1::Limits& limits);

// What a limit is told as: "12", "7-00:00:00", "cpu=4,mem=1G"; empty if there is none.
std::string limit_text(const Limit& limit, const v1::Limits& limits);
// " Settings": the value, "NONE" where it is cleared.
std::string change_text(const LimitChange& change);

// "cpu=4,gres/gpu=2" or by number ("1=4"); -1 clears. Names are checked against the books.
Result<LimitChange> parse_tres_limit(F field, std::string_view text,
                                     const v1::BooksResponse& books);
// Of the older limits of CPUs, nodes and memory.
Result<LimitChange> parse_tres_part(F field, std::string_view tres, std::string_view key,
                                    std::string_view text);
// -1 clears. `key` is for the message. A time's Error has the code 2 and lacks the word as typed.
Result<LimitChange> parse_count_limit(F field, std::string_view key, std::string_view text);
Result<LimitChange> parse_wall_limit(F field, std::string_view key, std::string_view text);
// kInfinite for -1.
Result<uint32_t> parse_count(std::string_view key, std::string_view text);

// By name: "cpu=4,gres/gpu=2,mem=1G".
std::string tres_text(const Amounts& amounts);
// "cpu", "gres/gpu".
std::string tres_name(const v1::Tres& tres);

}  // namespace grappe::sacctmgr
