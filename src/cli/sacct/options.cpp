#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/datetime.h"
#include "base/duration.h"
#include "base/text.h"
#include "cli/accounts.h"
#include "cli/docs/option_tables.h"
#include "cli/report.h"
#include "cli/sacct/sacct.h"
#include "model/job_state.h"

namespace grappe {
namespace {

using Opt = SacctOptions;

constexpr std::string_view kFormat = "jobid,jobname,partition,account,alloccpus,state,exitcode";
constexpr std::string_view kBrief = "jobid,state,exitcode";
constexpr std::string_view kLong =
    "jobid,jobidraw,jobname,partition,maxvmsize,maxvmsizenode,maxvmsizetask,avevmsize,maxrss,"
    "maxrssnode,maxrsstask,averss,maxpages,maxpagesnode,maxpagestask,avepages,mincpu,mincpunode,"
    "mincputask,avecpu,ntasks,alloccpus,elapsed,state,exitcode,avecpufreq,reqcpufreqmin,"
    "reqcpufreqmax,reqcpufreqgov,reqmem,consumedenergy,maxdiskread,maxdiskreadnode,"
    "maxdiskreadtask,avediskread,maxdiskwrite,maxdiskwritenode,maxdiskwritetask,avediskwrite,"
    "reqtres,alloctres,tresusageinave,tresusageinmax,tresusageinmaxnode,tresusageinmaxtask,"
    "tresusageinmin,tresusageinminnode,tresusageinmintask,tresusageintot,tresusageoutmax,"
    "tresusageoutmaxnode,tresusageoutmaxtask,tresusageoutave,tresusageouttot";

Status explained() {
  return tl::unexpected<Error>(Error{1, "", {}});
}

Status fatal(std::string_view text) {
  Report("sacct").fatal(text);
  return explained();
}

template <class List>
void add_words(List* list, std::string_view text) {
  for (std::string_view word : split_words(text, ",")) list->Add(std::string(word));
}

Status list_fields(Opt& o, Value) {
  o.list_fields = true;
  return {};
}

// A row that adds the words of its list to a filter.
#define LIST(member)                                \
  [](Opt& o, Value v) {                             \
    add_words(o.filter.mutable_##member(), v.text); \
    return Status();                                \
  }
#define FLAG(statement) \
  [](Opt& o, Value) {   \
    statement;          \
    return Status();    \
  }

Status set_users(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    const std::string name(word);
    auto account = find_account(name);
    auto number = parse_uint(word, UINT32_MAX - 1);
    if (!account && !number) return fail("Invalid user id: " + name);
    o.filter.add_uids(account ? account->uid : static_cast<uint32_t>(*number));
  }
  return {};
}

Status set_groups(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    auto group = find_group(std::string(word));
    auto number = parse_uint(word, UINT32_MAX - 1);
    if (!group && !number) return fail("Invalid group id: " + std::string(word));
    o.filter.add_gids(group ? *group : static_cast<uint32_t>(*number));
  }
  return {};
}

Status set_jobs(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    auto wish = parse_sacct_wish(word);
    if (!wish) return fatal(wish.error().message);
    *o.filter.add_jobs() = wish->job;
    o.wishes.push_back(std::move(*wish));
  }
  return {};
}

// The history knows how a job went, and none of what it passes through: COMPLETING, CONFIGURING...
bool is_accounted(uint32_t state) {
  constexpr uint32_t kAccountedFlags = kStateRequeued | kStateResizing | kStateRevoked;
  return !(state & ~kStateBaseMask) || (state & kAccountedFlags);
}

Status set_states(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    auto state = parse_job_state(word);
    if (!state) return fatal(fmt::format("unrecognized job state value '{}'", word));
    if (!is_accounted(*state)) {
      return fatal(fmt::format("job state {} is not supported / accounted", word));
    }
    o.filter.add_states(*state);
  }
  return {};
}

// "2", "2-4": with one number, exactly so many.
Status set_range(v1::Range& range, std::string_view text, std::string_view what) {
  const size_t dash = text.find('-');
  auto least = parse_uint(text.substr(0, dash), UINT32_MAX);
  auto most =
      dash == std::string_view::npos ? least : parse_uint(text.substr(dash + 1), UINT32_MAX);
  if (!least || !most) return fatal(fmt::format("Invalid {} specification: {}", what, text));
  range.set_least(static_cast<uint32_t>(*least));
  range.set_most(static_cast<uint32_t>(*most));
  return {};
}

