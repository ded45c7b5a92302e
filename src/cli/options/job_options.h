// The options of sbatch, salloc and srun: what a person may ask of a job, in one table.
//
// A row says which of the three commands take the option, under which environment variables,
// with which argument, what --help says of it, and how a value is put into JobOptions. The rows
// stand by family in job_rows_*.cpp. `docs/compat.md` and the shell completion are made from the
// same rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/options/option_table.h"
#include "grappe/v1/spec.pb.h"

namespace grappe {

// Which commands take an option: a set.
using Commands = uint8_t;
inline constexpr Commands kSbatch = 1, kSalloc = 2, kSrun = 4;
inline constexpr Commands kAllThree = kSbatch | kSalloc | kSrun;
inline constexpr Commands kAllocators = kSbatch | kSalloc;

// Where a value came from. A later one wins: the batch script, then the environment, then the
// command line.
enum class Source : uint8_t { kNone, kScript, kEnvironment, kCommandLine };

struct JobOption;

struct JobOptions {
  explicit JobOptions(Commands which) : command(which) {}

  Commands command;

  // What is sent. `spec` for the allocation; `step` holds what only srun's tasks know, and
  // step_spec() adds to it what both share.
  v1::JobSpec spec;
  v1::StepSpec step;

  std::string submit_dir;  // where the command was started, whatever --chdir says

  int verbose = 0;
  bool quiet = false;
  bool test_only = false;

  // --export as typed; nothing if it was not given.
  std::optional<std::string> export_env;
  std::optional<std::string> propagate;
  std::string hint;
  std::string mem_bind;
  std::string nodefile;
  bool extra_node_info = false;        // -B
  std::optional<uint32_t> plane_size;  // from the environment, for --distribution=plane

  // sbatch.
  std::optional<std::string> wrap;
  std::optional<std::string> export_file;
  bool parsable = false;
  bool wait = false;
  bool ignore_pbs = false;

  // salloc.
  std::optional<bool> bell;
  bool no_shell = false;
  std::optional<int> kill_command;  // the signal
  bool wait_all_nodes = false;

  // srun.
  std::optional<uint32_t> jobid;
  std::optional<std::string> bcast;  // --bcast: where the program is copied to; empty: anywhere
  bool multi_prog = false;
  bool quit_on_interrupt = false;
  bool disable_status = false;
  bool list_mpi = false;  // --mpi=list
  bool whole = false;
  std::optional<uint32_t> msg_timeout_s;
  std::string prolog;
  std::string epilog;
  std::string step_gres;  // SLURM_STEP_GRES: --gres of a step, not of an allocation

  // Lines for the user ("Ignoring -S since ..."), printed as errors that do not end the command.
  std::vector<std::string> warnings;

  // Where a long name was set from; kNone if it was not.
  Source source(std::string_view name) const;
  bool given(std::string_view name) const { return source(name) != Source::kNone; }
  // Given with a value that is not empty.
  bool given_text(std::string_view name) const;

  // What was set last, by row; `text` is the value as typed, for -v.
  struct Setting {
    const JobOption* row;
    Source source;
    std::string text;
  };
  std::vector<Setting> settings;
};

struct JobOption {
  const char* name;  // long name; "" for a row that only the environment sets
  char letter;
  Arg arg;
  Commands commands;
  // Environment variables of each command; two are separated by a blank, the first wins.
  const char* env_sbatch;
  const char* env_salloc;
  const char* env_srun;
  const char* metavar;
  const char* help;  // "" for one that --help does not show
  Status (*set)(JobOptions& options, Value value);
  const char* refused = "";
  bool in_script = true;  // may stand on a #SBATCH line
};

// Every row that one of `commands` takes, sorted by name.
std::vector<const JobOption*> job_options(Commands commands);

// The families, in the order in which --help shows them.
struct OptionFamily {
  std::string_view title;
  std::span<const JobOption> rows;
};
std::span<const OptionFamily> job_option_families();

// The step that srun asks for: `step` with what it shares with the allocation.
v1::StepSpec step_spec(const JobOptions& options);

}  // namespace grappe
