// Dependencies between jobs: "afterok:12:13_4,after:9+10" (all of them) or "afterok:12?afterany:13"
// (any of them).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/duration.h"
#include "base/result.h"

namespace grappe {

enum class DependencyKind {
  kAfter,             // it has started or was cancelled
  kAfterAny,          // it has ended
  kAfterBurstBuffer,  // it has ended and its data is staged out
  kAfterCorr,         // its task of the same number has ended well
  kAfterOk,           // it has ended well
  kAfterNotOk,        // it has failed
  kExpand,            // its allocation takes this job's resources
  kSingleton,         // no job of the same name and user is before this one
};

enum class DependencyState { kUnfulfilled, kFailed };

struct Dependency {
  DependencyKind kind = DependencyKind::kAfterAny;
  uint32_t job_id = 0;          // 0 for a singleton
  uint32_t task_id = kNoValue;  // kNoValue: the job; kInfinite: every task of the array ("_*")
  uint32_t delay_minutes = 0;   // "after:12+10"
  DependencyState state = DependencyState::kUnfulfilled;

  bool operator==(const Dependency&) const = default;
};

struct DependencyList {
  std::vector<Dependency> items;
  bool any = false;  // separated by '?': one of them is enough

  bool operator==(const DependencyList&) const = default;
};

// Also takes what format_dependencies writes. A number without a kind is afterany, repetitions are
// left out, and "12_[1-3]" is one for each task. Unlike Slurm, which then takes all as "any", ','
// and '?' in one text are refused, as its manual says. Slurm's wording on failure.
Result<DependencyList> parse_dependencies(std::string_view text);

// "afterok:13(unfulfilled),after:9+10(failed)"; empty for none.
std::string format_dependencies(const DependencyList& list);

}  // namespace grappe
