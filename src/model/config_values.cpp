#include "model/config_values.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace grappe {

namespace {

struct SelectWord {
  std::string_view word;
  ConsumableUnit unit;
  bool memory;
};

constexpr std::array<SelectWord, 7> kSelectUnits = {{
    {"CR_CPU", ConsumableUnit::kCpu, false},
    {"CR_CPU_MEMORY", ConsumableUnit::kCpu, true},
    {"CR_CORE", ConsumableUnit::kCore, false},
    {"CR_CORE_MEMORY", ConsumableUnit::kCore, true},
    {"CR_SOCKET", ConsumableUnit::kSocket, false},
    {"CR_SOCKET_MEMORY", ConsumableUnit::kSocket, true},
    {"CR_MEMORY", ConsumableUnit::kNone, true},
}};

constexpr std::array<FlagWord<SelectParameters>, 4> kSelectFlags = {{
    {"CR_ONE_TASK_PER_CORE", &SelectParameters::one_task_per_core},
    {"CR_CORE_DEFAULT_DIST_BLOCK", &SelectParameters::core_default_dist_block},
    {"CR_LLN", &SelectParameters::least_loaded_nodes},
    {"CR_PACK_NODES", &SelectParameters::pack_nodes},
}};

constexpr std::array<std::pair<std::string_view, PreemptAction>, 4> kPreemptActions = {{
    {"OFF", PreemptAction::kOff},
    {"CANCEL", PreemptAction::kCancel},
    {"REQUEUE", PreemptAction::kRequeue},
    {"SUSPEND", PreemptAction::kSuspend},
}};

struct CpuBindWord {
  std::string_view written;
  std::string_view shown;
  CpuBindDefault bind;
};

constexpr std::array<CpuBindWord, 5> kCpuBindWords = {{
    {"none", "none", CpuBindDefault::kNone},
    {"socket", "sockets", CpuBindDefault::kSocket},
    {"ldom", "ldoms", CpuBindDefault::kLdom},
    {"core", "cores", CpuBindDefault::kCore},
    {"thread", "threads", CpuBindDefault::kThread},
}};

tl::unexpected<Error> not_a_number(std::string_view key, std::string_view value) {
  return fail(fmt::format("{} value \"{}\" is not a valid number", key, value));
}

bool is_unlimited(std::string_view value) {
  return iequals(value, "UNLIMITED") || iequals(value, "INFINITE") || value == "-1";
}

// The digits at the front of `value`, which is left with what follows them.
std::optional<std::uint64_t> take_digits(std::string_view& value) {
  int base = 10;
  if (istarts_with(value, "0x")) {
    base = 16;
    value.remove_prefix(2);
  }
  std::uint64_t number = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  value.remove_prefix(static_cast<std::size_t>(end - value.data()));
  return number;
}

// How many base units "K", "M", ... are: memory counts in M, everything else in ones.
std::optional<double> units_of_suffix(std::string_view suffix, bool memory) {
  if (suffix.empty()) return 1.0;
  constexpr std::string_view kLetters = "KMGTP";
  const char letter =
      suffix[0] >= 'a' && suffix[0] <= 'z' ? static_cast<char>(suffix[0] - 32) : suffix[0];
  const std::size_t power = kLetters.find(letter);
  if (suffix.size() != 1 || power == std::string_view::npos) return std::nullopt;
  return std::pow(1024.0, static_cast<double>(power) + (memory ? -1.0 : 1.0));
}

// "GRES/gpu" -> "gres/gpu"; empty when there is no such kind of resource.
std::string tres_name(std::string_view written) {
  const std::size_t slash = written.find('/');
  std::string kind = to_lower(written.substr(0, slash));
  if (slash == std::string_view::npos) {
    for (std::string_view known : {"cpu", "mem", "energy", "node", "billing", "vmem", "pages"}) {
      if (kind == known) return kind;
    }
    return {};
  }
  if (kind != "gres" && kind != "license" && kind != "bb" && kind != "fs") return {};
  if (slash + 1 == written.size()) return {};
  return kind + std::string(written.substr(slash));
}

}  // namespace

