// "Name=value" words of update, create and delete.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/scontrol/session.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe::scontrol {

// "TimeLimit+=5": key "TimeLimit", operation '+', value "5". Quotes around the value are not part
// of it (they are typed in the interactive mode).
struct Setting {
  std::string word;  // as typed
  std::string key;
  char operation = 0;  // '+' or '-' before the '=', else 0
  bool has_value = false;
  std::string value;
};

Setting parse_setting(const std::string& word);
// The words after the first; "job 12" is read as "job=12".
std::vector<Setting> parse_settings(Words words);

// The first setting whose key abbreviates `name` with at least `shortest` letters.
const Setting* find_setting(const std::vector<Setting>& settings, std::string_view name,
                            size_t shortest);

// YES, NO, Y, N, 1, 0.
std::optional<bool> parse_yes_no(std::string_view text);
// A name or a number of a user who exists.
std::optional<uint32_t> parse_user(const std::string& text);

// The one name that `key` is, or abbreviates with three letters or more and no other name does;
// empty if there is none.
template <class Row, size_t N>
const Row* find_row(const Row (&rows)[N], std::string_view key);

// The keys of a table, for the manual and the completion.
template <class Row, size_t N>
std::vector<std::string> keys_of(const Row (&rows)[N]) {
  std::vector<std::string> keys;
  for (const Row& row : rows) keys.emplace_back(row.key);
  return keys;
}

}  // namespace grappe::scontrol

#include "base/text.h"

template <class Row, size_t N>
const Row* grappe::scontrol::find_row(const Row (&rows)[N], std::string_view key) {
  const Row* found = nullptr;
  for (const Row& row : rows) {
    if (iequals(row.key, key)) return &row;
  }
  if (key.size() < 3) return nullptr;
  for (const Row& row : rows) {
    if (!istarts_with(row.key, key)) continue;
    if (found) return nullptr;
    found = &row;
  }
  return found;
}
