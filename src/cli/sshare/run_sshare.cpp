#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "cli/accounts.h"
#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/sshare/sshare.h"

namespace grappe {
namespace {

struct SshareColumns {
  std::vector<const SshareField*> fields;
  std::vector<ReportColumn> columns;
};

Result<SshareColumns> columns_of(const std::string& format) {
  const std::span<const SshareField> all = sshare_fields();
  SshareColumns chosen;
  for (const ReportWord& word : parse_report_format(format)) {
    const int found =
        find_report_field(word.name, all.size(), [&](size_t i) { return all[i].name; });
    if (found < 0) return fail(fmt::format("Invalid field requested: \"{}\"", word.name));
    const SshareField& field = all[static_cast<size_t>(found)];
    chosen.fields.push_back(&field);
    chosen.columns.push_back({std::string(field.name), word.width_or(field.width)});
  }
  return chosen;
}

std::string default_format(const SshareOptions& options, v1::SharesResponse::Rule rule) {
  std::string out = "Account,User";
  if (options.partitions) out += ",Partition";
  out += ",RawShares,NormShares,RawUsage";
  if (options.long_form) out += ",NormUsage";
  out += ",EffectvUsage,FairShare";
  if (!options.long_form) return out;
  if (rule == v1::SharesResponse::FAIR_TREE) out += ",LevelFS";
  return out + ",GrpTRESMins,TRESRunMins";
}

template <class Names>
void say_names(const char* what, const Names& names) {
  fmt::print(stderr, "{} requested:\n", what);
  for (const std::string& name : names) fmt::print(stderr, "\t: {}\n", name);
  if (names.empty()) fmt::print(stderr, "\t: all\n");
}

uint32_t top_of(const v1::SharesResponse& answer) {
  uint32_t top = UINT32_MAX;
  for (const v1::ShareInfo& share : answer.shares()) top = std::min(top, share.depth());
  return top;
}

}  // namespace

int sshare(SshareOptions options, const std::string& me, Calls& calls) {
  const Report report("sshare");
  if (!knows_clusters(calls, options.clusters, report)) return 1;
  if (options.request.users().empty() && !options.all_users) options.request.add_users(me);
  if (options.verbosity) {
    say_names("Users", options.request.users());
    say_names("Accounts", options.request.accounts());
  }
  auto answer = calls.call<v1::SharesResponse>("Shares/List", options.request);
  if (!answer) {
    report.error(answer.error());
    return 1;
  }
  auto chosen =
      columns_of(options.format.empty() ? default_format(options, answer->rule()) : options.format);
  if (!chosen) {
    report.error(chosen.error());
    return 1;
  }
  Output output;
  if (!options.clusters.empty()) output.text() += "CLUSTER: " + answer->cluster() + "\n";
  if (!options.no_header) append_report_titles(output.text(), chosen->columns, options.style);
  const SshareContext context{*answer, top_of(*answer), !options.users_only};
  for (const v1::ShareInfo& share : answer->shares()) {
    if (options.users_only && share.user().empty()) continue;
    std::vector<std::string> values;
    for (const SshareField* field : chosen->fields) values.push_back(field->value(share, context));
    append_report_row(output.text(), chosen->columns, values, options.style);
    output.row_done();
  }
  return 0;
}

int run_sshare(int argc, char** argv) {
  SshareOptions options;
  if (auto exit = read_sshare_options(argc, argv, options)) return *exit;
  const auto me = find_account(getuid());
  ServiceCalls calls;
  return sshare(std::move(options), me ? me->name : std::to_string(getuid()), calls);
}

}  // namespace grappe
