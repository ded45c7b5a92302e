// What Open MPI must be told when one machine stands for several nodes.
//
// Its mpirun numbers the processes of each node from 0, and names their shared memory after the
// host and that number: on two nodes of one machine the same name, and the programs crash. So its
// shared memory is left out there; a user who sets the variable knows better.
#pragma once

#include <string_view>

namespace grappe {

inline constexpr std::string_view kOpenMpiTransports = "OMPI_MCA_btl";
inline constexpr std::string_view kNoSharedMemory = "^vader";

}  // namespace grappe
