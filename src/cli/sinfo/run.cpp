// sinfo: the partitions and nodes of the cluster.
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "base/text.h"
#include "cli/calls.h"
#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/format/timestamp.h"
#include "cli/report.h"
#include "cli/run_command.h"
#include "cli/sinfo/node_json.h"
#include "cli/sinfo/sinfo.h"

namespace grappe {
namespace {

// These come without the name of the command in Slurm.
int load_failed(const Error& error, const char* what) {
  for (const std::string& note : error.notes) std::fprintf(stderr, "%s\n", note.c_str());
  std::fprintf(stderr, "%s: %s\n", what, error.message.c_str());
  return 1;
}

int print_json(Calls& calls) {
  auto nodes = calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) return load_failed(nodes.error(), "slurm_load_node");
  Output output;
  append_nodes_json(output.text(), *nodes);
  return 0;
}

int report_once(Calls& calls, const SinfoOptions& options, const std::string& cluster) {
  Output output;
  bool dated = options.iterate_s || options.verbosity || options.long_output;
  if (dated && !options.no_header) append_date_line(output.text(), std::time(nullptr));
  if (options.clusters && !options.no_header) output.text() += "CLUSTER: " + cluster + "\n";
  if (options.reservations) {
    auto answer =
        calls.call<v1::ReservationsResponse>("Cluster/Reservations", v1::ReservationsRequest());
    if (!answer) return load_failed(answer.error(), "slurm_load_reservations");
    print_reservations(*answer, options, output);
    return 0;
  }
  v1::PartitionsRequest request;
  // Root sees hidden partitions without asking, as everywhere in Slurm.
  request.set_all(options.all_partitions || geteuid() == 0 || options.partitions.has_value());
  auto partitions = calls.call<v1::PartitionsResponse>("Cluster/Partitions", request);
  if (!partitions) return load_failed(partitions.error(), "slurm_load_partitions");
  auto nodes = calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) return load_failed(nodes.error(), "slurm_load_node");
  print_nodes(*nodes, *partitions, options, output);
  return 0;
}

}  // namespace

int sinfo(const SinfoOptions& options, Calls& calls) {
  if (options.verbosity) Output().text() += describe_options(options);
  if (options.json) return print_json(calls);
  std::string cluster;
  if (options.clusters) {
    auto name = cluster_name(calls, *options.clusters);
    if (!name) {
      Report("sinfo").error(name.error());
      return 1;
    }
    cluster = *name;
  }
  return repeat_every(options.iterate_s, [&] { return report_once(calls, options, cluster); });
}

int run_sinfo(int argc, char** argv) {
  return run_command(argc, argv, read_sinfo_options, sinfo);
}

}  // namespace grappe
