// Any text may come as --constraint: none may crash the engine or make it write without end, and
// what is accepted speaks of features that there are.
#include <cstdint>
#include <cstdlib>

#include "embedded/constraint.h"

namespace {

constexpr size_t kMostSets = 256;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using grappe::embedded::parse_constraint;
  static const grappe::embedded::Cluster cluster = [] {
    grappe::embedded::Cluster made;
    made.features = {"a", "b", "c", "gpu-a100"};
    return made;
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_constraint(cluster, text);
  if (!parsed) return 0;
  require(parsed->sets.empty() == text.empty());
  require(parsed->sets.size() <= kMostSets);
  for (const auto& set : parsed->sets) {
    for (uint32_t feature : set.all_of.members()) require(feature < cluster.features.size());
    require(set.count <= parsed->least_nodes);
  }
  return 0;
}
