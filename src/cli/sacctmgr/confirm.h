// "Would you like to commit changes? (You have 30 seconds to decide)"
#pragma once

#include <string_view>

namespace grappe::sacctmgr {

// Asks on standard output and reads a letter from standard input; silence for half a minute, and
// the end of the input, is a no.
bool ask_at_terminal(std::string_view question);

}  // namespace grappe::sacctmgr
