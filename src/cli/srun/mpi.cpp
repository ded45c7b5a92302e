#include "cli/srun/mpi.h"

namespace grappe {
namespace {

// Of Slurm's others, PMIx needs its own server library in the step.
constexpr std::string_view kTypes[] = {"none", "pmi2"};

}  // namespace

bool knows_mpi(std::string_view type) {
  for (std::string_view known : kTypes) {
    if (known == type) return true;
  }
  return false;
}

std::string mpi_list() {
  std::string text = "MPI plugin types are...\n";
  for (std::string_view known : kTypes) text.append("\t").append(known).append("\n");
  return text;
}

}  // namespace grappe
