#include "cli/options/option_help.h"

namespace grappe {
namespace {

// Of the help text, counted from the left.
constexpr size_t kColumn = 34;

// One option in brackets, by its letter where it has one. No brackets within: programs that read
// the usage of Slurm's commands know of one level.
std::string brief(const BareOption& row) {
  std::string metavar(row.metavar);
  std::string letter = row.letter ? std::string("-") + row.letter : "";
  std::string name = "--" + std::string(row.name);
  if (row.arg == Arg::none) return "[" + (row.letter ? letter : name) + "]";
  if (row.arg == Arg::optional) {
    return "[" + (row.name.empty() ? letter + metavar : name + "=" + metavar) + "]";
  }
  return row.letter ? "[" + letter + " " + metavar + "]" : "[" + name + "=" + metavar + "]";
}

bool is_about_help(const BareOption& row) {
  return row.name == "help" || row.name == "usage" || row.name == "version";
}

std::string option_lines(const BareOption& row) {
  std::string text;
  std::string line = "  " + option_heading(row);
  if (line.size() >= kColumn) {
    text = line + "\n";
    line.clear();
  }
  line.append(kColumn - line.size(), ' ');
  // Further lines of the text stand below its first.
  for (char c : row.help) {
    line += c;
    if (c == '\n') line.append(kColumn, ' ');
  }
  return text + line + "\n";
}

}  // namespace

Filler::Filler(std::string start) : indent_(start.size() + 1, ' '), line_(std::move(start)) {}

void Filler::add(const std::string& word) {
  constexpr size_t kWidth = 80;
  if (line_.size() + 1 + word.size() > kWidth) {
    done_ += line_ + "\n";
    line_ = indent_ + word;
  } else {
    line_ += " " + word;
  }
}

std::string option_heading(const BareOption& row) {
  std::string line = row.letter ? std::string("-") + row.letter : "  ";
  if (!row.name.empty()) {
    line += row.letter ? ", --" : "  --";
    line += row.name;
  }
  if (row.metavar.empty()) return line;
  line += row.arg == Arg::optional ? "[=" : "=";
  line += row.metavar;
  return row.arg == Arg::optional ? line + "]" : line;
}

std::string option_help(std::span<const BareOption> rows) {
  std::string out;
  std::string_view family;
  for (const BareOption& row : rows) {
    if (!row.shown() || is_about_help(row)) continue;
    if (row.family != family) out += "\n" + std::string(family = row.family) + "\n";
    out += option_lines(row);
  }
  std::string about_help;
  for (const BareOption& row : rows) {
    if (row.shown() && is_about_help(row)) about_help += option_lines(row);
  }
  return about_help.empty() ? out : out + "\nHelp options:\n" + about_help;
}

std::string synopsis(const CommandHelp& command) {
  std::string text = std::string(command.name) + " [OPTIONS]";
  if (!command.operands.empty()) text += " " + std::string(command.operands);
  return text;
}

std::string help_text(const CommandHelp& command, std::span<const BareOption> rows) {
  std::string text = "Usage: " + synopsis(command) + "\n";
  if (!command.brief_usage.empty()) {
    text = std::string(command.name) + " [<OPTION>]";
    if (!command.operands.empty()) text += " " + std::string(command.operands);
    text += "\n    Valid <OPTION> values are:\n";
  }
  text += command.rows_to_read ? option_help(command.rows_to_read()) : option_help(rows);
  return command.after_options ? text + command.after_options() : text;
}

std::string usage_text(const CommandHelp& command, std::span<const BareOption> rows) {
  if (command.brief_usage == "help") return help_text(command, rows);
  if (!command.brief_usage.empty()) {
    return "Usage: " + std::string(command.brief_usage) + "\n\tUse --help for help\n";
  }
  Filler text("Usage: " + std::string(command.name));
  for (const BareOption& row : rows) {
    if (row.shown()) text.add(brief(row));
  }
  if (!command.operands.empty()) text.add(std::string(command.operands));
  return text.text();
}

}  // namespace grappe
