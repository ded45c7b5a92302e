// `grappe check`: looks for settings that can't work as they were meant.
#include <fmt/core.h>

#include "cli/calls.h"
#include "cli/check/policy.h"
#include "cli/command.h"
#include "cli/docs/option_tables.h"
#include "cli/format/output.h"
#include "cli/report.h"

namespace grappe {
namespace {

struct NoOptions {};
constexpr CommandHelp kCheck{
    .name = "grappe check",
    .operands = "",
    .purpose = "settings of priority, limits and partitions that can't work"};
constexpr Option<NoOptions> kCheckOptions[] = {
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

template <class Response>
Status ask(Calls& calls, const char* method, const google::protobuf::MessageLite& request,
           Response& out) {
  auto answer = calls.call<Response>(method, request);
  if (!answer) return tl::unexpected<Error>(answer.error());
  out = std::move(*answer);
  return {};
}

Result<SitePolicy> read_policy(Calls& calls) {
  SitePolicy out;
  v1::BooksRequest books;
  books.set_associations(true);
  books.set_qos(true);
  v1::ConfigResponse config;
  Status done = ask(calls, "Cluster/Config", v1::ConfigRequest(), config);
  if (done) done = ask(calls, "Cluster/Partitions", v1::PartitionsRequest(), out.partitions);
  if (done) done = ask(calls, "Cluster/Nodes", v1::NodesRequest(), out.nodes);
  if (done) done = ask(calls, "Books/List", books, out.books);
  if (!done) return tl::unexpected<Error>(done.error());
  for (const v1::Setting& setting : config.settings()) {
    out.config[setting.key()] = setting.value();
  }
  return out;
}

}  // namespace

int run_check(int argc, char** argv) {
  NoOptions options;
  Parsed parsed = parse_options(kCheck, kCheckOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  if (Status none = no_operands(parsed, argc, argv); !none) {
    Report("grappe check").error(none.error());
    return 2;
  }
  ServiceCalls calls;
  auto policy = read_policy(calls);
  if (!policy) {
    Report("grappe check").error(policy.error());
    return 2;
  }
  const std::vector<Finding> findings = check_policy(*policy);
  Output output;
  for (const Finding& finding : findings) {
    output.text() += fmt::format("- {}\n  {}\n", finding.what, finding.remedy);
  }
  if (findings.empty()) output.text() += "Nothing found that can't work.\n";
  return findings.empty() ? 0 : 1;
}

}  // namespace grappe
