// How many processes of the step the kernel has killed for want of memory.
#pragma once

#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace grappe::exec {

class OomCount {
 public:
  // As root. `file` holds a line "oom_kill N".
  void open(const std::string& file);
  // So far; a process that was waited for is in it.
  uint64_t now() const;

 private:
  UniqueFd file_;
};

}  // namespace grappe::exec
