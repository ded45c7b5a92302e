#include "cli/scontrol/session.h"

#include <cstdio>
#include <cstdlib>

namespace grappe::scontrol {

Style Session::style(int64_t now) const {
  const char* format = std::getenv("SLURM_TIME_FORMAT");
  return {one_line, details, now, format ? format : ""};
}

void Session::say(std::string_view text) const {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void Session::complain(std::string_view line) {
  exit_code = 1;
  if (quiet) return;
  std::fflush(stdout);
  std::string text = std::string(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Session::error(std::string_view line) {
  complain("scontrol: error: " + std::string(line));
}

void Session::suggest(std::string_view typed, const std::vector<std::string>& names) const {
  if (!quiet) grappe::suggest(typed, names);
}

void Session::failed(std::string_view prefix, const Error& failure) {
  for (const std::string& note : failure.notes) error(note);
  complain(std::string(prefix) + ": " + failure.message);
}

}  // namespace grappe::scontrol
