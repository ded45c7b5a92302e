// The words of a sacctmgr line: "key=value", "key+=value", names and flags without a value.
//
// A key may be abbreviated in any case, down to a number of letters that is its own. What a
// command takes is a table of keys; the first row that fits wins.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace grappe::sacctmgr {

using Words = std::span<const std::string>;
using Names = std::vector<std::string>;

struct Word {
  std::string text;  // as typed
  std::string key;
  char operation = 0;  // '+' or '-' before the '=', else 0
  bool has_value = false;
  std::string value;  // without the quotes around it; of a word without "=" the word itself
};
Word parse_word(const std::string& text);

// True if `typed` abbreviates `name` with at least `shortest` letters.
bool abbreviates(std::string_view typed, std::string_view name, size_t shortest);
inline bool is_key(const Word& word, std::string_view name, size_t shortest) {
  return abbreviates(word.key, name, shortest);
}

// "A,'b c',a" -> {"a", "b c"}: in small letters, each once, in their order.
Names parse_names(std::string_view list);
void add_names(Names& names, std::string_view list);
// The same for what a condition asks for: a list without a name means none, not every one. The
// variable that a script forgot to set must not choose all users.
void add_wanted(Names& names, std::string_view list);
// As add_names with capital letters kept.
void add_texts(Names& texts, std::string_view list);
bool contains(const Names& names, std::string_view name);
// An empty list admits every name.
bool admits(const Names& names, std::string_view name);

// A row of what a command takes. `needs_value`: without "=" the word is not this key.
template <class Target>
struct Key {
  std::string_view name;
  size_t shortest;
  void (*set)(Target& target, const Word& word);
  bool needs_value = true;
};

template <class Target>
bool set_by_key(std::span<const Key<Target>> keys, Target& target, const Word& word) {
  for (const Key<Target>& key : keys) {
    if (key.needs_value && !word.has_value) continue;
    if (!is_key(word, key.name, key.shortest)) continue;
    key.set(target, word);
    return true;
  }
  return false;
}

}  // namespace grappe::sacctmgr
