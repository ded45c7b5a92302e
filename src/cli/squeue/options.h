// The options of squeue and what follows from them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/squeue/job_filter.h"
#include "cli/squeue/job_rows.h"

namespace grappe {

struct SqueueOptions {
  bool json = false;
  bool no_header = false;
  bool long_output = false;
  bool steps = false;
  bool start = false;
  bool all_partitions = false;
  bool convert = true;
  bool federation = false;  // one cluster: shown by -v, and without effect
  bool local = false;
  bool sibling = false;
  RowOptions rows;
  uint32_t iterate_s = 0;
  int verbosity = 0;
  std::optional<std::string> letters;  // -o
  std::optional<std::string> names;    // -O
  std::optional<std::string> sort;
  std::optional<std::string> clusters;
  std::optional<std::string> node_list;  // -w, resolved once the nodes are known
  JobFilter filter;

  // As typed, for -v.
  struct Typed {
    std::optional<std::string> jobs, licenses, names, partitions, reservation, states, steps, users;
  } typed;

  // The format in force, and whether it is in letters.
  struct ChosenFormat {
    std::string text;
    bool letters = true;
  };
  ChosenFormat chosen_format() const;
  std::string_view chosen_sort() const;
};

// Reads the environment and the command line. A number: exit with it, everything is said.
std::optional<int> read_squeue_options(int argc, char** argv, SqueueOptions& options);

// -v: every option and its value.
std::string describe_options(const SqueueOptions& options);

}  // namespace grappe
