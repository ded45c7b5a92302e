#include "cli/alias.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe {
namespace {

bool is_name_letter(char c) {
  return is_digit(c) || c == '_' || (to_lower(c) >= 'a' && to_lower(c) <= 'z');
}

// Reads the name after a '$' and moves `at` behind it; empty for a '$' that stands for itself.
std::string_view variable_name(std::string_view text, size_t& at) {
  bool braces = at < text.size() && text[at] == '{';
  size_t start = braces ? at + 1 : at;
  size_t end = start;
  while (end < text.size() && is_name_letter(text[end])) ++end;
  if (end == start || (braces && (end == text.size() || text[end] != '}'))) return {};
  at = braces ? end + 1 : end;
  return text.substr(start, end - start);
}

}  // namespace

Result<std::vector<Alias>> load_aliases(Calls& calls) {
  auto config = calls.call<v1::ConfigResponse>("Cluster/Config", v1::Empty());
  if (!config) return tl::unexpected<Error>(config.error());
  std::vector<Alias> aliases;
  for (const auto& [name, line] : config->aliases()) aliases.push_back({name, line});
  std::sort(aliases.begin(), aliases.end(),
            [](const Alias& a, const Alias& b) { return a.name < b.name; });
  return aliases;
}

Result<std::vector<std::string>> alias_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // a word has begun, if only by quotes
  char quote = 0;
  for (size_t at = 0; at < line.size();) {
    char c = line[at++];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      if (inside) words.push_back(std::exchange(word, {}));
      inside = false;
      continue;
    }
    inside = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && at < line.size()) {
      word += line[at++];
    } else if (c == '$' && quote != '\'') {
      std::string_view name = variable_name(line, at);
      const char* value = name.empty() ? "$" : std::getenv(std::string(name).c_str());
      word += value ? value : "";
    } else {
      word += c;
    }
  }
  if (quote) return fail("a quote is not closed");
  if (inside) words.push_back(word);
  return words;
}

}  // namespace grappe