tl::unexpected<Error> invalid_option(std::string_view key, std::string_view value) {
  return fail(fmt::format("\"{}\" is not a valid option for \"{}\"", value, key));
}

Result<bool> read_bool(std::string_view key, std::string_view value) {
  for (std::string_view yes : {"yes", "up", "true", "1"}) {
    if (iequals(value, yes)) return true;
  }
  for (std::string_view no : {"no", "down", "false", "0"}) {
    if (iequals(value, no)) return false;
  }
  return invalid_option(key, value);
}

Result<std::uint64_t> read_number(std::string_view key, std::string_view value, std::uint64_t low,
                                  std::uint64_t high, bool unlimited) {
  if (unlimited && is_unlimited(value)) return kInfinite;
  std::string_view rest = value;
  std::optional<std::uint64_t> number = take_digits(rest);
  if (!number) return not_a_number(key, value);
  std::uint64_t factor = 1;
  if (!rest.empty()) {
    if (iequals(rest, "k")) factor = 1024;
    if (iequals(rest, "m")) factor = 1024 * 1024;
    if (factor == 1) return not_a_number(key, value);
  }
  if (*number > UINT64_MAX / factor) return not_a_number(key, value);
  *number *= factor;
  if (*number < low || *number > high) {
    return fail(fmt::format("{} value ({}) must be from {} to {}", key, value, low, high));
  }
  return *number;
}

Result<std::uint32_t> read_time_s(std::string_view key, std::string_view value) {
  Result<std::uint32_t> seconds = parse_duration(value);
  if (!seconds) return fail(fmt::format("Bad value \"{}\" for {}", value, key));
  return *seconds;
}

Result<std::uint32_t> read_time_min(std::string_view key, std::string_view value) {
  return read_time_s(key, value).map(minutes_rounded_up);
}

std::vector<std::string> read_list(std::string_view value) {
  std::vector<std::string> items;
  for (std::string_view item : split_words(value, ", \t")) items.emplace_back(item);
  return items;
}

Result<std::vector<int>> read_exit_codes(std::string_view key, std::string_view value) {
  std::vector<int> codes;
  for (const std::string& item : read_list(value)) {
    const std::size_t dash = item.find('-');
    auto first = parse_uint(std::string_view(item).substr(0, dash), 255);
    auto last = dash == std::string::npos
                    ? first
                    : parse_uint(std::string_view(item).substr(dash + 1), 255);
    if (!first || !last || *first > *last) return invalid_option(key, item);
    for (std::uint64_t code = *first; code <= *last; ++code)
      codes.push_back(static_cast<int>(code));
  }
  return codes;
}

std::string show_exit_codes(const std::vector<int>& codes) {
  std::string shown;
  for (std::size_t i = 0; i < codes.size();) {
    std::size_t last = i;
    while (last + 1 < codes.size() && codes[last + 1] == codes[last] + 1) ++last;
    if (!shown.empty()) shown += ',';
    shown += last == i ? std::to_string(codes[i]) : fmt::format("{}-{}", codes[i], codes[last]);
    i = last + 1;
  }
  return shown;
}

Result<std::vector<TresWeight>> read_tres_weights(std::string_view key, std::string_view value) {
  std::vector<TresWeight> weights;
  for (const std::string& item : read_list(value)) {
    const std::size_t equals = item.find('=');
    std::string name = tres_name(std::string_view(item).substr(0, equals));
    if (equals == std::string::npos || name.empty()) {
      return fail(fmt::format("{}: TRES weight '{}' is not a configured TRES type.", key, item));
    }
    std::string_view number = std::string_view(item).substr(equals + 1);
    double weight = 0;
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), weight);
    auto units = units_of_suffix(number.substr(static_cast<std::size_t>(end - number.data())),
                                 name == "mem" || name.starts_with("bb/"));
    if (error != std::errc() || !units || !std::isfinite(weight)) return not_a_number(key, item);
    weights.push_back({std::move(name), weight / *units});
  }
  return weights;
}

