// sdiag: what the service counts about itself.
#include <cstdio>
#include <string>

#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_table.h"
#include "cli/report.h"
#include "cli/sdiag/sdiag_text.h"

namespace grappe {
namespace {

struct SdiagOptions {
  CallOrder order = CallOrder::kByCount;
  bool reset = false;
  std::string clusters;
};

constexpr CommandHelp kSdiag{
    .name = "sdiag", .operands = "", .purpose = "what the service counts about itself"};

template <CallOrder kOrder>
Status set_order(SdiagOptions& o, Value) {
  o.order = kOrder;
  return {};
}

Status set_clusters(SdiagOptions& o, Value v) {
  o.clusters = v.text;
  return {};
}

constexpr Option<SdiagOptions> kOptions[] = {
    {"all", 'a', Arg::none, "", "", "print everything (the default)",
     [](SdiagOptions& o, Value) {
       o.reset = false;
       return Status();
     }},
    {"reset", 'r', Arg::none, "", "", "set the counters to zero (root only)",
     [](SdiagOptions& o, Value) {
       o.reset = true;
       return Status();
     }},
    {"cluster", 'M', Arg::required, "SLURM_CLUSTERS", "name", "the cluster to speak to",
     set_clusters},
    {"clusters", 0, Arg::required, "", "", "", set_clusters},
    {"sort-by-id", 'i', Arg::none, "", "", "sort the calls by their number",
     set_order<CallOrder::kById>},
    {"sort-by-time", 't', Arg::none, "", "", "sort the calls by the time they took in all",
     set_order<CallOrder::kByTotalTime>},
    {"sort-by-time2", 'T', Arg::none, "", "", "sort the calls by the time one takes",
     set_order<CallOrder::kByMeanTime>},
    {"version", 'V', Arg::none, "", "", "print the version and exit"},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show every option in a few lines"},
};

}  // namespace

int run_sdiag(int argc, char** argv) {
  SdiagOptions options;
  Parsed parsed = read_options(kSdiag, kOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  ServiceCalls calls;
  if (!knows_clusters(calls, options.clusters, Report("sdiag"))) return 1;
  v1::DiagRequest request;
  request.set_reset(options.reset);
  auto diag = calls.call<v1::DiagResponse>("Cluster/Diag", request);
  if (!diag) {
    const char* what = options.reset ? "slurm_reset_statistics" : "slurm_get_statistics";
    std::fprintf(stderr, "%s: %s\n", what, diag.error().message.c_str());
    return 255;
  }
  if (options.reset) {
    std::puts("Reset scheduling statistics");
    return 0;
  }
  std::string text = sdiag_text(*diag, options.order);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

OptionTable sdiag_table() {
  return {kSdiag, bare_options(kOptions)};
}

}  // namespace grappe