Result<uint32_t> limit_of(std::string_view text) {
  auto seconds = parse_duration(text);
  if (!seconds) {
    fatal("Invalid time limit specification");
    return tl::unexpected<Error>(explained().error());
  }
  return minutes_rounded_up(*seconds);
}

Status set_units(Opt& o, Value v) {
  constexpr std::string_view kLetters = "KMGTP";
  const size_t at = v.text.size() == 1 ? kLetters.find(v.text[0]) : std::string_view::npos;
  if (at == std::string_view::npos) {
    Report("sacct").error(
        fmt::format("Invalid unit type '{}'. Possible options are 'KMGTP'", v.text));
    return fatal("Invalid unit type");
  }
  o.unit = static_cast<Unit>(at + 1);
  return {};
}

Status set_flags(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    if (iequals(word, "SchedMain") || iequals(word, "SchedSubmit")) {
      o.filter.add_schedulers("Main");
    } else if (iequals(word, "SchedBackfill")) {
      o.filter.add_schedulers("Backfill");
    } else {
      return fail(fmt::format("str_2_job_flags: Invalid job flag {}", word));
    }
  }
  return {};
}

Status set_associations(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    auto id = parse_uint(word, UINT32_MAX);
    if (!id) return fatal(fmt::format("Invalid association id: {}", word));
    o.filter.add_assoc_ids(static_cast<uint32_t>(*id));
  }
  return {};
}

Status set_hetjob(Opt&, Value v) {
  if (!v.given || iequals(v.text, "yes") || iequals(v.text, "no")) return {};
  return fail(fmt::format("Invalid --whole-hetjob value \"{}\". Valid values: [yes|no].", v.text));
}

// A later -o adds its columns to those of an earlier one.
Status set_format(Opt& o, Value v) {
  o.format += (o.format.empty() ? "" : ",") + std::string(v.text);
  return {};
}

void show_fields() {
  std::string out;
  int column = 0;
  for (const SacctField& field : sacct_fields()) {
    if (!field.listed) continue;
    if (column) out += column % 4 ? " " : "\n";
    out += fmt::format("{:<19}", field.name);
    ++column;
  }
  std::puts(out.c_str());
}

constexpr CommandHelp kSacct{.name = "sacct",
                             .operands = "",
                             .purpose = "show past jobs",
                             .brief_usage = "sacct [options]",
                             .points_to_help = false};

