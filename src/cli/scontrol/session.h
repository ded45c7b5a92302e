// What the sub-commands of scontrol share: the options, the service, and how they answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/calls.h"
#include "cli/report.h"
#include "cli/scontrol/record.h"

namespace grappe::scontrol {

// The words of a command line: the first is the sub-command as it was typed.
using Words = std::span<const std::string>;

struct Session {
  explicit Session(Calls& service) : calls(service) {}

  Calls& calls;
  bool all = false;  // -a: hidden partitions too
  bool details = false;
  bool one_line = false;
  bool future = false;  // -F: nodes in state FUTURE too
  bool quiet = false;
  bool verbose = false;
  bool why = false;  // show job: why it waits, too
  std::optional<uint32_t> as_uid;

  bool ended = false;  // exit, quit
  int exit_code = 0;   // 1 once anything failed

  Style style(int64_t now) const;
  // To standard output.
  void say(std::string_view text) const;
  // A line on standard error, unless quiet; the program's exit code becomes 1.
  void complain(std::string_view line);
  // "scontrol: error: ...", likewise.
  void error(std::string_view line);
  // "did you mean ...?" after a complaint about a word, unless quiet.
  void suggest(std::string_view typed, const std::vector<std::string>& names) const;
  // The notes of `failure`, then "prefix: message".
  void failed(std::string_view prefix, const Error& failure);
};

}  // namespace grappe::scontrol
