// From a command line of sbatch, salloc or srun, the environment and a batch script to JobOptions.
//
//   JobCommandLine line(kSbatch);
//   Parsed parsed = line.read(argc, argv);             // only reads: wrong options end it here
//   if (parsed.exit_code) return *parsed.exit_code;
//   JobOptions options(kSbatch);
//   line.apply_script(words, options);                 // sbatch: #SBATCH lines first,
//   line.settle(options);                              // then SBATCH_*, then what read() has kept
//
// Each gives the code to exit with, after the user was told, or nothing if all is well.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/job_options.h"

namespace grappe {

class JobCommandLine {
 public:
  explicit JobCommandLine(Commands command);

  Parsed read(int argc, char** argv);
  // The value of an option on the command line, before anything is applied.
  std::optional<std::string> peek(std::string_view name) const;
  // The same of an option without argument, which the environment may set too.
  bool has_flag(std::string_view name) const;

  std::optional<int> apply_script(std::vector<std::string> words, JobOptions& options) const;
  std::optional<int> apply_environment(JobOptions& options) const;
  std::optional<int> apply(JobOptions& options) const;
  // Both, and then what several options say together.
  std::optional<int> settle(JobOptions& options) const;
  // One option by name, as the translations of #PBS and #BSUB lines need it.
  std::optional<int> apply_one(std::string_view name, std::string_view value,
                               JobOptions& options) const;

  const CommandHelp& help() const { return help_; }

 private:
  struct Setting {
    size_t row;
    std::string text;
    bool given;
  };
  class Recorder;

  std::optional<int> set(size_t row, Value value, Source source, JobOptions& options) const;
  std::vector<BareOption> bare_rows() const;

  Commands command_;
  CommandHelp help_;
  std::vector<const JobOption*> rows_;
  std::vector<Setting> settings_;
};

// Rules between options: what excludes what, tasks that follow from nodes, Slurm's warnings.
std::optional<int> check_job_options(JobOptions& options, const CommandHelp& command);

// What is known of one of the three commands, and its rows as people read them.
CommandHelp job_command_help(Commands command);
std::vector<BareOption> job_rows_by_family(Commands command);
std::string_view command_name(Commands command);

}  // namespace grappe
