#include "cli/cluster_name.h"

#include <fmt/core.h>

#include "base/text.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe {

Result<std::string> cluster_name(Calls& calls, std::string_view names) {
  auto pong = calls.call<v1::PingResponse>("Cluster/Ping", v1::Empty());
  if (!pong) return tl::unexpected<Error>(pong.error());
  Error error;
  for (std::string_view name : split_words(names, ",")) {
    if (name == "all" || name == pong->cluster()) return pong->cluster();
    error.notes.push_back(fmt::format("No cluster '{}' known by database.", name));
  }
  error.message = fmt::format(
      "'{}' can't be reached now, or it is an invalid entry for --cluster.  Use 'sacctmgr list "
      "clusters' to see available clusters.",
      names);
  return tl::unexpected<Error>(error);
}

Status check_cluster_name(Calls& calls, std::string_view names) {
  auto ours = cluster_name(calls, names);
  if (!ours) return tl::unexpected<Error>(ours.error());
  return {};
}

bool knows_clusters(Calls& calls, std::string_view names, const Report& report) {
  if (names.empty()) return true;
  const Status known = check_cluster_name(calls, names);
  if (!known) report.error(known.error());
  return known.has_value();
}

}  // namespace grappe
