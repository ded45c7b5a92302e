#include "cli/report.h"

#include <cstdio>
#include <string>

namespace grappe {

// One write per line, so that lines of several processes on one terminal do not mix.
void Report::line(std::string_view kind, std::string_view text) const {
  std::string out;
  out.reserve(command_.size() + kind.size() + text.size() + 3);
  out.append(command_).append(": ").append(kind).append(text).append("\n");
  std::fwrite(out.data(), 1, out.size(), stderr);
}

void Report::error(std::string_view text) const {
  line("error: ", text);
}

void Report::error(const Error& error, std::string_view prefix) const {
  for (const std::string& note : error.notes) line("error: ", note);
  line("error: ", std::string(prefix) + error.message);
}

void Report::info(std::string_view text) const {
  if (verbosity >= 0) line("", text);
}

void Report::verbose(std::string_view text) const {
  if (verbosity > 0) line("", text);
}

void Report::fatal(std::string_view text) const {
  line("fatal: ", text);
}

}  // namespace grappe
