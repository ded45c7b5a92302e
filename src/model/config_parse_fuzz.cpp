// Any text at all is a configuration or a failure, never a crash; what was read can be shown.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/config_node_lines.h"
#include "model/config_parse.h"
#include "model/config_show.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view start = text.substr(0, size / 2);
  const grappe::ReadInclude include = [&](const std::string&) -> grappe::Result<std::string> {
    return std::string(start);
  };
  for (auto parsed :
       {grappe::parse_slurm_conf(text, "", "", include), grappe::parse_slurm_conf("", text, ""),
        grappe::parse_slurm_conf("", "", text)}) {
    if (!parsed) continue;
    grappe::show_config(parsed->config, {});
    grappe::show_cgroup_config(parsed->config.cgroup);
    for (const grappe::NodeConfig& node : parsed->config.nodes) {
      std::string warning;
      grappe::complete_topology(node, warning);
    }
  }
  return 0;
}
