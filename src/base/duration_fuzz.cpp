#include <cstdint>
#include <cstdlib>

#include "base/duration.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto seconds = grappe::parse_duration(text);
  if (!seconds) return 0;
  // The short form without days is minutes first, the long one hours first: both read back.
  require(grappe::parse_duration(grappe::format_duration(*seconds)).value() == *seconds);
  require(grappe::parse_duration(grappe::format_duration_short(*seconds)).value() == *seconds);
  uint32_t minutes = grappe::minutes_rounded_up(*seconds);
  require(minutes == grappe::kInfinite || uint64_t{minutes} * 60 >= *seconds);
  return 0;
}
