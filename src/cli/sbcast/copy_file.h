// Copies one file, as whoever runs the command.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace grappe {

struct CopyOptions {
  bool replace = false;   // an existing destination
  bool preserve = false;  // mode, owner and times of the source; else mode 0700 as Slurm gives
  uint64_t block_size = 8 * 1024 * 1024;
};

// The copy appears under its name only when it is complete.
Status copy_file(const std::string& source, const std::string& destination,
                 const CopyOptions& options);

// A destination that is a folder, or ends in '/', takes the name of the source.
std::string destination_path(const std::string& source, const std::string& destination);

}  // namespace grappe