Result<std::vector<LicenseConfig>> read_licenses(std::string_view key, std::string_view value) {
  std::vector<LicenseConfig> licenses;
  for (const std::string& item : read_list(value)) {
    const std::size_t mark = item.find_first_of(":*");
    LicenseConfig license{item.substr(0, mark), 1};
    if (mark != std::string::npos) {
      auto total = parse_uint(std::string_view(item).substr(mark + 1), kInfinite - 2);
      if (!total) return not_a_number(key, item);
      license.total = static_cast<std::uint32_t>(*total);
    }
    if (license.name.empty()) return invalid_option(key, item);
    licenses.push_back(std::move(license));
  }
  return licenses;
}

Result<SelectParameters> read_select(std::string_view key, std::string_view value) {
  SelectParameters select;
  for (const std::string& item : read_list(value)) {
    auto unit = std::find_if(kSelectUnits.begin(), kSelectUnits.end(),
                             [&](const SelectWord& w) { return iequals(w.word, item); });
    if (unit != kSelectUnits.end()) {
      select.unit = unit->unit;
      select.memory = unit->memory;
      continue;
    }
    Status set = read_flags<SelectParameters>(key, item, kSelectFlags, select);
    if (!set) return tl::unexpected(set.error());
  }
  if (select.unit == ConsumableUnit::kCpu && select.one_task_per_core) {
    return fail(fmt::format("{}: CR_ONE_TASK_PER_CORE cannot be used with CR_CPU", key));
  }
  return select;
}

std::string show_select(const SelectParameters& select) {
  std::string shown;
  for (const SelectWord& w : kSelectUnits) {
    if (w.unit == select.unit && w.memory == select.memory) shown = w.word;
  }
  const std::string flags = show_flags<SelectParameters>(select, kSelectFlags);
  if (!flags.empty()) shown += "," + flags;
  return shown;
}

Result<PreemptMode> read_preempt_mode(std::string_view key, std::string_view value) {
  PreemptMode mode;
  int actions = 0;
  for (const std::string& item : read_list(value)) {
    if (iequals(item, "GANG")) {
      mode.gang = true;
      continue;
    }
    if (iequals(item, "WITHIN")) {
      mode.within = true;
      continue;
    }
    auto row = std::find_if(kPreemptActions.begin(), kPreemptActions.end(),
                            [&](const auto& w) { return iequals(w.first, item); });
    if (row == kPreemptActions.end() || ++actions > 1) return invalid_option(key, value);
    mode.action = row->second;
  }
  return mode;
}

std::string show_preempt_mode(PreemptMode mode) {
  std::string action;
  for (const auto& [word, value] : kPreemptActions) {
    if (value == mode.action) action = word;
  }
  std::string shown;
  if (mode.within) shown += "WITHIN,";
  if (mode.gang) shown += "GANG,";
  if (mode.action == PreemptAction::kOff && !shown.empty()) {
    shown.pop_back();
    return shown;
  }
  return shown + action;
}

Result<CpuBindDefault> read_cpu_bind(std::string_view key, std::string_view value) {
  for (const CpuBindWord& w : kCpuBindWords) {
    if (iequals(value, w.written) || iequals(value, w.shown)) return w.bind;
  }
  return invalid_option(key, value);
}

std::string_view show_cpu_bind(CpuBindDefault bind) {
  for (const CpuBindWord& w : kCpuBindWords) {
    if (w.bind == bind) return w.shown;
  }
  return {};
}

std::string null_or(std::string_view text) {
  return std::string(text.empty() ? "(null)" : text);
}

}  // namespace grappe
