#include "model/config_gres_lines.h"

#include "base/hostlist.h"
#include "base/memory_size.h"

namespace grappe {

namespace {

using Key = LineKey<GresConfig>;

// "4", "4G", "100K".
Status set_count(const Key& key, std::string_view value, GresConfig& gres) {
  std::size_t digits = 0;
  while (digits < value.size() && is_digit(value[digits])) ++digits;
  auto number = parse_uint(value.substr(0, digits));
  const std::uint64_t factor = suffix_multiplier(value.substr(digits));
  if (!number || factor == 0 || *number > UINT64_MAX / factor) {
    return fail(fmt::format("{} value \"{}\" is not a valid number", key.name, value));
  }
  gres.count = *number * factor;
  return {};
}

// "/dev/nvidia[0-3]" names four files.
Status set_files(const Key& key, std::string_view value, GresConfig& gres) {
  auto files = expand_hostlist(value);
  if (!files) return fail(fmt::format("{}={}: {}", key.name, value, files.error().message));
  gres.files = std::move(*files);
  return {};
}

Status set_links(const Key& key, std::string_view value, GresConfig& gres) {
  gres.links.clear();
  for (const std::string& item : read_list(value)) {
    auto link = parse_int(item, -1, 1000000);
    if (!link) return invalid_option(key.name, item);
    gres.links.push_back(static_cast<int>(*link));
  }
  return {};
}

Status set_flags(const Key& key, std::string_view value, GresConfig& gres) {
  gres.flags.clear();
  for (const std::string& item : read_list(to_lower(value))) {
    bool known = false;
    for (std::string_view flag : {"countonly", "explicit", "one_sharing", "nvidia_gpu_env",
                                  "amd_gpu_env", "opencl_env", "intel_gpu_env", "no_gpu_env"}) {
      known |= item == flag;
    }
    if (!known) return invalid_option(key.name, item);
    gres.flags.push_back(item);
  }
  return {};
}

Status set_auto_detect(const Key& key, std::string_view value, GresConfig& gres) {
  for (std::string_view known : {"nvml", "rsmi", "oneapi", "off"}) {
    if (!iequals(known, value)) continue;
    gres.auto_detect = known;
    return {};
  }
  return invalid_option(key.name, value);
}

constexpr Key kKeys[] = {
    {"AutoDetect", set_auto_detect},
    {"Count", set_count},
    line_rows::text<&GresConfig::cores>("Cores"),
    line_rows::text<&GresConfig::cores>("CPUs"),
    {"File", set_files},
    line_rows::no_effect<GresConfig>("MultipleFiles", "each file is a device of its own"),
    {"Flags", set_flags},
    {"Link", set_links},
    {"Links", set_links},
    line_rows::text<&GresConfig::name>("Name"),
    line_rows::text<&GresConfig::node_names>("NodeName"),
    line_rows::text<&GresConfig::type>("Type"),
};

}  // namespace

std::span<const LineKey<GresConfig>> gres_line_keys() {
  return kKeys;
}

}  // namespace grappe
