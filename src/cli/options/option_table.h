// The driver of getopt_long that every command uses: a command declares its options as a
// constant table of rows and gets Slurm's parsing (abbreviated long options, -xVALUE,
// "--name=value", "+" to stop at the first operand), Slurm's words for wrong ones, and a line
// "did you mean --cpus-per-task?" after them.
//
//   struct SqueueOptions { std::string partition; bool no_header = false; };
//   constexpr Option<SqueueOptions> kOptions[] = {
//       {"noheader", 'h', Arg::none, "", "", "no headers on output",
//        [](SqueueOptions& o, Value) { o.no_header = true; return Status(); }},
//       {"partition", 'p', Arg::required, "SQUEUE_PARTITION", "partition(s)", "comma separated...",
//        [](SqueueOptions& o, Value v) { o.partition = v.text; return Status(); }},
//       {"help", 0, Arg::none, "", "", "show this help message"},
//       {"version", 'V', Arg::none, "", "", "output version information and exit"},
//   };
//   SqueueOptions options;
//   Parsed parsed = read_options(kSqueue, kOptions, argc, argv, options);
//   if (parsed.exit_code) return *parsed.exit_code;
//   ... argv[parsed.first_operand] ...
//
// Rows named help, usage and version without a setter are answered by the driver.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

enum class Arg { none, required, optional };

// What a setter gets. `text` is empty for an option without argument; `given` tells an optional
// argument that is missing from one that is empty; `from` is "--time" or the name of the
// environment variable it came from, for messages.
struct Value {
  std::string_view text;
  bool given = true;
  std::string_view from;
};

template <class Options>
struct Option {
  const char* name;  // the long name; "" if there is only a letter
  char letter;       // 0 if there is only a long name
  Arg arg;
  const char* env;      // environment variable that gives a default; "" if none
  const char* metavar;  // "minutes", as the help shows the argument
  const char* help;     // "" hides the row from --help
  // An Error whose code is 1 to 255 makes the command exit with it; one without a message has
  // been explained already.
  Status (*set)(Options& options, Value value) = nullptr;
  // Not empty: the option exists in Slurm but not here, and this sentence says why.
  const char* refused = "";
};

struct BareOption;

// What must be known of a command besides its rows.
struct CommandHelp {
  std::string_view name;
  std::string_view operands;     // what follows the options: "SOURCE DEST"
  std::string_view purpose;      // a few words: "list jobs"
  int bad_option_exit = 1;       // unknown option
  int bad_value_exit = 1;        // a setter's Error
  bool stop_at_operand = false;  // srun's command line: options after the program are its own
  // The rows in the order in which people read them, where that is not the table's.
  std::vector<BareOption> (*rows_to_read)() = nullptr;
  std::string (*after_options)() = nullptr;  // the end of --help
  // The commands of the books say "[<OPTION>]", and --usage either points to --help or, where this
  // is "help", is the same.
  std::string_view brief_usage = {};
  bool points_to_help = true;  // after an unknown option
};

// Either the index of the first operand (argv is permuted so that operands come last), or the
// code to exit with after everything was said.
struct Parsed {
  int first_operand = 0;
  std::optional<int> exit_code;
};

// For a command that takes options only.
Status no_operands(const Parsed& parsed, int argc, char** argv);

// A row without its type, and the driver underneath the templates.
struct BareOption {
  std::string_view name;
  char letter;
  Arg arg;
  std::string_view env;
  std::string_view metavar;
  std::string_view help;
  std::string_view refused;
  bool has_setter;
  std::string_view family = {};  // the title above it in --help; rows of one stand together
  // Another name of that row (its number): what abbreviates both is not ambiguous.
  std::optional<size_t> same_as = {};

  // Aliases and what only the environment sets are not shown; what is refused is no help.
  bool shown() const { return !help.empty() && refused.empty() && (!name.empty() || letter); }
};

class OptionSink {
 public:
  virtual Status set(size_t row, Value value) = 0;

 protected:
  ~OptionSink() = default;
};

Parsed parse_bare_options(const CommandHelp& command, std::span<const BareOption> rows, int argc,
                          char** argv, OptionSink& sink);
// Prints what an option's Error says and gives the code to exit with.
int report_bad_value(const CommandHelp& command, const Error& error);
// An Error carries the message for the user, without the command's prefix.
Status set_bare_option(std::span<const BareOption> rows, size_t row, Value value, OptionSink& sink);
std::optional<int> read_bare_environment(const CommandHelp& command,
                                         std::span<const BareOption> rows, OptionSink& sink);
// "slurm 22.05.8 (grappe 0.1.0)": tools parse the first two words.
std::string_view version_line();

namespace options_detail {

template <class Options>
std::vector<BareOption> bare(std::span<const Option<Options>> rows) {
  std::vector<BareOption> out;
  out.reserve(rows.size());
  for (const auto& r : rows) {
    out.push_back({r.name, r.letter, r.arg, r.env, r.metavar, r.help, r.refused, r.set != nullptr});
    if (*r.help || !r.set) continue;
    for (size_t i = 0; i < rows.size() && !out.back().same_as; ++i) {
      if (rows[i].set == r.set && *rows[i].help) out.back().same_as = i;
    }
  }
  return out;
}

template <class Options>
struct TypedSink final : OptionSink {
  TypedSink(std::span<const Option<Options>> r, Options& o) : rows(r), options(o) {}
  Status set(size_t row, Value value) override { return rows[row].set(options, value); }
  std::span<const Option<Options>> rows;
  Options& options;
};

}  // namespace options_detail

// The rows of a table without their type.
template <class Options, size_t N>
std::vector<BareOption> bare_options(const Option<Options> (&table)[N]) {
  return options_detail::bare(std::span<const Option<Options>>(table));
}

template <class Options, size_t N>
Parsed parse_options(const CommandHelp& command, const Option<Options> (&table)[N], int argc,
                     char** argv, Options& options) {
  std::span<const Option<Options>> rows(table);
  options_detail::TypedSink<Options> sink(rows, options);
  return parse_bare_options(command, options_detail::bare(rows), argc, argv, sink);
}

// Sets each row whose environment variable exists, in the order of the table. The code to exit
// with if a value is wrong.
template <class Options, size_t N>
std::optional<int> read_environment(const CommandHelp& command, const Option<Options> (&table)[N],
                                    Options& options) {
  std::span<const Option<Options>> rows(table);
  options_detail::TypedSink<Options> sink(rows, options);
  return read_bare_environment(command, options_detail::bare(rows), sink);
}

// The environment, and then the line, which has the last word.
template <class Options, size_t N>
Parsed read_options(const CommandHelp& command, const Option<Options> (&table)[N], int argc,
                    char** argv, Options& options) {
  if (auto code = read_environment(command, table, options)) return Parsed{.exit_code = code};
  return parse_options(command, table, argc, argv, options);
}

}  // namespace grappe
