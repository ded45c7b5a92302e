// sstat: what running steps use.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/calls.h"
#include "cli/format/report_table.h"
#include "cli/format/use_text.h"
#include "grappe/v1/steps.pb.h"
#include "grappe/v1/usage.pb.h"

namespace grappe {

struct SstatField {
  std::string_view name;
  int width;  // below zero: to the left
  std::string (*value)(const v1::RunningStep& step, const UseStyle& style);
};

std::span<const SstatField> sstat_fields();

struct SstatOptions {
  v1::StepUseRequest request;
  std::string format;
  bool no_header = false;
  bool list_fields = false;  // and nothing else
  ReportStyle style;
  UseStyle amounts;
  int verbosity = 0;
};

// The code to exit with, when there is nothing left to do.
std::optional<int> read_sstat_options(int argc, char** argv, SstatOptions& options);

int sstat(const SstatOptions& options, Calls& calls);

}  // namespace grappe
