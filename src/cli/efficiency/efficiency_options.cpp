// The command lines of seff, `grappe job` and `grappe jobs`.
#include <fmt/core.h>

#include "base/text.h"
#include "cli/accounts.h"
#include "cli/command.h"
#include "cli/docs/option_tables.h"
#include "cli/efficiency/find_jobs.h"
#include "cli/efficiency/job_report.h"
#include "cli/efficiency/seff.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "model/job_state.h"

namespace grappe {
namespace {

struct SeffOptions {
  bool raw = false;
};
constexpr CommandHelp kSeff{
    .name = "seff", .operands = "JOBID", .purpose = "what an ended job used of what it had"};
constexpr Option<SeffOptions> kSeffOptions[] = {
    {"debug", 'd', Arg::none, "", "", "the figures behind it too",
     [](SeffOptions& o, Value) {
       o.raw = true;
       return Status();
     }},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'v', Arg::none, "", "", "show the version"},
};

constexpr CommandHelp kJob{.name = "grappe job",
                           .operands = "JOBID...",
                           .purpose = "what a job used of what it asked for, and what to ask for"};
constexpr Option<SeffOptions> kJobOptions[] = {
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

Status set_user(JobsOptions& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    auto account = find_account(std::string(word));
    auto number = parse_uint(word, UINT32_MAX - 1);
    if (!account && !number) return fail("Invalid user id: " + std::string(word));
    o.filter.add_uids(account ? account->uid : static_cast<uint32_t>(*number));
  }
  return {};
}

Status set_state(JobsOptions& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    auto state = parse_job_state(word);
    if (!state) return fail(fmt::format("unrecognized job state value '{}'", word));
    o.filter.add_states(*state);
  }
  return {};
}

#define FLAG(statement)       \
  [](JobsOptions& o, Value) { \
    statement;                \
    return Status();          \
  }

constexpr CommandHelp kJobs{.name = "grappe jobs",
                            .operands = "[JOBID...]",
                            .purpose = "what jobs used of what they asked for, a line each"};
constexpr Option<JobsOptions> kJobsOptions[] = {
    {"since", 'S', Arg::required, "", "time", "jobs from then on (a week ago)",
     [](JobsOptions& o, Value v) {
       o.since = v.text;
       return Status();
     }},
    {"until", 'E', Arg::required, "", "time", "jobs until then",
     [](JobsOptions& o, Value v) {
       o.until = v.text;
       return Status();
     }},
    {"user", 'u', Arg::required, "", "users", "jobs of these users", set_user},
    {"allusers", 'a', Arg::none, "", "", "jobs of all users", FLAG(o.all_users = true)},
    {"state", 's', Arg::required, "", "states", "jobs that were in one of these states", set_state},
    {"noheader", 'n', Arg::none, "", "", "no titles", FLAG(o.no_header = true)},
    {"parsable2", 'P', Arg::none, "", "", "fields between bars",
     FLAG(o.style.kind = ReportStyle::kBarsBetween)},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

}  // namespace

int run_seff(int argc, char** argv) {
  SeffOptions options;
  Parsed parsed = parse_options(kSeff, kSeffOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  if (argc - parsed.first_operand != 1) {
    Report("seff").error("the number of one job is needed: seff JOBID");
    return 1;
  }
  ServiceCalls calls;
  return seff(argv[parsed.first_operand], options.raw, calls);
}

int run_job(int argc, char** argv) {
  SeffOptions options;
  Report report("grappe");
  Parsed parsed = parse_options(kJob, kJobOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  if (parsed.first_operand == argc) {
    report.error("the number of a job is needed: grappe job JOBID");
    return 1;
  }
  ServiceCalls calls;
  auto found = find_jobs(calls, {argv + parsed.first_operand, argv + argc});
  if (!found) {
    report.error(found.error());
    return 1;
  }
  if (found->jobs().empty()) {
    report.error("Invalid job id specified");
    return 1;
  }
  Output output;
  for (const v1::JobRecord& job : found->jobs()) {
    output.text() += job_report_text(job, found->now());
  }
  return 0;
}

int run_jobs(int argc, char** argv) {
  JobsOptions options;
  Parsed parsed = parse_options(kJobs, kJobsOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  options.ids.assign(argv + parsed.first_operand, argv + argc);
  ServiceCalls calls;
  return jobs_report(std::move(options), calls);
}

OptionTable seff_table() {
  return {kSeff, bare_options(kSeffOptions)};
}

}  // namespace grappe
