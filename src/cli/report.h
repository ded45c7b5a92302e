// What a command says to its user: lines on standard error that begin with the command's name,
// as Slurm's do.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

class Report {
 public:
  explicit Report(std::string_view command) : command_(command) {}

  // -v adds one, -Q makes it negative: then only errors are said.
  int verbosity = 0;

  // "sbatch: error: ...", always.
  void error(std::string_view text) const;
  // The notes first, each as an error line of its own, then `prefix` and the message.
  void error(const Error& error, std::string_view prefix = "") const;
  // "sbatch: ...", unless quiet.
  void info(std::string_view text) const;
  // "sbatch: ...", with -v.
  void verbose(std::string_view text) const;
  // "sbatch: debug:  ...", with -vv.
  void debug(std::string_view text) const;
  // "srun: fatal: ...", always.
  void fatal(std::string_view text) const;

 private:
  void line(std::string_view kind, std::string_view text) const;
  std::string_view command_;
};

// "did you mean --time?" on standard error if one of `names` is near to what was typed; `before`
// stands before the name. Case does not count.
void suggest(std::string_view typed, std::span<const std::string_view> names,
             std::string_view before = "");
void suggest(std::string_view typed, const std::vector<std::string>& names);

}  // namespace grappe
