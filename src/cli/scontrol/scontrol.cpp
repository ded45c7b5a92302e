// scontrol: its options, one command from the command line or many from standard input.
#include <fmt/core.h>

#include <cctype>
#include <cstdlib>

#include "base/text.h"
#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/command_loop.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_table.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/settings.h"

namespace grappe {
namespace scontrol {
namespace {

struct Options {
  explicit Options(Session& s) : session(s) {}
  Session& session;
  std::string clusters;
};

constexpr CommandHelp kScontrol{.name = "scontrol",
                                .operands = "[COMMAND]",
                                .purpose = "show and change jobs, nodes and partitions",
                                .after_options = commands_help};

constexpr const char* kNoFederation = "there is one cluster";

constexpr Option<Options> kOptions[] = {
    {"all", 'a', Arg::none, "SCONTROL_ALL", "", "hidden partitions too",
     [](Options& o, Value) {
       o.session.all = true;
       return Status();
     }},
    {"clusters", 'M', Arg::required, "SLURM_CLUSTERS", "name", "the cluster to speak to",
     [](Options& o, Value v) {
       o.clusters = v.text;
       return Status();
     }},
    {"cluster", 0, Arg::required, "", "name", "",
     [](Options& o, Value v) {
       o.clusters = v.text;
       return Status();
     }},
    {"details", 'd', Arg::none, "", "", "let show say more",
     [](Options& o, Value) {
       o.session.details = true;
       return Status();
     }},
    {"federation", 0, Arg::none, "SCONTROL_FEDERATION", "", "jobs of the federation", nullptr,
     kNoFederation},
    {"future", 'F', Arg::none, "SCONTROL_FUTURE", "", "nodes in state FUTURE too",
     [](Options& o, Value) {
       o.session.future = true;
       return Status();
     }},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show every option in a few lines"},
    {"hide", 0, Arg::none, "", "", "no hidden partitions",
     [](Options& o, Value) {
       o.session.all = false;
       return Status();
     }},
    {"local", 0, Arg::none, "SCONTROL_LOCAL", "", "this cluster only: there is no other",
     [](Options&, Value) { return Status(); }},
    {"oneliner", 'o', Arg::none, "", "", "one line per record",
     [](Options& o, Value) {
       o.session.one_line = true;
       return Status();
     }},
    {"quiet", 'Q', Arg::none, "", "", "no messages",
     [](Options& o, Value) {
       o.session.quiet = true;
       return Status();
     }},
    {"sibling", 0, Arg::none, "SCONTROL_SIBLING", "", "sibling jobs of the federation", nullptr,
     kNoFederation},
    {"uid", 'u', Arg::required, "", "user", "update jobs as this user",
     [](Options& o, Value v) -> Status {
       auto uid = parse_user(std::string(v.text));
       if (!uid) return fail(fmt::format("--uid=\"{}\" invalid", v.text));
       o.session.as_uid = *uid;
       return {};
     }},
    {"verbose", 'v', Arg::none, "", "", "say more",
     [](Options& o, Value) {
       o.session.verbose = true;
       return Status();
     }},
    {"version", 'V', Arg::none, "", "", "print the version and exit"},
    {"why", 0, Arg::none, "", "", "show job says after the record why it waits (not Slurm's)",
     [](Options& o, Value) {
       o.session.why = true;
       return Status();
     }},
};

int run(int argc, char** argv) {
  ServiceCalls calls;
  Session session(calls);
  Options options(session);
  Parsed parsed = read_options(kScontrol, kOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  if (!knows_clusters(calls, options.clusters, Report("scontrol"))) return 1;
  const auto run = [&](Words words) { run_line(session, words); };
  run_commands({"scontrol", run, session.ended}, {argv + parsed.first_operand, argv + argc});
  return session.exit_code;
}

}  // namespace
}  // namespace scontrol

int run_scontrol(int argc, char** argv) {
  return scontrol::run(argc, argv);
}

OptionTable scontrol_table() {
  return {scontrol::kScontrol, bare_options(scontrol::kOptions)};
}

}  // namespace grappe
