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

using line_rows::idle;
using line_rows::no_effect;

constexpr std::string_view kNoKmem = "memory of the kernel is counted with the rest";
constexpr std::string_view kMounted = "cgroups are used where they are mounted";
constexpr std::string_view kMemory = "a job is confined to the memory that it was given";
constexpr std::string_view kSwap = "swap is not limited apart from memory";
constexpr std::string_view kSystemd = "systemd is not asked";

constexpr Key kKeys[] = {
    no_effect<Cgroup>("AllowedKmemSpace", kNoKmem),
    idle(kMemory, Key{"AllowedRAMSpace", set_percent<&Cgroup::allowed_ram_space_percent>}),
    idle(kSwap, Key{"AllowedSwapSpace", set_percent<&Cgroup::allowed_swap_space_percent>}),
    no_effect<Cgroup>("CgroupAutomount", kMounted),
    idle(kMounted, line_rows::text<&Cgroup::mountpoint>("CgroupMountpoint")),
    idle("the version that is mounted is used", Key{"CgroupPlugin", set_plugin}),
    line_rows::yes_no<&Cgroup::constrain_cores>("ConstrainCores"),
    line_rows::yes_no<&Cgroup::constrain_devices>("ConstrainDevices"),
    no_effect<Cgroup>("ConstrainKmemSpace", kNoKmem),
    line_rows::yes_no<&Cgroup::constrain_ram_space>("ConstrainRAMSpace"),
    idle(kSwap, line_rows::yes_no<&Cgroup::constrain_swap_space>("ConstrainSwapSpace")),
    idle(kSystemd, line_rows::yes_no<&Cgroup::ignore_systemd>("IgnoreSystemd")),
    idle(kSystemd, line_rows::yes_no<&Cgroup::ignore_systemd_on_failure>("IgnoreSystemdOnFailure")),
    no_effect<Cgroup>("MaxKmemPercent", kNoKmem),
    idle(kMemory, Key{"MaxRAMPercent", set_percent<&Cgroup::max_ram_percent>}),
    idle(kSwap, Key{"MaxSwapPercent", set_percent<&Cgroup::max_swap_percent>}),
    idle(kSwap, line_rows::number<&Cgroup::memory_swappiness>("MemorySwappiness", 0, 100)),
    no_effect<Cgroup>("MinKmemSpace", kNoKmem),
    idle(kMemory, line_rows::number<&Cgroup::min_ram_space_mb>("MinRAMSpace")),
    no_effect<Cgroup>("CgroupReleaseAgentDir", kMounted),
    no_effect<Cgroup>("TaskAffinity", "srun --cpu-bind binds tasks"),
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
