#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/memory_size.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto megabytes = grappe::parse_megabytes(text);
  if (megabytes) {
    std::string plain = std::to_string(*megabytes);
    require(grappe::parse_megabytes(plain).value() == *megabytes);
    std::string shown = grappe::format_megabytes(*megabytes);
    auto again = grappe::parse_megabytes(shown);
    // "1.50G" is not read back, and beyond 2^53 a double is not exact.
    if (again && *megabytes < (uint64_t{1} << 53)) require(*again == *megabytes);
  }
  grappe::suffix_multiplier(text);
  double value = 0;
  if (size < sizeof(value)) return 0;
  std::memcpy(&value, data, sizeof(value));
  for (auto how : {grappe::Shorten::kRounded, grappe::Shorten::kExact, grappe::Shorten::kNever,
                   grappe::Shorten::kRaw}) {
    grappe::convert_units(value, grappe::Unit::kMega, how);
    grappe::convert_units(value, grappe::Unit::kNone, how, 1000);
  }
  grappe::convert_units_to(value, grappe::Unit::kMega, grappe::Unit::kPeta);
  return 0;
}
