// The file of --multi-prog: which program each task runs.
//
//   # tasks  program and arguments; %t is the task, %o its place within the line's tasks
//   0        ./master
//   1-3,7    ./worker --rank %t
//   *        sleep %o
//
// Words are separated by blanks; single quotes and backslashes protect, a backslash at the end of
// a line continues it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grappe/v1/spec.pb.h"

namespace grappe {

struct MultiProgram {
  uint32_t ntasks = 0;
  std::vector<v1::MultiProg> rows;
};

// `ntasks` as asked for; without it the file decides. Every task must have a program. The Error
// carries Slurm's lines; `name` is the file's in them.
Result<MultiProgram> parse_multi_prog(std::string_view text, const std::string& name,
                                      std::optional<uint32_t> ntasks);

}  // namespace grappe
