#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/hostlist.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto names = grappe::expand_hostlist(text);
  if (!names) return 0;
  require(names->size() <= 100000);
  // Long lists cost time, and neighbouring ranges may fold into one longer than a range may be.
  if (names->size() > 1000) return 0;
  auto again = grappe::expand_hostlist(grappe::fold_hostlist(*names));
  require(again && *again == *names);
  auto sorted = grappe::expand_hostlist(grappe::fold_sorted_hostlist(*names));
  require(sorted && sorted->size() == names->size());
  require(std::is_sorted(sorted->begin(), sorted->end(), grappe::hostname_less));
  return 0;
}