constexpr Option<Opt> kOptions[] = {
    {"accounts", 'A', Arg::required, "", "accounts", "jobs of these accounts", LIST(accounts)},
    {"allclusters", 'L', Arg::none, "", "", "jobs of all clusters", FLAG(o.clusters = "all")},
    {"allocations", 'X', Arg::none, "", "", "jobs without their steps",
     FLAG(o.allocations_only = true)},
    {"allusers", 'a', Arg::none, "", "", "jobs of all users", FLAG(o.all_users = true)},
    {"associations", 'x', Arg::required, "", "ids", "jobs of these associations", set_associations},
    {"batch-script", 'B', Arg::none, "", "", "the script of the jobs given with -j",
     FLAG(o.batch_script = true)},
    {"brief", 'b', Arg::none, "", "", "only id, state and exit code", FLAG(o.format = kBrief)},
    {"clusters", 'M', Arg::required, "SLURM_CLUSTERS", "names", "clusters to ask",
     [](Opt& o, Value v) {
       o.clusters = v.text;
       return Status();
     }},
    {"completion", 'c', Arg::none, "", "", "", nullptr,
     "there is no log of ended jobs beside the database"},
    {"constraints", 'C', Arg::required, "", "features", "jobs that asked for all of these",
     LIST(constraints)},
    {"delimiter", 0, Arg::required, "", "characters", "what stands between fields of -p and -P",
     [](Opt& o, Value v) {
       o.style.delimiter = v.text;
       return Status();
     }},
    {"duplicates", 'D', Arg::none, "", "", "earlier runs of requeued jobs too",
     FLAG(o.filter.set_duplicates(true))},
    {"endtime", 'E', Arg::required, "", "time", "jobs until then",
     [](Opt& o, Value v) {
       o.end = v.text;
       return Status();
     }},
    {"env-vars", 0, Arg::none, "", "", "the environment of the jobs given with -j",
     FLAG(o.environment = true)},
    {"federation", 0, Arg::none, "SACCT_FEDERATION", "", "federated jobs too: there are none",
     FLAG((void)o)},
    {"file", 'f', Arg::required, "", "", "", nullptr,
     "there is no log of ended jobs beside the database"},
    {"flags", 'F', Arg::required, "", "flags", "jobs started by SchedMain, SchedBackfill",
     set_flags},
    {"fields", 0, Arg::required, "", "", "", set_format},
    {"format", 'o', Arg::required, "", "fields", "what to show: \"jobid,state%20,maxrss\"",
     set_format},
    {"gid", 'g', Arg::required, "", "groups", "jobs of these groups", set_groups},
    {"group", 0, Arg::required, "", "", "", set_groups},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"help-fields", 0, Arg::none, "", "", "", list_fields},
    {"helpformat", 'e', Arg::none, "", "", "list the fields", list_fields},
    {"jobs", 'j', Arg::required, "", "jobs", "these jobs and steps: 12,13_2,14.batch", set_jobs},
    {"json", 0, Arg::none, "", "", "everything of these jobs, as JSON", FLAG(o.json = true)},
    {"local", 0, Arg::none, "SACCT_LOCAL", "", "jobs of this cluster only", FLAG((void)o)},
    {"long", 'l', Arg::none, "", "", "many columns", FLAG(o.format = kLong)},
    {"name", 0, Arg::required, "", "names", "jobs with these names", LIST(names)},
    {"ncpus", 'I', Arg::required, "", "least[-most]", "jobs with so many CPUs",
     [](Opt& o, Value v) { return set_range(*o.filter.mutable_num_cpus(), v.text, "cpu count"); }},
    {"nnodes", 'i', Arg::required, "", "least[-most]", "jobs with so many nodes",
     [](Opt& o, Value v) {
       return set_range(*o.filter.mutable_num_nodes(), v.text, "node count");
     }},
    {"noconvert", 0, Arg::none, "", "", "amounts in their own unit", FLAG(o.convert = false)},
    {"nodelist", 'N', Arg::required, "", "hostlist", "jobs on these nodes",
     [](Opt& o, Value v) {
       o.node_list = v.text;
       return Status();
     }},
    {"noheader", 'n', Arg::none, "", "", "no titles", FLAG(o.no_header = true)},
    {"parsable", 'p', Arg::none, "", "", "fields between bars, one at the end",
     FLAG(o.style.kind = ReportStyle::kBars)},
    {"parsable2", 'P', Arg::none, "", "", "fields between bars",
     FLAG(o.style.kind = ReportStyle::kBarsBetween)},
    {"partition", 'r', Arg::required, "", "partitions", "jobs in these partitions",
     LIST(partitions)},
    {"qos", 'q', Arg::required, "", "names", "jobs with these QoS", LIST(qos)},
    {"reason", 'R', Arg::required, "", "reasons", "jobs that waited for one of these",
     LIST(reasons)},
    {"starttime", 'S', Arg::required, "", "time", "jobs from then on",
     [](Opt& o, Value v) {
       o.start = v.text;
       return Status();
     }},
    {"state", 's', Arg::required, "", "states", "jobs that were in one of these states",
     set_states},
    {"timelimit-max", 'K', Arg::required, "", "time", "the longest time limit",
     [](Opt& o, Value v) {
       auto limit = limit_of(v.text);
       if (!limit) return Status(tl::unexpected<Error>(limit.error()));
       o.most_limit = *limit;
       return Status();
     }},
    {"timelimit-min", 'k', Arg::required, "", "time", "the time limit, or the shortest",
     [](Opt& o, Value v) {
       auto limit = limit_of(v.text);
       if (!limit) return Status(tl::unexpected<Error>(limit.error()));
       o.least_limit = *limit;
       return Status();
     }},
    {"truncate", 'T', Arg::none, "", "", "times within the window", FLAG(o.truncate = true)},
    {"uid", 'u', Arg::required, "", "users", "jobs of these users", set_users},
    {"units", 0, Arg::required, "", "K|M|G|T|P", "amounts in this unit", set_units},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"use-local-uid", 0, Arg::none, "", "", "numbers of users as this machine knows them",
     FLAG((void)o)},
    {"user", 0, Arg::required, "", "", "", set_users},
    {"verbose", 'v', Arg::none, "", "", "say more", FLAG(++o.verbosity)},
    {"version", 'V', Arg::none, "", "", "show the version"},
    {"wckeys", 'W', Arg::required, "", "keys", "jobs with these workload keys", LIST(wckeys)},
    {"whole-hetjob", 0, Arg::optional, "", "yes|no", "all parts of a heterogeneous job: none here",
     set_hetjob},
    {"yaml", 0, Arg::none, "", "", "", nullptr, "the history is not written as YAML"},
};

}  // namespace

