// `grappe job` and `grappe jobs`: what was asked for beside what was used, of one job in words, of
// many as a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/calls.h"
#include "cli/format/report_table.h"
#include "grappe/v1/history.pb.h"

namespace grappe {

std::string job_report_text(const v1::JobRecord& job, int64_t now);

struct JobsOptions {
  v1::HistoryRequest filter;
  std::vector<std::string> ids;
  std::optional<std::string> since, until;  // as typed
  bool all_users = false;
  bool no_header = false;
  ReportStyle style;
};

// The table; a column for GPUs only when there are jobs with some.
std::string jobs_report_text(const JobsOptions& options, const v1::HistoryResponse& found);

int jobs_report(JobsOptions options, Calls& calls);

}  // namespace grappe
