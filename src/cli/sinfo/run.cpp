// sinfo: the partitions and nodes of the cluster.
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "base/text.h"
#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/format/timestamp.h"
#include "cli/report.h"
#include "cli/sinfo/node_json.h"
#include "cli/sinfo/sinfo.h"
#include "client/client.h"

namespace grappe {
namespace {

// These come without the name of the command in Slurm.
int load_failed(const Error& error, const char* what) {
  for (const std::string& note : error.notes) std::fprintf(stderr, "%s\n", note.c_str());
  std::fprintf(stderr, "%s: %s\n", what, error.message.c_str());
  return 1;
}

int print_json(Client& client) {
  auto nodes = client.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) return load_failed(nodes.error(), "slurm_load_node");
  Output output;
  append_nodes_json(output.text(), *nodes);
  return 0;
}

int report_once(Client& client, const SinfoOptions& options, const std::string& cluster) {
  Output output;
  bool dated = options.iterate_s || options.verbosity || options.long_output;
  if (dated && !options.no_header) append_date_line(output.text(), std::time(nullptr));
  if (options.clusters && !options.no_header) output.text() += "CLUSTER: " + cluster + "\n";
  if (options.reservations) {
    auto answer =
        client.call<v1::ReservationsResponse>("Cluster/Reservations", v1::ReservationsRequest());
    if (!answer) return load_failed(answer.error(), "slurm_load_reservations");
    print_reservations(*answer, options, output);
    return 0;
  }
  v1::PartitionsRequest request;
  // Root sees hidden partitions without asking, as everywhere in Slurm.
  request.set_all(options.all_partitions || geteuid() == 0 || options.partitions.has_value());
  auto partitions = client.call<v1::PartitionsResponse>("Cluster/Partitions", request);
  if (!partitions) return load_failed(partitions.error(), "slurm_load_partitions");
  auto nodes = client.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) return load_failed(nodes.error(), "slurm_load_node");
  print_nodes(*nodes, *partitions, options, output);
  return 0;
}

int sinfo(const SinfoOptions& options) {
  auto client = Client::connect(socket_path());
  if (!client) return load_failed(client.error(), "slurm_load_partitions");
  if (options.json) return print_json(*client);
  std::string cluster;
  if (options.clusters) {
    auto name = check_clusters(*client, *options.clusters);
    if (!name) {
      Report("sinfo").error(name.error());
      return 1;
    }
    cluster = *name;
  }
  for (;;) {
    int code = report_once(*client, options, cluster);
    if (!options.iterate_s) return code;
    std::fputs("\n", stdout);
    std::fflush(stdout);
    sleep(options.iterate_s);
  }
}

}  // namespace

int run_sinfo(int argc, char** argv) {
  SinfoOptions options;
  if (auto exit = read_sinfo_options(argc, argv, options)) return *exit;
  if (options.verbosity) {
    std::string text = describe_options(options);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  return sinfo(options);
}

}  // namespace grappe
