// sreport: its options, and one command from the command line or many from standard input.
#include <cstdio>

#include "base/text.h"
#include "cli/command.h"
#include "cli/command_loop.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_table.h"
#include "cli/report.h"
#include "cli/sreport/commands.h"
#include "cli/sreport/session.h"
#include "cli/sreport/tres.h"

namespace grappe {
namespace sreport {
namespace {

struct Options {
  explicit Options(Session& s) : session(s) {}
  Session& session;
  std::string tres;
};

constexpr CommandHelp kSreport{.name = "sreport",
                               .operands = "[<COMMAND>]",
                               .purpose = "report what was used, and by whom",
                               .after_options = commands_help,
                               .brief_usage = "help"};

#define FLAG(statement)   \
  [](Options& o, Value) { \
    o.session.statement;  \
    return Status();      \
  }

Status set_clusters(Options& o, Value v) {
  o.session.clusters = v.text;
  return {};
}

Status set_time(Options& o, Value v) {
  auto form = parse_time_form(v.text);
  if (!form) return tl::unexpected<Error>(unknown_time_form(v.text));
  o.session.time = *form;
  return {};
}

Status set_sort(Options& o, Value v) {
  auto by_name = parse_sort(v.text);
  if (!by_name) return tl::unexpected<Error>(by_name.error());
  o.session.by_name = *by_name;
  return {};
}

constexpr Option<Options> kOptions[] = {
    {"all_clusters", 'a', Arg::none, "", "", "all clusters: there is one", FLAG(all = true)},
    {"cluster", 'M', Arg::required, "SREPORT_CLUSTER", "names", "clusters to report on",
     set_clusters},
    {"clusters", 0, Arg::required, "", "names", "", set_clusters},
    {"federation", 0, Arg::none, "SREPORT_FEDERATION", "",
     "a report of the federation: this cluster is in none",
     [](Options&, Value) { return Status(); }},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show every option in a few lines"},
    {"local", 0, Arg::none, "SREPORT_LOCAL", "", "this cluster only: there is no other",
     FLAG(clusters.clear())},
    {"noheader", 'n', Arg::none, "", "", "no titles", FLAG(no_header = true)},
    {"parsable", 'p', Arg::none, "", "", "fields between bars, one at the end",
     FLAG(style.kind = ReportStyle::kBars)},
    {"parsable2", 'P', Arg::none, "", "", "fields between bars",
     FLAG(style.kind = ReportStyle::kBarsBetween)},
    {"quiet", 'Q', Arg::none, "", "", "only errors", FLAG(quiet = true)},
    {"sort", 's', Arg::required, "", "Time|Name", "the order of users", set_sort},
    {"", 't', Arg::required, "", "form",
     "Seconds, Minutes, Hours, Percent, SecPer, MinPer or HourPer", set_time},
    {"tres", 'T', Arg::required, "SREPORT_TRES", "names", "resources to report: cpu,gres/gpu; ALL",
     [](Options& o, Value v) {
       o.tres = v.text;
       return Status();
     }},
    {"verbose", 'v', Arg::none, "", "", "say more", FLAG(verbosity++)},
    {"version", 'V', Arg::none, "", "", "print the version and exit"},
};

int run(int argc, char** argv) {
  ServiceCalls calls;
  Session session(calls);
  Options options(session);
  Parsed parsed = read_options(kSreport, kOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  if (session.all && !session.clusters.empty()) {
    std::fputs("Only one cluster option can be used (--all_clusters OR --cluster OR --local)\n",
               stderr);
    return 1;
  }
  if (!options.tres.empty()) {
    Status known = choose_tres(session, options.tres);
    if (!known) {
      Report("sreport").fatal(known.error().message);
      return 1;
    }
  }
  const auto run = [&](Words words) { run_line(session, words); };
  const bool told =
      run_commands({"sreport", run, session.ended}, {argv + parsed.first_operand, argv + argc});
  return told ? session.exit_code : 1;
}

}  // namespace
}  // namespace sreport

int run_sreport(int argc, char** argv) {
  return sreport::run(argc, argv);
}

OptionTable sreport_table() {
  return {sreport::kSreport, bare_options(sreport::kOptions)};
}

}  // namespace grappe
