// "3:0", "0:9": the exit code and the signal of a wait(2) status.
#pragma once

#include <cstdint>
#include <string>

namespace grappe {

std::string exit_code_text(uint32_t status);

}  // namespace grappe
