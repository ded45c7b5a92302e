#include <cstdint>
#include <cstdlib>

#include "base/dependency.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto list = grappe::parse_dependencies(text);
  if (!list) return 0;
  require(!list->items.empty() && list->items.size() <= 10000);
  auto again = grappe::parse_dependencies(grappe::format_dependencies(*list));
  require(again && again->items == list->items);
  return 0;
}
