// The command line of `grappe share`.
#include "cli/calls.h"
#include "cli/command.h"
#include "cli/format/output.h"
#include "cli/options/option_table.h"
#include "cli/report.h"
#include "cli/share/share_report.h"

namespace grappe {
namespace {

struct ShareOptions {
  std::string user;
  bool everybody = false, json = false;
};

constexpr CommandHelp kShare{.name = "grappe share",
                             .operands = "[USER]",
                             .purpose = "one's place in fair share, in words and as a picture"};

constexpr Option<ShareOptions> kOptions[] = {
    {"all", 'a', Arg::none, "", "", "all users in the tree",
     [](ShareOptions& o, Value) {
       o.everybody = true;
       return Status();
     }},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"json", 0, Arg::none, "", "", "as data",
     [](ShareOptions& o, Value) {
       o.json = true;
       return Status();
     }},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

}  // namespace

int run_share(int argc, char** argv) {
  ShareOptions options;
  Parsed parsed = parse_options(kShare, kOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  const Report report("grappe");
  if (argc - parsed.first_operand > 1) {
    report.error("one user at a time: grappe share [USER]");
    return 1;
  }
  ServiceCalls calls;
  auto answer = calls.call<v1::SharesResponse>("Shares/List", v1::SharesRequest());
  if (!answer) {
    report.error(answer.error());
    return 1;
  }
  options.user = parsed.first_operand < argc ? argv[parsed.first_operand] : answer->user();
  Output output;
  output.text() = options.json ? share_json(*answer, options.user)
                               : share_text(*answer, options.user, options.everybody);
  return 0;
}

}  // namespace grappe
