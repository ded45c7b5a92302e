// The options of sinfo and what follows from them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/sinfo/state_filter.h"

namespace grappe {

struct SinfoOptions {
  bool json = false;
  bool all_partitions = false;
  bool dead = false;
  bool responding = false;
  bool exact = false;
  bool node_lines = false;
  bool long_output = false;
  bool list_reasons = false;
  bool summarize = false;
  bool reservations = false;
  bool no_header = false;
  bool local = false;  // one cluster: without effect, as on any cluster outside a federation
  bool federation = false;
  bool convert = true;  // no field of sinfo here is shortened, so nothing changes
  uint32_t iterate_s = 0;
  int verbosity = 0;
  std::optional<std::string> format;
  bool long_names = false;  // -O was given: the format is in names
  std::optional<std::string> clusters;
  std::optional<std::string> nodes;
  std::optional<std::vector<std::string>> partitions;
  std::optional<std::string> typed_partitions;
  std::optional<std::string> typed_states;
  std::optional<NodeStateFilter> states;
  std::optional<std::string> sort;

  struct ChosenFormat {
    std::string text;
    bool letters = true;
    bool fit_partitions = false;  // a built-in one: its columns grow with the longest name
    bool fit_nodes = false;
  };
  ChosenFormat chosen_format() const;
  std::string_view chosen_sort() const;
};

// Reads the environment and the command line. A number: exit with it, everything is said.
std::optional<int> read_sinfo_options(int argc, char** argv, SinfoOptions& options);

// -v: every option and its value.
std::string describe_options(const SinfoOptions& options);

}  // namespace grappe
