#include "cli/scontrol/settings.h"

#include "cli/accounts.h"
#include "cli/scontrol/keywords.h"

namespace grappe::scontrol {
namespace {

std::string unquoted(std::string_view text) {
  bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                text.front() == text.back();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

}  // namespace

Setting parse_setting(const std::string& word) {
  Setting setting;
  setting.word = word;
  size_t equal = word.find('=');
  setting.key = word.substr(0, equal);
  if (equal == std::string::npos) return setting;
  setting.has_value = true;
  setting.value = unquoted(std::string_view(word).substr(equal + 1));
  if (!setting.key.empty() && (setting.key.back() == '+' || setting.key.back() == '-')) {
    setting.operation = setting.key.back();
    setting.key.pop_back();
  }
  return setting;
}

std::vector<Setting> parse_settings(Words words) {
  std::vector<Setting> settings;
  for (size_t i = 1; i < words.size(); ++i) {
    bool entity_alone = i == 1 && words.size() > 2 && words[1].find('=') == std::string::npos &&
                        words[2].find('=') == std::string::npos;
    if (entity_alone) {
      settings.push_back(parse_setting(words[1] + "=" + words[2]));
      ++i;
    } else {
      settings.push_back(parse_setting(words[i]));
    }
  }
  return settings;
}

const Setting* find_setting(const std::vector<Setting>& settings, std::string_view name,
                            size_t shortest) {
  for (const Setting& setting : settings) {
    if (abbreviates(setting.key, name, shortest)) return &setting;
  }
  return nullptr;
}

std::optional<bool> parse_yes_no(std::string_view text) {
  for (std::string_view yes : {"yes", "y", "1"}) {
    if (iequals(text, yes)) return true;
  }
  for (std::string_view no : {"no", "n", "0"}) {
    if (iequals(text, no)) return false;
  }
  return std::nullopt;
}

std::optional<uint32_t> parse_user(const std::string& text) {
  if (const auto user = find_account(text)) return user->uid;
  if (auto uid = parse_uint(text, UINT32_MAX)) return static_cast<uint32_t>(*uid);
  return std::nullopt;
}

}  // namespace grappe::scontrol
