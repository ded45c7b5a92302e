#include <cstdint>
#include <cstdlib>

#include "base/gres_spec.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  for (auto parse : {grappe::parse_gres, grappe::parse_gpus}) {
    auto specs = parse(text);
    if (!specs || specs->empty()) continue;
    auto again = grappe::parse_gres(grappe::format_gres(*specs));
    require(again && *again == *specs);
  }
  return 0;
}
