// Any text at all is a configuration or a failure, never a crash; what was read can be shown.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/config_node_lines.h"
#include "model/config_parse.h"
#include "model/config_show.h"

namespace {

void exercise(const grappe::Result<grappe::ParsedConfig>& parsed) {
  if (!parsed) return;
  grappe::show_config(parsed->config, {});
  grappe::show_cgroup_config(parsed->config.cgroup);
  for (const grappe::NodeConfig& node : parsed->config.nodes) {
    std::string warning;
    grappe::complete_topology(node, warning);
  }
}

}  // namespace

// The first byte says which of the three files the rest is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view start = text.substr(0, text.size() / 2);
  const grappe::ReadInclude include = [&](const std::string&) -> grappe::Result<std::string> {
    return std::string(start);
  };
  switch (data[0] % 8) {
    case 0:
      exercise(grappe::parse_slurm_conf("", text, ""));
      break;
    case 1:
      exercise(grappe::parse_slurm_conf("", "", text));
      break;
    default:
      exercise(grappe::parse_slurm_conf(text, "", "", include));
  }
  return 0;
}
