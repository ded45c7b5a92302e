#include "embedded/gpu_binding.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/cpu_bind.h"
#include "base/gres_spec.h"
#include "base/text.h"

namespace grappe::embedded {
namespace {

using Gpus = std::vector<uint32_t>;

std::string_view without(std::string_view text, std::string_view prefix) {
  return istarts_with(text, prefix) ? text.substr(prefix.size()) : std::string_view();
}

// The number after "single:" or "per_task:"; 0: it is another kind.
uint32_t count_after(std::string_view text, std::string_view prefix) {
  return static_cast<uint32_t>(parse_uint(without(text, prefix), 65536).value_or(0));
}

Gpus per_task(const GpuShare& share, uint32_t each, uint32_t local) {
  const size_t first = size_t{local} * each;
  if (first + each > share.gpus.size()) return {};
  const auto begin = share.gpus.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + each};
}

// Lists have the form of those for CPUs.
Gpus by_list(std::string_view kind, std::string_view list, const GpuShare& share, uint32_t local) {
  auto parsed = parse_cpu_bind(std::string(kind) + ":" + std::string(list));
  Gpus out;
  if (!parsed || parsed->lists.empty()) return out;
  for (uint32_t wanted : parsed->lists[local % parsed->lists.size()]) {
    if (share.numbered_from_zero) {
      if (wanted < share.gpus.size()) out.push_back(share.gpus[wanted]);
    } else if (std::find(share.gpus.begin(), share.gpus.end(), wanted) != share.gpus.end()) {
      out.push_back(wanted);
    }
  }
  return out;
}

}  // namespace

std::string gpu_bind_of(const v1::StepSpec& spec) {
  if (!spec.gpu_bind().empty()) {
    const std::string_view quiet = without(spec.gpu_bind(), "verbose,");
    return quiet.empty() ? spec.gpu_bind() : std::string(quiet);
  }
  if (spec.has_ntasks_per_gpu()) return fmt::format("single:{}", spec.ntasks_per_gpu());
  if (spec.gpus_per_task().empty()) return "";
  uint64_t each = 0;
  if (auto wanted = parse_gpus(spec.gpus_per_task())) {
    for (const GresSpec& one : *wanted) each += one.count;
  }
  return each > 0 ? fmt::format("per_task:{}", each) : "";
}

bool says_binding(const v1::StepSpec& spec) {
  return !without(spec.gpu_bind(), "verbose,").empty();
}

GpuBinding bind_gpus(const std::string& bind, const GpuShare& share, uint32_t local,
                     uint32_t task) {
  GpuBinding out;
  if (bind.empty() || share.gpus.empty()) {
    out.gpus = share.gpus;
    return out;
  }
  if (iequals(bind, "none")) {
    out.hidden = true;
    return out;
  }
  if (const uint32_t tasks = count_after(bind, "single:")) {
    out.gpus = {share.gpus[local / tasks % share.gpus.size()]};
  } else if (const uint32_t each = count_after(bind, "per_task:")) {
    out.gpus = per_task(share, each, local);
    if (out.gpus.empty()) out.notices.emplace_back("Not enough gpus to bind for gpus per task");
  } else if (const auto map = without(bind, "map_gpu:"); !map.empty()) {
    out.gpus = by_list("map_cpu", map, share, local);
  } else if (const auto mask = without(bind, "mask_gpu:"); !mask.empty()) {
    out.gpus = by_list("mask_cpu", mask, share, local);
  } else if (iequals(bind, "closest")) {
    out.gpus = share.closest.empty() ? share.gpus : share.closest;
  }
  if (out.gpus.empty()) {
    out.notices.push_back(
        fmt::format("Bind request gpu:{} does not specify any devices within the allocation for "
                    "task {}. Binding to the first device in the allocation instead.",
                    bind, task));
    out.gpus = {share.gpus.front()};
  }
  return out;
}

}  // namespace grappe::embedded
