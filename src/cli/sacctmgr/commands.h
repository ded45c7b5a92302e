// The sub-commands of sacctmgr as a table: what each is called, how far it may be abbreviated, and
// which entities it has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/sacctmgr/session.h"

namespace grappe::sacctmgr {

// Carries out one line. Nothing happens for an empty one.
void run_line(Session& session, Words words);

struct CommandText {
  std::string_view name, arguments, help;
};
std::vector<CommandText> command_texts();
std::vector<std::string> command_names();
// What `verb` ("show", "add", ...) takes.
std::vector<std::string> entity_names(std::string_view verb);
// The end of `sacctmgr --help`.
std::string commands_help();

}  // namespace grappe::sacctmgr
