// What a manual page says besides the options: descriptions, tables of columns and commands,
// examples. The options, their variables and the exit codes come from the tables.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/docs/option_tables.h"

namespace grappe {

struct ManualSection {
  std::string title;
  std::string text;  // paragraphs, divided by empty lines; one that starts with a blank is typed
  std::vector<std::pair<std::string, std::string>> terms = {};
};

// The section DESCRIPTION.
std::string manual_description(std::string_view command);

// Those that stand after the options.
std::vector<ManualSection> manual_sections(std::string_view command);

// The page in the language of man(7). Empty for a command that is not there.
std::string man_page(std::string_view command);

}  // namespace grappe
