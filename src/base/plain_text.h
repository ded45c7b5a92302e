// Text that a user chose (the name of a job, a comment), made fit to be shown on the terminals of
// others and read by their scripts.
#pragma once

#include <string>

namespace grappe {

// Every control character from `start` on becomes '?', so that it can neither steer a terminal nor
// make a line of its own.
void hide_control_characters(std::string& text, size_t start = 0);

}  // namespace grappe
