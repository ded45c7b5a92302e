#include "cli/options/job_command_line.h"

#include <cstdlib>

#include "base/text.h"
#include "cli/report.h"

namespace grappe {
namespace {

template <Commands Command>
CommandHelp command_help() {
  CommandHelp help;
  help.name = command_name(Command);
  help.bad_option_exit = 255;
  help.bad_value_exit = 255;
  help.stop_at_operand = true;
  help.rows_to_read = [] { return job_rows_by_family(Command); };
  return help;
}

const char* env_names(const JobOption& row, Commands command) {
  if (command == kSbatch) return row.env_sbatch;
  if (command == kSalloc) return row.env_salloc;
  return row.env_srun;
}

// Options without an argument are set by an empty value, "yes" or a number that is not zero.
bool means_yes(std::string_view text) {
  if (text.empty() || iequals(text, "yes")) return true;
  auto n = parse_int(text);
  return n && *n != 0;
}

// In a script these words are read and left alone, as Slurm does.
bool only_on_command_line(std::string_view name) {
  return name == "help" || name == "usage" || name == "version" || name == "wrap";
}

BareOption bare(const JobOption& row, Commands command, std::string_view family) {
  return {row.name,    row.letter, row.arg,     env_names(row, command),
          row.metavar, row.help,   row.refused, row.set != nullptr || row.refused[0] != '\0',
          family};
}

}  // namespace

CommandHelp job_command_help(Commands command) {
  CommandHelp help;
  if (command == kSbatch) {
    help = command_help<kSbatch>();
    help.operands = "executable [args...]";
    help.purpose = "submit a batch script";
  } else if (command == kSalloc) {
    help = command_help<kSalloc>();
    help.operands = "[command [args...]]";
    help.purpose = "allocate resources and run a command or a shell with them";
  } else {
    help = command_help<kSrun>();
    help.operands = "executable [args...]";
    help.purpose = "run tasks in parallel";
  }
  return help;
}

std::vector<BareOption> job_rows_by_family(Commands command) {
  std::vector<BareOption> rows;
  for (const OptionFamily& family : job_option_families()) {
    for (const JobOption& row : family.rows) {
      if (row.commands & command) rows.push_back(bare(row, command, family.title));
    }
  }
  return rows;
}

std::string_view command_name(Commands command) {
  if (command == kSbatch) return "sbatch";
  if (command == kSalloc) return "salloc";
  return "srun";
}

// Keeps what getopt finds, for later.
class JobCommandLine::Recorder final : public OptionSink {
 public:
  explicit Recorder(std::vector<Setting>& settings) : settings_(settings) {}
  Status set(size_t row, Value value) override {
    settings_.push_back({row, std::string(value.text), value.given});
    return {};
  }

 private:
  std::vector<Setting>& settings_;
};

JobCommandLine::JobCommandLine(Commands command)
    : command_(command), help_(job_command_help(command)), rows_(job_options(command)) {}

std::vector<BareOption> JobCommandLine::bare_rows() const {
  std::vector<BareOption> rows;
  rows.reserve(rows_.size());
  for (const JobOption* row : rows_) {
    rows.push_back(bare(*row, command_, ""));
  }
  return rows;
}

Parsed JobCommandLine::read(int argc, char** argv) {
  Recorder recorder(settings_);
  return parse_bare_options(help_, bare_rows(), argc, argv, recorder);
}

std::optional<std::string> JobCommandLine::peek(std::string_view name) const {
  std::optional<std::string> last;
  for (const Setting& setting : settings_) {
    if (rows_[setting.row]->name == name) last = setting.text;
  }
  return last;
}

bool JobCommandLine::has_flag(std::string_view name) const {
  if (peek(name)) return true;
  for (const JobOption* row : rows_) {
    if (row->name != name) continue;
    const char* text = std::getenv(env_names(*row, command_));
    return text && means_yes(text);
  }
  return false;
}

std::optional<int> JobCommandLine::set(size_t row, Value value, Source source,
                                       JobOptions& options) const {
  const JobOption& option = *rows_[row];
  std::string from = option.name[0] ? "--" + std::string(option.name) : std::string(value.from);
  if (option.refused[0]) {
    return report_bad_value(help_, {0, from + " is not supported: " + option.refused, {}});
  }
  if (!option.set) return std::nullopt;
  value.from = from;
  Status done = option.set(options, value);
  if (!done) return report_bad_value(help_, done.error());
  for (JobOptions::Setting& known : options.settings) {
    if (known.row == &option) {
      known.source = source;
      known.text = value.text;
      return std::nullopt;
    }
  }
  options.settings.push_back({&option, source, std::string(value.text)});
  return std::nullopt;
}

std::optional<int> JobCommandLine::apply_script(std::vector<std::string> words,
                                                JobOptions& options) const {
  std::string name(help_.name);
  std::vector<char*> argv{name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);

  std::vector<Setting> settings;
  Recorder recorder(settings);
  std::vector<BareOption> rows = bare_rows();
  for (BareOption& row : rows) row.has_setter = true;
  Parsed parsed = parse_bare_options(help_, rows, argc, argv.data(), recorder);
  if (parsed.exit_code) return parsed.exit_code;
  if (parsed.first_operand < argc) {
    Report(help_.name)
        .error("Invalid directive found in batch script: " +
               std::string(argv[parsed.first_operand]));
    return help_.bad_option_exit;
  }
  for (const Setting& s : settings) {
    if (only_on_command_line(rows_[s.row]->name)) continue;
    if (auto exit = set(s.row, {s.text, s.given, {}}, Source::kScript, options)) return exit;
  }
  return std::nullopt;
}

std::optional<int> JobCommandLine::apply_environment(JobOptions& options) const {
  for (size_t i = 0; i < rows_.size(); ++i) {
    for (std::string_view name : split_words(env_names(*rows_[i], command_), " ")) {
      const char* text = std::getenv(std::string(name).c_str());
      if (!text) continue;
      std::string_view value = text;
      if (rows_[i]->arg == Arg::none && !means_yes(value)) break;
      // Whichever word said yes; of -v it is how much.
      const bool counts = rows_[i]->name == std::string_view("verbose");
      if (rows_[i]->arg == Arg::none && !counts) value = {};
      bool given = rows_[i]->arg != Arg::optional || !value.empty();
      auto exit = set(i, {value, given, name}, Source::kEnvironment, options);
      if (exit) return exit;
      break;
    }
  }
  return std::nullopt;
}

std::optional<int> JobCommandLine::apply(JobOptions& options) const {
  // -v on the command line counts by itself, not on top of the environment.
  if (peek("verbose")) options.verbose = 0;
  for (const Setting& s : settings_) {
    if (auto exit = set(s.row, {s.text, s.given, {}}, Source::kCommandLine, options)) return exit;
  }
  return std::nullopt;
}

std::optional<int> JobCommandLine::settle(JobOptions& options) const {
  if (auto exit = apply_environment(options)) return exit;
  if (auto exit = apply(options)) return exit;
  return check_job_options(options, help_);
}

std::optional<int> JobCommandLine::apply_one(std::string_view name, std::string_view value,
                                             JobOptions& options) const {
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i]->name == name) return set(i, {value, true, {}}, Source::kScript, options);
  }
  return help_.bad_option_exit;
}

}  // namespace grappe
