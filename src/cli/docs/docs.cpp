// grappe docs: pages and scripts that are made from the commands' own tables.
#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/docs/option_tables.h"
#include "cli/options/job_command_line.h"
#include "cli/options/job_options.h"

namespace grappe {
namespace {

void add_completion(std::string_view command, const std::string& words, std::string& out) {
  std::string name(command);
  out += "_grappe_" + name + "() {\n  _grappe_words \"" + words + "\"\n}\n";
  out += "complete -o default -F _grappe_" + name + " " + name + "\n";
}

std::string word(std::string_view name, Arg arg) {
  return "--" + std::string(name) + (arg == Arg::required ? "=" : "");
}

}  // namespace

std::string bash_completion() {
  std::string out =
      "# Completion of long options for bash; made by `grappe docs completion`.\n"
      "_grappe_words() {\n"
      "  local cur=\"${COMP_WORDS[COMP_CWORD]}\"\n"
      "  [[ \"$cur\" == --* ]] || return\n"
      "  COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
      "  [[ \"${COMPREPLY[0]}\" == *= ]] && compopt -o nospace\n"
      "}\n";
  for (Commands command : {kSbatch, kSalloc, kSrun}) {
    std::string words;
    for (const JobOption* row : job_options(command)) {
      if (!row->name[0] || !row->help[0] || row->refused[0]) continue;
      words += (words.empty() ? "" : " ") + word(row->name, row->arg);
    }
    add_completion(command_name(command), words, out);
  }
  for (const OptionTable& table : option_tables()) {
    std::string words;
    for (const BareOption& row : table.rows) {
      if (row.name.empty() || row.help.empty() || !row.refused.empty()) continue;
      words += (words.empty() ? "" : " ") + word(row.name, row.arg);
    }
    add_completion(table.command, words, out);
  }
  return out;
}

int run_docs(int argc, char** argv) {
  std::string_view page = argc > 1 ? argv[1] : "";
  std::string text;
  if (page == "compat") {
    text = compat_page();
  } else if (page == "completion") {
    text = bash_completion();
  } else {
    std::fputs("Usage: grappe docs compat|completion\n", stderr);
    return 1;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

}  // namespace grappe
