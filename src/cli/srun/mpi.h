// --mpi: which process managers there are.
#pragma once

#include <string>
#include <string_view>

namespace grappe {

// Whether tasks can be started with it.
bool knows_mpi(std::string_view type);
// What --mpi=list prints.
std::string mpi_list();

}  // namespace grappe
