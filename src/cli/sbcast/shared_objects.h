// The shared objects that a program needs (--send-libs).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

// Asks ldd, which knows where the loader would find each. Those below a folder of `exclude` are
// left out.
Result<std::vector<std::string>> shared_objects(const std::string& program,
                                                const std::vector<std::string>& exclude);

// The paths in ldd's answer: "\tlibx.so => /a/libx.so (0x...)".
std::vector<std::string> parse_ldd(std::string_view text, const std::vector<std::string>& exclude);

}  // namespace grappe
