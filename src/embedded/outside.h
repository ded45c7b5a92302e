// Programs of the site that the service itself runs (mail): detached, no shell, clean environment.
#pragma once

#include <string>
#include <vector>

namespace grappe::embedded {

// Starts it and does not wait. Its input is empty, its output goes nowhere.
void run_outside(const std::vector<std::string>& argv);

}  // namespace grappe::embedded
