#include "cli/options/option_table.h"

#include <fmt/core.h>
#include <getopt.h>

#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/options/option_help.h"
#include "cli/report.h"

namespace grappe {
namespace {

// getopt_long returns the letter, or this plus the row for rows without one.
constexpr int kFirstLongOnly = 0x100;

struct GetoptTable {
  std::string letters;
  std::vector<option> longs;
};

int has_arg(Arg arg) {
  switch (arg) {
    case Arg::none:
      return no_argument;
    case Arg::required:
      return required_argument;
    case Arg::optional:
      return optional_argument;
  }
  return no_argument;
}

GetoptTable getopt_table(const CommandHelp& command, std::span<const BareOption> rows) {
  GetoptTable table;
  table.letters = command.stop_at_operand ? "+" : "";
  table.longs.reserve(rows.size() + 1);
  for (size_t i = 0; i < rows.size(); ++i) {
    const BareOption& row = rows[i];
    if (row.letter) {
      table.letters += row.letter;
      if (row.arg != Arg::none) table.letters += ':';
      if (row.arg == Arg::optional) table.letters += ':';
    }
    // Names come from string literals, so data() ends with a NUL.
    if (!row.name.empty()) {
      const int code = kFirstLongOnly + static_cast<int>(row.same_as.value_or(i));
      table.longs.push_back({row.name.data(), has_arg(row.arg), nullptr, code});
    }
  }
  table.longs.push_back({nullptr, 0, nullptr, 0});
  return table;
}

std::optional<size_t> row_of(std::span<const BareOption> rows, int code) {
  if (code >= kFirstLongOnly) return static_cast<size_t>(code - kFirstLongOnly);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].letter == code) return i;
  }
  return std::nullopt;
}

// After getopt has complained: a suggestion if a long name was misspelt.
void suggest_option(std::span<const BareOption> rows, std::string_view word) {
  if (!word.starts_with("--")) return;
  std::string_view name = word.substr(2, word.find('=') - 2);
  std::vector<std::string_view> names;
  for (const BareOption& row : rows) {
    if (row.name.starts_with(name)) return;  // known: ambiguous, or a wrong argument
    if (!row.name.empty() && !row.help.empty()) names.push_back(row.name);
  }
  suggest(name, names, "--");
}

void refuse_option(const CommandHelp& command, std::span<const BareOption> rows,
                   std::string_view word) {
  std::string name(command.name);
  if (command.points_to_help)
    std::fprintf(stderr, "Try \"%s --help\" for more information\n", name.c_str());
  suggest_option(rows, word);
}

// True if the driver answered the row itself.
bool answer(const CommandHelp& command, std::span<const BareOption> rows, std::string_view name) {
  std::string text;
  if (name == "help") {
    text = help_text(command, rows);
  } else if (name == "usage") {
    text = usage_text(command, rows);
  } else if (name == "version") {
    text = std::string(version_line()) + "\n";
  } else {
    return false;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return true;
}

}  // namespace

Status set_bare_option(std::span<const BareOption> rows, size_t row, Value value,
                       OptionSink& sink) {
  if (!rows[row].refused.empty()) {
    return fail(std::string(value.from) + " is not supported: " + std::string(rows[row].refused));
  }
  return sink.set(row, value);
}

int report_bad_value(const CommandHelp& command, const Error& error) {
  if (!error.message.empty()) Report(command.name).error(error);
  return error.code >= 1 && error.code <= 255 ? error.code : command.bad_value_exit;
}

Parsed parse_bare_options(const CommandHelp& command, std::span<const BareOption> rows, int argc,
                          char** argv, OptionSink& sink) {
  GetoptTable table = getopt_table(command, rows);
  optind = 0;  // glibc: start afresh, also after a "+" table
  for (;;) {
    int at = optind > 0 ? optind : 1;
    int code = getopt_long(argc, argv, table.letters.c_str(), table.longs.data(), nullptr);
    if (code == -1) break;
    std::optional<size_t> row = row_of(rows, code);
    if (code == '?' || !row) {
      refuse_option(command, rows, at < argc ? argv[optind - 1] : "");
      return {0, command.bad_option_exit};
    }
    const BareOption& option = rows[*row];
    if (!option.has_setter && answer(command, rows, option.name)) return {0, 0};
    std::string from =
        option.name.empty() ? std::string("-") + option.letter : "--" + std::string(option.name);
    Status done = set_bare_option(
        rows, *row, {optarg ? optarg : std::string_view(), optarg != nullptr, from}, sink);
    if (!done) return {0, report_bad_value(command, done.error())};
  }
  return {optind, std::nullopt};
}

std::optional<int> read_bare_environment(const CommandHelp& command,
                                         std::span<const BareOption> rows, OptionSink& sink) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].env.empty()) continue;
    const char* text = std::getenv(rows[i].env.data());
    if (!text) continue;
    Status done = set_bare_option(rows, i, {text, true, rows[i].env}, sink);
    if (!done) return report_bad_value(command, done.error());
  }
  return std::nullopt;
}

Status no_operands(const Parsed& parsed, int argc, char** argv) {
  if (parsed.first_operand >= argc) return {};
  return fail(
      fmt::format("'{}' is one word too many: there are only options", argv[parsed.first_operand]));
}

std::string_view version_line() {
  return "slurm 22.05.8 (grappe 0.1.0)";
}

}  // namespace grappe
