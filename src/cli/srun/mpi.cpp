#include "cli/srun/mpi.h"

namespace grappe {
namespace {

constexpr std::string_view kTypes[] = {"none", "pmi2", "pmix"};
// The version of the library that steps are served with: what Slurm names after the plain one.
constexpr std::string_view kPmixVersion = "pmix_v4";

}  // namespace

bool knows_mpi(std::string_view type) {
  for (std::string_view known : kTypes) {
    if (known == type) return true;
  }
  return type == kPmixVersion;
}

std::string mpi_list() {
  std::string text = "MPI plugin types are...\n";
  for (std::string_view known : kTypes) text.append("\t").append(known).append("\n");
  return text.append("specific pmix plugin versions available: ").append(kPmixVersion).append("\n");
}

}  // namespace grappe
