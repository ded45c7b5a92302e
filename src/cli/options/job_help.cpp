#include "cli/options/job_command_line.h"

namespace grappe {
namespace {

std::string_view synopsis(Commands command) {
  if (command == kSbatch) return "Usage: sbatch [OPTIONS...] script [args...]\n";
  if (command == kSalloc) return "Usage: salloc [OPTIONS...] [command [args...]]\n";
  return "Usage: srun [OPTIONS...] executable [args...]\n";
}

bool shown(const JobOption& row, Commands command) {
  return (row.commands & command) && row.name[0] && row.help[0] && !row.refused[0];
}

std::string brief(const JobOption& row) {
  std::string metavar = row.metavar;
  if (row.arg == Arg::none) {
    return row.letter ? std::string("[-") + row.letter + "]" : "[--" + std::string(row.name) + "]";
  }
  if (row.arg == Arg::optional) return "[--" + std::string(row.name) + "[=" + metavar + "]]";
  if (row.letter) return std::string("[-") + row.letter + " " + metavar + "]";
  return "[--" + std::string(row.name) + "=" + metavar + "]";
}

}  // namespace

std::string job_help(Commands command) {
  std::string out(synopsis(command));
  for (const OptionFamily& family : job_option_families()) {
    std::vector<BareOption> rows;
    for (const JobOption& row : family.rows) {
      if (!shown(row, command)) continue;
      rows.push_back({row.name, row.letter, row.arg, "", row.metavar, row.help, "", true});
    }
    if (rows.empty()) continue;
    out += "\n" + std::string(family.title) + "\n" + option_help(rows);
  }
  return out;
}

std::string job_usage(Commands command) {
  constexpr size_t kWidth = 80;
  std::string start = "Usage: " + std::string(command_name(command));
  std::string indent(start.size() + 1, ' ');
  std::string out, line = start;
  auto add = [&](const std::string& word) {
    if (line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line = indent + word;
    } else {
      line += line.size() == indent.size() && line == indent ? word : " " + word;
    }
  };
  for (const JobOption* row : job_options(command)) {
    if (shown(*row, command)) add(brief(*row));
  }
  if (command == kSbatch) add("script [args...]");
  if (command == kSalloc) add("[command [args...]]");
  if (command == kSrun) add("executable [args...]");
  return out + line + "\n";
}

}  // namespace grappe
