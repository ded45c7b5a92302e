// Makers of rows for the table of config_keys.cpp: one per kind of value.
//
// A row names the member by its path from ClusterConfig:
//   seconds<&ClusterConfig::jobs, &JobsConfig::kill_wait_s>("KillWait", 0, 65533)
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "base/text.h"
#include "model/config_keys.h"
#include "model/config_values.h"

namespace grappe::config_rows {

inline constexpr std::uint64_t kMax16 = 0xfffd;  // above are Slurm's marks
inline constexpr std::uint64_t kMax32 = 0xfffffffd;

template <auto first, auto... rest, class T>
auto& member(T& object) {
  if constexpr (sizeof...(rest) == 0) {
    return object.*first;
  } else {
    return member<rest...>(object.*first);
  }
}

// Stores what a reader of config_values.h answered.
template <class T, class U>
Status store(Result<T> read, U& into) {
  if (!read) return tl::unexpected(std::move(read).error());
  into = static_cast<U>(std::move(*read));
  return {};
}

template <auto... path>
Status set_text(const ConfigKey&, std::string_view value, ClusterConfig& config,
                ConfigKey::Warnings&) {
  member<path...>(config) = value;
  return {};
}
template <auto... path>
std::string show_text(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  return null_or(member<path...>(config));
}
template <auto... path>
constexpr ConfigKey text(std::string_view name) {
  return {name, KeyRole::kSetting, set_text<path...>, show_text<path...>};
}

template <auto... path>
Status set_list(const ConfigKey&, std::string_view value, ClusterConfig& config,
                ConfigKey::Warnings&) {
  member<path...>(config) = read_list(value);
  return {};
}
template <auto... path>
std::string show_list(const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
  return null_or(join(member<path...>(config), ","));
}
template <auto... path>
constexpr ConfigKey list(std::string_view name) {
  return {name, KeyRole::kSetting, set_list<path...>, show_list<path...>};
}

template <auto... path>
Status set_bool(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                ConfigKey::Warnings&) {
  return store(read_bool(key.name, value), member<path...>(config));
}
template <auto... path>
constexpr ConfigKey yes_no(std::string_view name) {
  return {name, KeyRole::kSetting, set_bool<path...>,
          [](const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) -> std::string {
            return member<path...>(config) ? "Yes" : "No";
          }};
}
// A yes or no that Slurm writes as a digit.
template <auto... path>
constexpr ConfigKey one_zero(std::string_view name) {
  return {name, KeyRole::kSetting, set_bool<path...>,
          [](const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) -> std::string {
            return member<path...>(config) ? "1" : "0";
          }};
}

template <auto... path>
Status set_number(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                  ConfigKey::Warnings&) {
  return store(read_number(key.name, value, key.low, key.high), member<path...>(config));
}
// `key.text` is the unit: "30 sec", "0 percent", "512".
template <auto... path>
std::string show_number(const ConfigKey& key, const ClusterConfig& config, const ConfigFacts&) {
  return fmt::format("{}{}", member<path...>(config), key.text);
}
template <auto... path>
constexpr ConfigKey number(std::string_view name, std::uint64_t low = 0,
                           std::uint64_t high = kMax32, std::string_view unit = {}) {
  return {name, KeyRole::kSetting, set_number<path...>, show_number<path...>, low, high, unit};
}
template <auto... path>
constexpr ConfigKey seconds(std::string_view name, std::uint64_t low = 0,
                            std::uint64_t high = kMax16) {
  return number<path...>(name, low, high, " sec");
}

// Minutes with no upper end: "5 min", "UNLIMITED".
template <auto... path>
constexpr ConfigKey minutes_or_unlimited(std::string_view name) {
  return {name, KeyRole::kSetting,
          [](const ConfigKey& key, std::string_view value, ClusterConfig& config,
             ConfigKey::Warnings&) {
            return store(read_number(key.name, value, 0, kMax16, true), member<path...>(config));
          },
          [](const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) -> std::string {
            const std::uint32_t minutes = member<path...>(config);
            return minutes == kInfinite ? "UNLIMITED" : fmt::format("{} min", minutes);
          }};
}

// A span in Slurm's notation, kept in seconds: "7-00:00:00". A bare number is minutes.
template <auto... path>
constexpr ConfigKey span(std::string_view name) {
  return {name, KeyRole::kSetting,
          [](const ConfigKey& key, std::string_view value, ClusterConfig& config,
             ConfigKey::Warnings&) {
            return store(read_time_s(key.name, value), member<path...>(config));
          },
          [](const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
            return format_duration(member<path...>(config));
          }};
}

template <auto... path>
constexpr ConfigKey exit_codes(std::string_view name) {
  return {name, KeyRole::kSetting,
          [](const ConfigKey& key, std::string_view value, ClusterConfig& config,
             ConfigKey::Warnings&) {
            return store(read_exit_codes(key.name, value), member<path...>(config));
          },
          [](const ConfigKey&, const ClusterConfig& config, const ConfigFacts&) {
            return null_or(show_exit_codes(member<path...>(config)));
          }};
}

// One of the values listed in `choices`, blank separated, with or without what stands before '/'.
template <auto... path>
constexpr ConfigKey choice(std::string_view name, std::string_view choices) {
  ConfigKey key{name, KeyRole::kSetting,
                [](const ConfigKey& row, std::string_view value, ClusterConfig& config,
                   ConfigKey::Warnings&) -> Status {
                  for (std::string_view word : split_words(row.text, " ")) {
                    const std::size_t slash = word.find('/');
                    if (!iequals(value, word) &&
                        (slash == word.npos || !iequals(value, word.substr(slash + 1)))) {
                      continue;
                    }
                    member<path...>(config) = word;
                    return {};
                  }
                  return invalid_option(row.name, value);
                },
                show_text<path...>};
  key.text = choices;
  return key;
}

inline std::string show_constant(const ConfigKey& key, const ClusterConfig&, const ConfigFacts&) {
  return std::string(key.text);
}
constexpr ConfigKey fixed(std::string_view name, std::string_view value) {
  ConfigKey key{name, KeyRole::kFixed, nullptr, show_constant};
  key.text = value;
  return key;
}
constexpr ConfigKey no_effect(std::string_view name, std::string_view why,
                              std::string_view shown = "(null)") {
  ConfigKey key{name, KeyRole::kNoEffect, nullptr, show_constant};
  key.text = shown;
  key.why = why;
  return key;
}
// Read by Slurm, not listed by scontrol.
constexpr ConfigKey unlisted(std::string_view name, std::string_view why) {
  ConfigKey key{name, KeyRole::kNoEffect, nullptr, nullptr};
  key.why = why;
  return key;
}
// Read and shown, and nothing follows from it.
constexpr ConfigKey idle(std::string_view why, ConfigKey key) {
  key.why = why;
  return key;
}
constexpr ConfigKey refused(std::string_view name, std::string_view why) {
  ConfigKey key{name, KeyRole::kRefused, nullptr,
                [](const ConfigKey&, const ClusterConfig&, const ConfigFacts&) -> std::string {
                  return "(null)";
                }};
  key.text = why;
  return key;
}
constexpr ConfigKey fact(std::string_view name, ConfigKey::Show show) {
  return {name, KeyRole::kFact, nullptr, show};
}
// What a file may set in Slurm, but is decided elsewhere here.
constexpr ConfigKey known_fact(std::string_view name, std::string_view why, ConfigKey::Show show) {
  ConfigKey key{name, KeyRole::kNoEffect, nullptr, show};
  key.why = why;
  return key;
}

}  // namespace grappe::config_rows
