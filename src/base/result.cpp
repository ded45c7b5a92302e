#include "base/result.h"

#include <cstring>

namespace grappe {

tl::unexpected<Error> fail_errno(const std::string& what, int error_number) {
  return fail(what + ": " + std::strerror(error_number));
}

}  // namespace grappe
