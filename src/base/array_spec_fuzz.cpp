#include <cstdint>
#include <cstdlib>

#include "base/array_spec.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr uint32_t kMaxSize = 100001;
  auto spec = grappe::parse_array_spec(text, kMaxSize);
  if (!spec) return 0;
  grappe::TaskSet& tasks = spec->tasks;
  require(!tasks.empty() && *tasks.last() < kMaxSize);
  grappe::format_tasks(tasks, spec->max_running);
  auto again =
      grappe::parse_array_spec(grappe::format_tasks(tasks, spec->max_running, 0), kMaxSize);
  require(again && again->tasks == tasks && again->max_running == spec->max_running);
  // Takes out some, and the rest counts up as the set says.
  for (uint32_t i = 0; i < 100 && !tasks.empty(); ++i) {
    uint32_t id = i % 3 == 0 ? *tasks.first() : data[i % size] * 7919u % kMaxSize;
    bool present = tasks.contains(id);
    uint32_t count = tasks.count();
    require(tasks.remove(id) == present);
    require(tasks.count() == count - (present ? 1 : 0) && !tasks.contains(id));
  }
  uint32_t count = 0;
  tasks.for_each([&](uint32_t id) { count += tasks.contains(id) ? 1 : 0; });
  require(count == tasks.count());
  return 0;
}
