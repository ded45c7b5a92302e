// sacctmgr: its options, one command from the command line or many from standard input.
#include "cli/command.h"
#include "cli/command_loop.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_table.h"
#include "cli/sacctmgr/commands.h"

namespace grappe {
namespace sacctmgr {
namespace {

constexpr CommandHelp kSacctmgr{.name = "sacctmgr",
                                .operands = "[<COMMAND>]",
                                .purpose = "show and change accounts, users, QoS and limits",
                                .after_options = commands_help,
                                .brief_usage = "help"};

#define SESSION(statement) \
  [](Session& s, Value) {  \
    statement;             \
    return Status();       \
  }

constexpr Option<Session> kSacctmgrOptions[] = {
    {"associations", 's', Arg::none, "", "", "let show and list tell associations too",
     SESSION(s.associations = true)},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show every option in a few lines"},
    {"immediate", 'i', Arg::none, "", "", "commit changes immediately, without asking",
     SESSION(s.immediate = true)},
    {"noheader", 'n', Arg::none, "", "", "no header line", SESSION(s.no_header = true)},
    {"oneliner", 'o', Arg::none, "", "", "one record per line, as always", SESSION((void)s)},
    {"parsable", 'p', Arg::none, "", "", "values between bars, one at the end",
     SESSION(s.style.kind = ReportStyle::kBars)},
    {"parsable2", 'P', Arg::none, "", "", "values between bars",
     SESSION(s.style.kind = ReportStyle::kBarsBetween)},
    {"quiet", 'Q', Arg::none, "", "", "no messages but errors", SESSION(s.quiet = true)},
    {"readonly", 'r', Arg::none, "", "", "no changes", SESSION(s.readonly = true)},
    {"verbose", 'v', Arg::none, "", "", "say more", SESSION(++s.verbosity)},
    {"version", 'V', Arg::none, "", "", "display tool version number"},
};

int run(int argc, char** argv) {
  ServiceCalls calls;
  Session session(calls);
  Parsed parsed = parse_options(kSacctmgr, kSacctmgrOptions, argc, argv, session);
  if (parsed.exit_code) return *parsed.exit_code;
  const auto run = [&](Words words) { run_line(session, words); };
  run_commands({"sacctmgr", run, session.ended}, {argv + parsed.first_operand, argv + argc});
  return session.exit_code;
}

}  // namespace
}  // namespace sacctmgr

int run_sacctmgr(int argc, char** argv) {
  return sacctmgr::run(argc, argv);
}

OptionTable sacctmgr_table() {
  return {sacctmgr::kSacctmgr, bare_options(sacctmgr::kSacctmgrOptions)};
}

}  // namespace grappe
