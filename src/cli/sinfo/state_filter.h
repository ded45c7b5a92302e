// -t of sinfo: "idle", "alloc,mixed", "idle&drain"; any beginning of a state's name will do.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

class NodeStateFilter {
 public:
  // The Error has Slurm's two lines.
  static Result<NodeStateFilter> parse(std::string_view text);
  // sinfo -R: the states in which a node has a reason.
  static NodeStateFilter unavailable();

  bool matches(uint32_t state) const;

 private:
  using Test = bool (*)(uint32_t state);
  std::vector<Test> tests_;
  bool all_must_hold_ = false;
};

}  // namespace grappe
