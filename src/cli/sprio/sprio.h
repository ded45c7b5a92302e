// sprio: what the priority of pending jobs is made of.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/calls.h"
#include "cli/format/field.h"
#include "grappe/v1/share.pb.h"

namespace grappe {

struct SprioOptions {
  v1::PrioritiesRequest request;
  std::string format;
  std::string sort = "i";
  std::string clusters;
  std::string jobs, users, partitions;  // as typed
  bool by_user = false;                 // -u: users are shown
  bool no_header = false, long_form = false, normalized = false, weights = false;
  bool siblings = false;  // --sibling: clusters are shown
  int verbosity = 0;
};

// What is the same for all rows.
struct SprioContext {
  const v1::PrioritiesResponse& answer;
  bool weights = false;  // the row has the weights themselves
};

using SprioField = Field<v1::PriorityInfo, SprioContext>;
std::span<const SprioField> sprio_fields();

// The columns of what has a weight, or of everything.
std::string sprio_format(const SprioOptions& options, const v1::PriorityInfo& weights);

// The code to exit with, when there is nothing left to do.
std::optional<int> read_sprio_options(int argc, char** argv, SprioOptions& options);

int sprio(const SprioOptions& options, Calls& calls);

}  // namespace grappe
