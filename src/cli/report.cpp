#include "cli/report.h"

#include <cstdio>
#include <string>

#include "base/text.h"

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

void Report::debug(std::string_view text) const {
  if (verbosity > 1) line("debug:  ", text);
}

void Report::fatal(std::string_view text) const {
  line("fatal: ", text);
}

void suggest(std::string_view typed, std::span<const std::string_view> names,
             std::string_view before) {
  std::vector<std::string> lower;
  lower.reserve(names.size());
  for (std::string_view name : names) lower.push_back(to_lower(name));
  std::vector<std::string_view> candidates(lower.begin(), lower.end());
  std::string_view near = closest(to_lower(typed), candidates);
  for (size_t i = 0; i < candidates.size() && !near.empty(); ++i) {
    if (candidates[i].data() != near.data()) continue;
    std::string line = "did you mean " + std::string(before) + std::string(names[i]) + "?\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
}

void suggest(std::string_view typed, const std::vector<std::string>& names) {
  suggest(typed, std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace grappe
