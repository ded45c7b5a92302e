// Keys whose value is a list of options, such as SchedulerParameters=defer,bf_window=2880.
//
// Unlike a flag of other keys, a misspelt option does not stop Slurm, so here it is a warning: and
// so is an option of Slurm that has no effect on one machine, because nothing is ignored silently.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/config_values.h"

namespace grappe {

// At most one member is set; none: Slurm knows the option, it has no effect here.
template <class T>
struct OptionWord {
  std::string_view name;
  bool T::*flag = nullptr;
  std::uint32_t T::*number = nullptr;
  std::string T::*text = nullptr;
};

template <class T>
Status set_option(std::string_view key, const OptionWord<T>& row, std::string_view value,
                  T& options, std::vector<std::string>& warnings) {
  if (row.flag != nullptr) {
    options.*(row.flag) = true;
  } else if (row.text != nullptr) {
    options.*(row.text) = value;
  } else if (row.number != nullptr) {
    Result<std::uint64_t> number =
        read_number(fmt::format("{}: {}", key, row.name), value, 0, kInfinite - 2);
    if (!number) return tl::unexpected(number.error());
    options.*(row.number) = static_cast<std::uint32_t>(*number);
  } else {
    warnings.push_back(fmt::format("{}: {} has no effect here", key, row.name));
  }
  return {};
}

// A number that is malformed is a failure; everything else that is odd is a warning.
template <class T>
Status read_options(std::string_view key, std::string_view value,
                    std::span<const OptionWord<T>> words, T& options,
                    std::vector<std::string>& warnings) {
  for (const std::string& item : read_list(value)) {
    const std::size_t equals = item.find('=');
    const std::string_view name = std::string_view(item).substr(0, equals);
    auto row = std::find_if(words.begin(), words.end(),
                            [&](const OptionWord<T>& w) { return iequals(w.name, name); });
    if (row == words.end()) {
      std::vector<std::string_view> names;
      for (const OptionWord<T>& w : words) names.push_back(w.name);
      const std::string_view meant = name.size() <= 40 ? closest(name, names) : "";
      warnings.push_back(
          fmt::format("{}: unknown option {}{}", key, name,
                      meant.empty() ? "" : fmt::format(": did you mean {}?", meant)));
      continue;
    }
    const std::string_view number =
        equals == std::string::npos ? "" : std::string_view(item).substr(equals + 1);
    Status status = set_option(key, *row, number, options, warnings);
    if (!status) return status;
  }
  return {};
}

}  // namespace grappe
