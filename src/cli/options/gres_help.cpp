#include "cli/options/gres_help.h"

#include <cstdio>
#include <set>

#include "base/text.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe {

int list_gres(Calls& calls, const Report& report) {
  auto nodes = calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) {
    report.error(nodes.error());
    return 1;
  }
  std::set<std::string> names;
  for (const v1::NodeInfo& node : nodes->nodes()) {
    for (std::string_view entry : split(node.gres(), ',')) {
      if (!entry.empty()) names.insert(std::string(entry.substr(0, entry.find(':'))));
    }
  }
  std::puts("Valid gres options are:");
  for (const std::string& name : names) std::printf("%s[[:type]:count]\n", name.c_str());
  return 0;
}

}  // namespace grappe
