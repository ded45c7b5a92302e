#include <fmt/core.h>

#include "base/text.h"
#include "cli/accounts.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_table.h"
#include "cli/report.h"
#include "cli/sprio/sprio.h"

namespace grappe {
namespace {

using Opt = SprioOptions;

Status set_jobs(Opt& o, Value v) {
  o.jobs = v.text;
  for (std::string_view word : split_words(v.text, ",")) {
    const auto id = parse_uint(word, UINT32_MAX);
    if (!id || *id == 0) return fail(fmt::format("Invalid job id: {}", word));
    o.request.add_job_ids(static_cast<uint32_t>(*id));
  }
  return {};
}

// Names or numbers. One that nobody has is said, and has no jobs.
Status set_users(Opt& o, Value v) {
  o.by_user = true;
  o.users = v.text;
  for (std::string_view word : split_words(v.text, ",")) {
    const std::string name(word);
    const auto uid = parse_uint(word, UINT32_MAX);
    const auto account = uid ? find_account(static_cast<uid_t>(*uid)) : find_account(name);
    if (!account) Report("sprio").error("Invalid user: " + name + "\n");
    o.request.add_users(account ? account->name : name);
  }
  return {};
}

Status set_partitions(Opt& o, Value v) {
  o.partitions = v.text;
  for (std::string_view word : split_words(v.text, ","))
    o.request.add_partitions(std::string(word));
  return {};
}

#define TEXT(field)     \
  [](Opt& o, Value v) { \
    o.field = v.text;   \
    return Status();    \
  }
#define FLAG(statement) \
  [](Opt& o, Value) {   \
    statement;          \
    return Status();    \
  }

constexpr CommandHelp kSprio{
    .name = "sprio", .operands = "", .purpose = "show what the priority of jobs is made of"};

constexpr Option<Opt> kOptions[] = {
    {"clusters", 'M', Arg::required, "SLURM_CLUSTERS", "name", "the cluster to ask",
     TEXT(clusters)},
    {"cluster", 0, Arg::required, "", "", "", TEXT(clusters)},
    {"federation", 0, Arg::none, "SPRIO_FEDERATION", "", "jobs of all clusters: there is one here",
     FLAG((void)o)},
    {"format", 'o', Arg::required, "SPRIO_FORMAT", "format", "what to show: \"%.15i %.8u %.10Y\"",
     TEXT(format)},
    {"help", 0, Arg::none, "", "", "show this help"},
    {"jobs", 'j', Arg::optional, "", "ids", "only these jobs", set_jobs},
    {"local", 0, Arg::none, "SPRIO_LOCAL", "", "jobs of this cluster only", FLAG((void)o)},
    {"long", 'l', Arg::none, "", "", "all factors", FLAG(o.long_form = true)},
    {"noheader", 'h', Arg::none, "", "", "no titles", FLAG(o.no_header = true)},
    {"norm", 'n', Arg::none, "", "", "factors between 0 and 1, without their weights",
     FLAG(o.normalized = true)},
    {"partition", 'p', Arg::required, "", "names", "only these partitions", set_partitions},
    {"sibling", 0, Arg::none, "SPRIO_SIBLING", "", "a column for the cluster",
     FLAG(o.siblings = true)},
    {"sort", 'S', Arg::required, "", "letters", "the order: \"u,-y\"", TEXT(sort)},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"user", 'u', Arg::required, "", "names", "only jobs of these users", set_users},
    {"users", 0, Arg::required, "", "", "", set_users},
    {"verbose", 'v', Arg::none, "", "", "say what was understood", FLAG(++o.verbosity)},
    {"version", 'V', Arg::none, "", "", "show the version"},
    {"weights", 'w', Arg::none, "", "", "the weights instead of jobs", FLAG(o.weights = true)},
};

}  // namespace

std::optional<int> read_sprio_options(int argc, char** argv, SprioOptions& options) {
  if (auto exit = read_environment(kSprio, kOptions, options)) return exit;
  const std::string from_environment = options.format;
  Parsed parsed = parse_options(kSprio, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  // "-j 3,4" leaves its list behind.
  for (int i = parsed.first_operand; i < argc; ++i) {
    if (options.request.job_ids().empty() &&
        parse_uint(std::string_view(argv[i]).substr(0, 1), 9)) {
      if (Status set = set_jobs(options, {argv[i], true, ""}); set) continue;
    }
    Report("sprio").error(fmt::format("Unrecognized option: {}", argv[i]));
    return 1;
  }
  if (options.long_form && options.format == from_environment) options.format.clear();
  return std::nullopt;
}

OptionTable sprio_table() {
  return {kSprio, bare_options(kOptions)};
}

}  // namespace grappe