Result<SacctWish> parse_sacct_wish(std::string_view text) {
  SacctWish wish;
  const size_t dot = text.find('.');
  const std::string_view job = text.substr(0, dot);
  const size_t bar = job.find('_');
  auto id = parse_uint(job.substr(0, bar), UINT32_MAX);
  if (!id || *id == 0) return fail(fmt::format("Bad job/step specified: {}", text));
  wish.job.set_job_id(static_cast<uint32_t>(*id));
  if (bar != std::string_view::npos) {
    auto task = parse_uint(job.substr(bar + 1), UINT32_MAX);
    if (!task) return fail(fmt::format("Bad job array element specified: {}", *id));
    wish.job.set_array_task_id(static_cast<uint32_t>(*task));
  }
  if (dot != std::string_view::npos) {
    wish.step = std::string(text.substr(dot + 1));
    const bool named = wish.step == "batch" || wish.step == "extern" || wish.step == "interactive";
    if (!named && !parse_uint(wish.step, UINT32_MAX)) {
      return fail(fmt::format("Bad step specified: {}", *id));
    }
  }
  return wish;
}

Result<SacctWindow> sacct_window(const SacctOptions& o, int64_t now) {
  const bool by_job = !o.filter.jobs().empty(), by_state = !o.filter.states().empty();
  SacctWindow window;
  auto read = [&](const std::string& text, int64_t& into) -> Status {
    auto time = parse_datetime(text, now, true);
    if (!time) return tl::unexpected<Error>(time.error());
    into = *time;
    return {};
  };
  if (o.start) {
    if (Status ok = read(*o.start, window.start); !ok) return tl::unexpected<Error>(ok.error());
  } else if (!by_job) {
    window.start = by_state ? now : *parse_datetime("today", now, true);
  }
  if (o.end) {
    if (Status ok = read(*o.end, window.end); !ok) return tl::unexpected<Error>(ok.error());
  } else {
    window.end = by_state && o.start ? window.start : now;
  }
  if (window.start > window.end) {
    return fail(fmt::format("sacct: error: Start time ({}) requested is after end time ({}).",
                            format_datetime(window.start), format_datetime(window.end)));
  }
  // What is looked for is in a window that is no moment.
  if (window.end <= window.start) window.end = window.start + 1;
  return window;
}

std::optional<int> read_sacct_options(int argc, char** argv, SacctOptions& options) {
  Parsed parsed = read_options(kSacct, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  if (options.list_fields) {
    show_fields();
    return 0;
  }
  Report report("sacct");
  if (parsed.first_operand < argc) {
    report.error("Unknown arguments:");
    for (int i = parsed.first_operand; i < argc; ++i) report.error(" " + std::string(argv[i]));
    return 1;
  }
  if (options.batch_script && options.filter.jobs().empty()) {
    report.fatal(
        "When requesting job scripts you must also request specific jobs with the '-j' option.");
    return 1;
  }
  if (options.environment && options.filter.jobs().empty()) {
    report.fatal(
        "When requesting environment variables you must also request specific jobs with the '-j' "
        "option.");
    return 1;
  }
  if (options.format.empty()) {
    const char* chosen = std::getenv("SACCT_FORMAT");
    options.format = chosen && *chosen ? chosen : kFormat;
  }
  if (options.least_limit) {
    options.filter.mutable_time_limit()->set_least(*options.least_limit);
    options.filter.mutable_time_limit()->set_most(
        options.most_limit.value_or(*options.least_limit));
  }
  return std::nullopt;
}

OptionTable sacct_table() {
  return {kSacct, bare_options(kOptions)};
}

}  // namespace grappe
