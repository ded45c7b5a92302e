// What a file of `load` changes in the books.
#pragma once

#include <string>
#include <vector>

#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/flat_file.h"

namespace grappe::sacctmgr {

// Adds to `change` what is new or other than it was; with `clean` the cluster's accounts and users
// are removed first. The result is what sacctmgr tells of it. `cluster` overrides the file's.
Result<std::string> plan_load(Session& session, const std::vector<FileLine>& lines,
                              const std::string& cluster, bool clean,
                              const v1::BooksResponse& books, Change& change);

}  // namespace grappe::sacctmgr
