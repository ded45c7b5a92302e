// The tasks of a job array as squeue reads and writes them: "0-3,7,10-98:4%2".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grappe {

struct ArrayTasks {
  std::vector<uint32_t> tasks;  // ascending, without repetition
  std::string throttle;         // "%2", or empty
};

// What is malformed in the text of the service is left out.
ArrayTasks read_array_tasks(std::string_view text);

// Ranges where tasks follow each other; a regular step over more than ten ("1-99:2") in the
// short form that Slurm has for it.
std::string write_array_tasks(const ArrayTasks& array);

// Cut to what fits a field of `size` bytes with its end (SLURM_BITSTR_LEN; 0: no limit): the list
// ends in "..." then, and the throttle stays.
std::string shorten_array_tasks(std::string_view text, size_t size);

}  // namespace grappe
