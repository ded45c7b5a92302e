// Requests for generic resources: --gres "gpu:a100:2,shard:1", --gpus "2" or "volta:3,kepler:5".
//
// Whether a name or a type exists on any node is not known here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

struct GresSpec {
  std::string name;  // "gpu"
  std::string type;  // "a100"; empty is any
  uint64_t count = 1;
  // "gpu" asks for one like "gpu:1" but is shown as it was written.
  bool count_given = true;

  bool operator==(const GresSpec&) const = default;
};

// --gres: name[[:type]:count], each optionally after "gres:"; "none" and "" are no resources.
// A count may end in K, M, G, ... (powers of 1024), or KB, MB, ... (of 1000). Slurm's wording on
// failure.
Result<std::vector<GresSpec>> parse_gres(std::string_view text);

// --gpus, --gpus-per-node, ...: [type:]count, or a type alone; the name is "gpu".
Result<std::vector<GresSpec>> parse_gpus(std::string_view text);

// Of two that name the same the last counts: "gpu:2,gpu:1" is one GPU.
void keep_last_of_each(std::vector<GresSpec>& specs);

// "gres:gpu:a100:2,gres:shard:1" as in TresPerNode=; with another prefix, "gpu:a100:2".
std::string format_gres(std::span<const GresSpec> specs, std::string_view prefix = "gres:");

}  // namespace grappe
