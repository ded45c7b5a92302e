#include "cli/docs/option_tables.h"

namespace grappe {

std::vector<OptionTable> option_tables() {
  return {};
}

}  // namespace grappe
