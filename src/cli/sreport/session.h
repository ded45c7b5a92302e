// What the reports of sreport share: the options, and the service they ask.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/calls.h"
#include "cli/format/report_table.h"
#include "cli/sreport/times.h"

namespace grappe::sreport {

struct Session {
  explicit Session(Calls& c) : calls(c) {}

  Calls& calls;
  std::string clusters;  // -M
  bool all = false;      // -a
  bool no_header = false;
  bool quiet = false;
  int verbosity = 0;
  ReportStyle style;
  TimeForm time = TimeForm::kMinutes;
  bool by_name = false;     // -s name: the order of users in reports by user
  bool tres_given = false;  // -T
  bool all_tres = false;    // -T ALL
  std::vector<std::string> tres{"cpu"};
  int exit_code = 0;
  bool ended = false;
};

using Words = std::span<const std::string>;

// "sreport TYPE REPORT [CONDITION...]", in the words of Slurm.
void run_line(Session& session, Words words);

}  // namespace grappe::sreport
