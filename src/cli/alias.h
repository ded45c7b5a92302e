// Shortcuts of a site (grappe.toml): names beside the commands that stand for a command line, as
// `sq` for `squeue --me`. The service knows them; links to this program make them commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/calls.h"

namespace grappe {

struct Alias {
  std::string name;
  std::string command_line;
};

// Sorted by name.
Result<std::vector<Alias>> load_aliases(Calls& calls);

// The words of a command line, as a shell would make them: quotes, backslashes, and $NAME or
// ${NAME} of the environment outside of single quotes.
Result<std::vector<std::string>> alias_words(std::string_view command_line);

}  // namespace grappe
