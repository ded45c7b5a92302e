#include "model/config_cgroup_keys.h"

#include <charconv>

namespace grappe {

namespace {

using Cgroup = CgroupConfig;
using Key = LineKey<CgroupConfig>;

template <auto member>
Status set_percent(const Key& key, std::string_view value, Cgroup& cgroup) {
  double percent = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), percent);
  if (error != std::errc() || end != value.data() + value.size() || !(percent >= 0) ||
      percent > 1e6) {
    return fail(fmt::format("{} value \"{}\" is not a valid number", key.name, value));
  }
  cgroup.*member = percent;
  return {};
}

Status set_plugin(const Key& key, std::string_view value, Cgroup& cgroup) {
  for (std::string_view known : {"autodetect", "cgroup/v1", "cgroup/v2"}) {
    if (!iequals(known, value)) continue;
    cgroup.plugin = known;
    return {};
  }
  return invalid_option(key.name, value);
}

constexpr Key kKeys[] = {
    {"AllowedKmemSpace"},
    {"AllowedRAMSpace", set_percent<&Cgroup::allowed_ram_space_percent>},
    {"AllowedSwapSpace", set_percent<&Cgroup::allowed_swap_space_percent>},
    {"CgroupAutomount"},
    line_rows::text<&Cgroup::mountpoint>("CgroupMountpoint"),
    {"CgroupPlugin", set_plugin},
    line_rows::yes_no<&Cgroup::constrain_cores>("ConstrainCores"),
    line_rows::yes_no<&Cgroup::constrain_devices>("ConstrainDevices"),
    {"ConstrainKmemSpace"},
    line_rows::yes_no<&Cgroup::constrain_ram_space>("ConstrainRAMSpace"),
    line_rows::yes_no<&Cgroup::constrain_swap_space>("ConstrainSwapSpace"),
    line_rows::yes_no<&Cgroup::ignore_systemd>("IgnoreSystemd"),
    line_rows::yes_no<&Cgroup::ignore_systemd_on_failure>("IgnoreSystemdOnFailure"),
    {"MaxKmemPercent"},
    {"MaxRAMPercent", set_percent<&Cgroup::max_ram_percent>},
    {"MaxSwapPercent", set_percent<&Cgroup::max_swap_percent>},
    line_rows::number<&Cgroup::memory_swappiness>("MemorySwappiness", 0, 100),
    {"MinKmemSpace"},
    line_rows::number<&Cgroup::min_ram_space_mb>("MinRAMSpace"),
    {"CgroupReleaseAgentDir"},
    {"TaskAffinity"},
};

std::string yes_no(bool value) {
  return value ? "yes" : "no";
}

std::string percent(double value) {
  return fmt::format("{:.1f}%", value);
}

}  // namespace

std::span<const LineKey<CgroupConfig>> cgroup_keys() {
  return kKeys;
}

std::vector<std::pair<std::string, std::string>> show_cgroup_config(const CgroupConfig& cgroup) {
  return {
      {"AllowedKmemSpace", "(null)"},
      {"AllowedRAMSpace", percent(cgroup.allowed_ram_space_percent)},
      {"AllowedSwapSpace", percent(cgroup.allowed_swap_space_percent)},
      {"CgroupAutomount", "no"},
      {"CgroupMountpoint", cgroup.mountpoint},
      {"CgroupPlugin", cgroup.plugin == "autodetect" ? "(null)" : cgroup.plugin},
      {"ConstrainCores", yes_no(cgroup.constrain_cores)},
      {"ConstrainDevices", yes_no(cgroup.constrain_devices)},
      {"ConstrainKmemSpace", "no"},
      {"ConstrainRAMSpace", yes_no(cgroup.constrain_ram_space)},
      {"ConstrainSwapSpace", yes_no(cgroup.constrain_swap_space)},
      {"IgnoreSystemd", yes_no(cgroup.ignore_systemd)},
      {"IgnoreSystemdOnFailure", yes_no(cgroup.ignore_systemd_on_failure)},
      {"MaxKmemPercent", percent(100)},
      {"MaxRAMPercent", percent(cgroup.max_ram_percent)},
      {"MaxSwapPercent", percent(cgroup.max_swap_percent)},
      {"MemorySwappiness",
       cgroup.memory_swappiness ? std::to_string(*cgroup.memory_swappiness) : "(null)"},
      {"MinKmemSpace", "30 MB"},
      {"MinRAMSpace", fmt::format("{} MB", cgroup.min_ram_space_mb)},
  };
}

}  // namespace grappe
