#include <cstdint>
#include <cstdlib>

#include "base/datetime.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr int64_t kNow = 1794772349;
  for (bool past_allowed : {false, true}) {
    auto time = grappe::parse_datetime(text, kNow, past_allowed);
    if (!time) continue;
    std::string shown = grappe::format_datetime(*time);
    grappe::format_datetime(*time, "relative", kNow);
    grappe::format_datetime(*time, text.substr(0, 64), kNow);
    if (shown.size() != 19) continue;  // not a year of four digits
    auto again = grappe::parse_datetime(shown, kNow, past_allowed);
    // Where clocks go back an hour, a local time is two points in time.
    require(again && std::abs(*again - *time) <= 3600);
  }
  return 0;
}
