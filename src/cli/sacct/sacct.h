// sacct: what is remembered of jobs and their steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/calls.h"
#include "cli/format/report_table.h"
#include "cli/sacct/fields.h"
#include "grappe/v1/history.pb.h"

namespace grappe {

// "12", "12_3", "12.batch", "12_3.0" of -j.
struct SacctWish {
  v1::JobWish job;
  std::string step;  // "": the job and all its steps
};
Result<SacctWish> parse_sacct_wish(std::string_view text);

struct SacctOptions {
  v1::HistoryRequest filter;  // without the users and the window
  std::vector<SacctWish> wishes;
  std::optional<std::string> node_list;
  std::optional<std::string> clusters;
  bool all_users = false;
  bool allocations_only = false;
  std::string format;
  bool no_header = false;
  ReportStyle style;
  bool convert = true;
  std::optional<Unit> unit;
  bool truncate = false;
  std::optional<std::string> start, end;  // as typed
  std::optional<uint32_t> least_limit, most_limit;
  bool batch_script = false, environment = false;
  bool list_fields = false;  // and nothing else
  bool json = false;
  int verbosity = 0;
};

// The code to exit with, when there is nothing left to do.
std::optional<int> read_sacct_options(int argc, char** argv, SacctOptions& options);

// -S and -E, or what they are when they are not given: it depends on -j and -s.
struct SacctWindow {
  int64_t start = 0, end = 0;
};
Result<SacctWindow> sacct_window(const SacctOptions& options, int64_t now);

// Is the step to be shown (the job itself: nullptr)?
bool sacct_shows(const SacctOptions& options, const v1::JobRecord& job, const v1::StepRecord* step);

int sacct(const SacctOptions& options, Calls& calls);

}  // namespace grappe
