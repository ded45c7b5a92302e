#include <fmt/core.h>

#include <cstdio>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_table.h"
#include "cli/sshare/sshare.h"

namespace grappe {
namespace {

using Opt = SshareOptions;

#define FLAG(statement) \
  [](Opt& o, Value) {   \
    statement;          \
    return Status();    \
  }

Status set_accounts(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) o.request.add_accounts(to_lower(word));
  return {};
}

Status set_users(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) o.request.add_users(to_lower(word));
  return {};
}

Status set_columns(Opt& o, Value v) {
  o.format += (o.format.empty() ? "" : ",") + std::string(v.text);
  return {};
}

Status set_clusters(Opt& o, Value v) {
  o.clusters = v.text;
  return {};
}

constexpr CommandHelp kSshare{
    .name = "sshare", .operands = "", .purpose = "show shares and what was used of them"};

constexpr Option<Opt> kOptions[] = {
    {"accounts", 'A', Arg::required, "", "names", "only these accounts", set_accounts},
    {"all", 'a', Arg::none, "", "", "all users, not only oneself", FLAG(o.all_users = true)},
    {"clusters", 'M', Arg::required, "SLURM_CLUSTERS", "names", "the clusters to ask",
     set_clusters},
    {"cluster", 0, Arg::required, "", "", "", set_clusters},
    {"format", 'o', Arg::required, "", "fields", "what to show: \"account,user%12,levelfs\"",
     set_columns},
    {"help", 0, Arg::none, "", "", "show this help"},
    {"helpformat", 'e', Arg::none, "", "", "list the fields", FLAG(o.list_fields = true)},
    {"long", 'l', Arg::none, "", "", "more columns", FLAG(o.long_form = true)},
    {"noheader", 'n', Arg::none, "", "", "no titles", FLAG(o.no_header = true)},
    {"parsable", 'p', Arg::none, "", "", "fields between bars, one at the end",
     FLAG(o.style.kind = ReportStyle::kBars)},
    {"parsable2", 'P', Arg::none, "", "", "fields between bars",
     FLAG(o.style.kind = ReportStyle::kBarsBetween)},
    {"partition", 'm', Arg::none, "", "", "the partition of associations that have one",
     FLAG(o.partitions = true)},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"users", 'u', Arg::required, "", "names", "only these users", set_users},
    {"Users", 'U', Arg::none, "", "", "users only, without accounts", FLAG(o.users_only = true)},
    {"verbose", 'v', Arg::none, "", "", "say what was understood", FLAG(++o.verbosity)},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

void list_fields() {
  std::string out;
  int column = 0;
  for (const SshareField& field : sshare_fields()) {
    if (column) out += column % 4 ? " " : "\n";
    out += fmt::format("{:<17}", field.name);
    ++column;
  }
  std::puts(out.c_str());
}

}  // namespace

std::optional<int> read_sshare_options(int argc, char** argv, SshareOptions& options) {
  if (auto exit = read_environment(kSshare, kOptions, options)) return exit;
  const std::string from_environment = std::exchange(options.clusters, "");
  Parsed parsed = parse_options(kSshare, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  if (options.clusters.empty()) options.clusters = from_environment;
  if (!options.list_fields) return std::nullopt;
  list_fields();
  return 0;
}

OptionTable sshare_table() {
  return {kSshare, bare_options(kOptions)};
}

}  // namespace grappe
