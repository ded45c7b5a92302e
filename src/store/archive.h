// Old jobs out of the database into a file, and back.
//
// A file is text: a line that names the table and its columns, then a line for each row, fields separated
// by tabs, with \t, \n, \0 and \\ for what would be mistaken. It can be read by any program, and by this one
// on either database.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace grappe {

struct ArchiveWish {
  // Jobs that ended before then, with their steps; 0: none. Those whose use is not rolled up stay.
  int64_t jobs_before = 0;
  int64_t steps_before = 0;  // steps alone
  int64_t now = 0;
  // Where they are written before they are removed; empty: they are only removed.
  std::string jobs_file, steps_file;
};

struct ArchiveCounts {
  uint64_t jobs = 0, steps = 0;
  uint64_t contents = 0;  // scripts and environments that were only theirs
};

}  // namespace grappe
