// grappe docs: pages and scripts that are made from the commands' own tables.
#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/docs/option_tables.h"

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
  for (const OptionTable& table : all_tables()) {
    std::string words;
    for (const BareOption& row : table.rows) {
      if (row.name.empty() || !row.shown()) continue;
      words += (words.empty() ? "" : " ") + word(row.name, row.arg);
    }
    add_completion(table.command.name, words, out);
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
