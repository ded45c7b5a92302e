#include <cstdint>
#include <cstdlib>

#include "cli/sacctmgr/flat_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto lines = grappe::sacctmgr::parse_flat_file({reinterpret_cast<const char*>(data), size});
  if (!lines) return 0;
  for (const grappe::sacctmgr::FileLine& line : *lines) {
    if (line.name.empty() || line.title.empty() || line.number == 0) std::abort();
  }
  return 0;
}
