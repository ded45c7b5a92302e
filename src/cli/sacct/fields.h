// What sacct can show of a job or a step.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/memory_size.h"
#include "cli/format/report_table.h"
#include "cli/format/timestamp.h"
#include "cli/sacct/record_ids.h"
#include "grappe/v1/history.pb.h"

namespace grappe {

struct SacctContext {
  int64_t now = 0;
  TimestampFormat time;
  // --truncate: times and spans within the window.
  bool truncate = false;
  int64_t window_start = 0, window_end = 0;
  bool convert = true;       // --noconvert
  std::optional<Unit> unit;  // --units
  RecordIds ids;             // where a column shows one
};

// A line of the report: the job itself, or one of its steps.
struct SacctRow {
  const v1::JobRecord& job;
  const v1::StepRecord* step;  // nullptr: the job
};

// How wide a field is shown, and what if its value is wider.
struct SacctWidth {
  // Below zero: to the left.
  constexpr SacctWidth(int room, Overflow wider = Overflow::kMark)
      : columns(room), overflow(wider) {}
  int columns;
  Overflow overflow;
};

struct SacctField {
  std::string_view name;
  SacctWidth width;
  void (*value)(std::string& out, const SacctRow& row, const SacctContext& context);
  bool listed = true;  // in --helpformat
  bool whole = false;  // not in the brief record of a job
  bool ids = false;    // needs the numbers of the context
};

std::span<const SacctField> sacct_fields();

// "12", "12_3", "12_[4-6]", each with ".batch" or ".0" for a step.
std::string sacct_job_id(const SacctRow& row);

}  // namespace grappe
