#include "embedded/priority.h"

#include <algorithm>

namespace grappe::embedded {

// First come, first served, as priority/basic counts: down from the top. A hold shows as 0.
void set_first_priority(Job& job) {
  constexpr uint32_t kTop = 4294901760;  // Slurm's first: 0xffff0000
  const v1::JobSpec& spec = *job.spec;
  if (spec.has_priority() && spec.priority() > 0) {
    job.priority = spec.priority();
    job.direct_priority = true;
  } else {
    int64_t nice = spec.has_nice() ? spec.nice() : 0;
    job.priority = static_cast<uint32_t>(
        std::clamp<int64_t>(int64_t{kTop} - job.id - nice, 1, UINT32_MAX - 1));
  }
  if (job.hold != Hold::kNone) job.priority = 0;
}

}  // namespace grappe::embedded
