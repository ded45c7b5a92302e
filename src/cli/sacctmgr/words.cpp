#include "cli/sacctmgr/words.h"

#include <algorithm>

#include "base/text.h"

namespace grappe::sacctmgr {
namespace {

std::string unquoted(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c != '"' && c != '\'') out += c;
  }
  return out;
}

void add_once(Names& names, std::string name) {
  if (!name.empty() && !contains(names, name)) names.push_back(std::move(name));
}

}  // namespace

Word parse_word(const std::string& text) {
  Word word;
  word.text = text;
  const size_t equal = text.find('=');
  word.key = text.substr(0, equal);
  if (equal == std::string::npos) {
    word.value = unquoted(text);
    return word;
  }
  word.has_value = true;
  word.value = unquoted(std::string_view(text).substr(equal + 1));
  if (!word.key.empty() && (word.key.back() == '+' || word.key.back() == '-')) {
    word.operation = word.key.back();
    word.key.pop_back();
  }
  return word;
}

bool abbreviates(std::string_view typed, std::string_view name, size_t shortest) {
  return typed.size() >= shortest && typed.size() <= name.size() && istarts_with(name, typed);
}

void add_names(Names& names, std::string_view list) {
  for (std::string_view part : split_words(list, ",")) {
    add_once(names, to_lower(unquoted(trim(part))));
  }
}

void add_wanted(Names& names, std::string_view list) {
  add_names(names, list);
  if (names.empty()) names.emplace_back();
}

void add_texts(Names& texts, std::string_view list) {
  for (std::string_view part : split_words(list, ",")) add_once(texts, unquoted(trim(part)));
}

Names parse_names(std::string_view list) {
  Names names;
  add_names(names, list);
  return names;
}

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool admits(const Names& names, std::string_view name) {
  return names.empty() || contains(names, name);
}

}  // namespace grappe::sacctmgr
