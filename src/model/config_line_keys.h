// Tables for the lines of slurm.conf and gres.conf that describe one thing in many keys
// (NodeName=..., PartitionName=..., Name=gpu ...), and the makers of their rows.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/text.h"
#include "model/config_lines.h"
#include "model/config_values.h"

namespace grappe {

template <class T>
struct LineKey {
  std::string_view name;
  // nullptr: Slurm knows the key, it is not even kept here.
  Status (*set)(const LineKey& key, std::string_view value, T& record) = nullptr;
  std::uint64_t low = 0;
  std::uint64_t high = kInfinite - 2;
  std::string_view why = {};  // not empty: it has no effect, because of this
};

// Where parsing collects what is odd but not wrong.
struct ConfigNotes {
  std::vector<std::string> warnings;
  void warn(const ConfigLine& line, std::string_view message);
  // "slurm.conf:5: AuthInfo has no effect: why", each key once.
  void add_no_effect(const ConfigLine& line, std::string_view key, std::string_view why);
  // Suggests the key that was meant; only so often, because comparing with every key takes time.
  void add_unknown(const ConfigLine& line, std::string_view key,
                   std::span<const std::string_view> known);

 private:
  std::vector<std::string_view> no_effect_;
  int suggestions_ = 0;
};

// "slurm.conf:12: " before the message.
tl::unexpected<Error> fail_at(const ConfigLine& line, std::string_view message);

// Applies every pair of `line` to `record`, whose table is `keys`.
template <class T>
Status read_line(const ConfigLine& line, std::span<const LineKey<T>> keys, T& record,
                 ConfigNotes& notes) {
  for (const ConfigPair& pair : line.pairs) {
    auto key = std::find_if(keys.begin(), keys.end(),
                            [&](const LineKey<T>& k) { return iequals(k.name, pair.key); });
    if (key == keys.end()) {
      std::vector<std::string_view> names;
      for (const LineKey<T>& k : keys) names.push_back(k.name);
      notes.add_unknown(line, pair.key, names);
      continue;
    }
    Status status = key->set ? key->set(*key, pair.value, record) : Status();
    if (!status) return fail_at(line, status.error().message);
    if (!key->why.empty()) notes.add_no_effect(line, key->name, key->why);
  }
  return {};
}

namespace line_rows {

// Known to Slurm, without effect here.
template <class T>
constexpr LineKey<T> no_effect(std::string_view name, std::string_view why) {
  LineKey<T> key{name};
  key.why = why;
  return key;
}
// Read and shown, and nothing follows from it.
template <class T>
constexpr LineKey<T> idle(std::string_view why, LineKey<T> key) {
  key.why = why;
  return key;
}

template <auto member>
struct MemberOf;
template <class T, class M, M T::*member>
struct MemberOf<member> {
  using Record = T;
};
template <auto member>
using Record = typename MemberOf<member>::Record;

template <class T, class U>
Status store(Result<T> read, U& into) {
  if (!read) return tl::unexpected(std::move(read).error());
  into = static_cast<U>(std::move(*read));
  return {};
}

template <auto member>
constexpr LineKey<Record<member>> text(std::string_view name) {
  return {name, [](const auto&, std::string_view value, auto& record) -> Status {
            record.*member = value;
            return {};
          }};
}

template <auto member>
constexpr LineKey<Record<member>> number(std::string_view name, std::uint64_t low = 0,
                                         std::uint64_t high = kInfinite - 2) {
  return {name,
          [](const auto& key, std::string_view value, auto& record) {
            return store(read_number(key.name, value, key.low, key.high), record.*member);
          },
          low, high};
}

template <auto member>
constexpr LineKey<Record<member>> number_or_unlimited(std::string_view name) {
  return {name, [](const auto& key, std::string_view value, auto& record) {
            return store(read_number(key.name, value, key.low, key.high, true), record.*member);
          }};
}

template <auto member>
constexpr LineKey<Record<member>> yes_no(std::string_view name) {
  return {name, [](const auto& key, std::string_view value, auto& record) {
            return store(read_bool(key.name, value), record.*member);
          }};
}

template <auto member>
constexpr LineKey<Record<member>> minutes(std::string_view name) {
  return {name, [](const auto& key, std::string_view value, auto& record) {
            return store(read_time_min(key.name, value), record.*member);
          }};
}

// Names in small letters; ALL is the empty list.
template <auto member>
constexpr LineKey<Record<member>> names(std::string_view name) {
  return {name, [](const auto&, std::string_view value, auto& record) -> Status {
            record.*member = {};
            if (!iequals(value, "ALL")) record.*member = read_list(to_lower(value));
            return {};
          }};
}

template <auto member>
constexpr LineKey<Record<member>> list(std::string_view name) {
  return {name, [](const auto&, std::string_view value, auto& record) -> Status {
            record.*member = read_list(value);
            return {};
          }};
}

template <auto member>
constexpr LineKey<Record<member>> cpu_bind(std::string_view name) {
  return {name, [](const auto& key, std::string_view value, auto& record) {
            return store(read_cpu_bind(key.name, value), record.*member);
          }};
}

}  // namespace line_rows
}  // namespace grappe
