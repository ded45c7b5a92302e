#include "cli/squeue/options.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/accounts.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_help.h"
#include "cli/report.h"
#include "cli/squeue/job_fields.h"
#include "cli/squeue/sort.h"
#include "cli/squeue/step_fields.h"
#include "model/job_state.h"

namespace grappe {
namespace {

using Opt = SqueueOptions;

Wish<std::string> text_list(std::string_view text) {
  Wish<std::string> wish{true, {}};
  for (std::string_view part : split_words(text, ",")) wish.values.emplace_back(part);
  return wish;
}

std::optional<uint32_t> find_uid(const std::string& name) {
  if (const auto user = find_account(name)) return user->uid;
  auto number = parse_uint(name, UINT32_MAX - 1);
  if (!number || !find_account(static_cast<uid_t>(*number))) return std::nullopt;
  return static_cast<uint32_t>(*number);
}

// An unknown user is told and left out: the others are still listed.
Status set_users(Opt& o, Value v) {
  o.typed.users = v.text;
  o.filter.uids = {true, {}};
  for (std::string_view part : split_words(v.text, ",")) {
    if (auto uid = find_uid(std::string(part))) {
      o.filter.uids.values.push_back(*uid);
    } else {
      Report("squeue").error("Invalid user: " + std::string(part) + "\n");
    }
  }
  return {};
}

Status set_states(Opt& o, Value v) {
  o.typed.states = v.text;
  o.filter.all_states = iequals(v.text, "all");
  o.filter.states = {!o.filter.all_states, {}};
  if (o.filter.all_states) return {};
  for (std::string_view part : split_words(v.text, ",")) {
    auto state = parse_job_state(part);
    if (!state) {
      std::string valid;
      for (std::string_view name : job_state_names()) {
        valid += (valid.empty() ? "" : ",") + std::string(name);
      }
      Error error{0, "Valid job states include: " + valid + "\n", {}};
      error.notes.push_back("Invalid job state specified: " + std::string(part));
      return tl::unexpected<Error>(std::move(error));
    }
    o.filter.states.values.push_back(*state);
  }
  return {};
}

// -j without a list is every job.
Status set_jobs(Opt& o, Value v) {
  if (!v.given) return {};
  o.typed.jobs = v.text;
  o.filter.jobs = {true, {}};
  for (std::string_view part : split_ids(v.text)) {
    auto wish = parse_job_wish(part);
    if (!wish) return tl::unexpected<Error>(wish.error());
    o.filter.jobs.values.push_back(std::move(*wish));
  }
  return {};
}

Status set_steps(Opt& o, Value v) {
  o.steps = true;
  if (!v.given) return {};
  o.typed.steps = v.text;
  o.filter.steps = {true, {}};
  for (std::string_view part : split_ids(v.text)) {
    auto wish = parse_step_wish(part);
    if (!wish) return tl::unexpected<Error>(wish.error());
    o.filter.steps.values.push_back(std::move(*wish));
  }
  return {};
}

Status set_iterate(Opt& o, Value v) {
  auto seconds = parse_uint(v.text, INT32_MAX);
  if (!seconds || *seconds == 0) return fail(fmt::format("--iterate={}\n", v.text));
  o.iterate_s = static_cast<uint32_t>(*seconds);
  return {};
}

Status set_letters(Opt& o, Value v) {
  if (o.names) return fail("-o (--format) is incompatible with -O (--Format)");
  o.letters = v.text;
  return {};
}

Status set_names(Opt& o, Value v) {
  if (o.letters) return fail("-O (--Format) is incompatible with -o (--format)");
  o.names = v.text;
  return {};
}

Status set_accounts(Opt& o, Value v) {
  o.filter.accounts = text_list(v.text);
  return {};
}

Status set_partitions(Opt& o, Value v) {
  o.typed.partitions = v.text;
  o.filter.partitions = text_list(v.text);
  return {};
}

Status set_nodes(Opt& o, Value v) {
  o.node_list = v.text;
  return {};
}

// A row that sets one flag.
#define FLAG(member)  \
  [](Opt& o, Value) { \
    o.member = true;  \
    return Status();  \
  }

constexpr CommandHelp kSqueue{.name = "squeue", .operands = "", .purpose = "list jobs"};

constexpr Option<Opt> kOptions[] = {
    {"account", 'A', Arg::required, "SQUEUE_ACCOUNT", "accounts", "jobs of these accounts",
     set_accounts},
    {"accounts", 0, Arg::required, "", "", "", set_accounts},
    {"all", 'a', Arg::none, "SQUEUE_ALL", "", "jobs in hidden partitions too",
     FLAG(all_partitions)},
    {"array", 'r', Arg::none, "SQUEUE_ARRAY", "", "one array task per line",
     FLAG(rows.split_arrays)},
    {"array-unique", 0, Arg::none, "SQUEUE_ARRAY_UNIQUE", "", "one pending array task per line",
     [](Opt& o, Value) {
       o.rows.join_pending = false;
       return Status();
     }},
    {"clusters", 'M', Arg::required, "SLURM_CLUSTERS", "names", "clusters to ask",
     [](Opt& o, Value v) {
       o.clusters = v.text;
       return Status();
     }},
    {"federation", 0, Arg::none, "SQUEUE_FEDERATION", "", "federated jobs too", FLAG(federation)},
    {"format", 'o', Arg::required, "", "format", "columns by letter: \"%.8i %.9P %j\"",
     set_letters},
    {"Format", 'O', Arg::required, "", "format", "columns by name: \"jobid:8,partition,name\"",
     set_names},
    {"help", 0, Arg::none, "", "", "show this help"},
    {"hide", 0, Arg::none, "", "", "no jobs in hidden partitions",
     [](Opt& o, Value) {
       o.all_partitions = false;
       return Status();
     }},
    {"iterate", 'i', Arg::required, "", "seconds", "repeat the list every so many seconds",
     set_iterate},
    {"jobs", 'j', Arg::optional, "", "jobs", "these jobs: 12,13_[1-3]", set_jobs},
    {"json", 0, Arg::none, "", "", "JSON of every job", FLAG(json)},
    {"licenses", 'L', Arg::required, "SQUEUE_LICENSES", "names", "jobs that use these licences",
     [](Opt& o, Value v) {
       o.typed.licenses = v.text;
       o.filter.licenses = text_list(v.text);
       return Status();
     }},
    {"local", 0, Arg::none, "SQUEUE_LOCAL", "", "jobs of this cluster only", FLAG(local)},
    {"long", 'l', Arg::none, "", "", "more columns", FLAG(long_output)},
    {"me", 0, Arg::none, "", "", "my jobs",
     [](Opt& o, Value) {
       o.filter.uids = {true, {static_cast<uint32_t>(geteuid())}};
       o.typed.users = std::to_string(geteuid());
       return Status();
     }},
    {"name", 'n', Arg::required, "SQUEUE_NAMES", "names", "jobs with these names",
     [](Opt& o, Value v) {
       o.typed.names = v.text;
       o.filter.names = text_list(v.text);
       return Status();
     }},
    {"noconvert", 0, Arg::none, "", "", "amounts in their own unit",
     [](Opt& o, Value) {
       o.convert = false;
       return Status();
     }},
    {"nodelist", 'w', Arg::required, "", "hostlist", "jobs on these nodes", set_nodes},
    {"nodes", 0, Arg::required, "", "", "", set_nodes},
    {"noheader", 'h', Arg::none, "", "", "no line of headers", FLAG(no_header)},
    {"partition", 'p', Arg::required, "SQUEUE_PARTITION", "partitions", "jobs in these partitions",
     set_partitions},
    {"partitions", 0, Arg::required, "", "", "", set_partitions},
    {"priority", 'P', Arg::none, "SQUEUE_PRIORITY", "", "a line for each partition of a job",
     FLAG(rows.split_partitions)},
    {"qos", 'q', Arg::required, "SQUEUE_QOS", "qos", "jobs with these qualities of service",
     [](Opt& o, Value v) {
       o.filter.qos = text_list(v.text);
       return Status();
     }},
    {"reservation", 'R', Arg::required, "", "name", "jobs of a reservation",
     [](Opt& o, Value v) {
       o.typed.reservation = v.text;
       o.filter.reservations = text_list(v.text);
       return Status();
     }},
    {"sibling", 0, Arg::none, "SQUEUE_SIBLING", "", "sibling jobs of a federation", FLAG(sibling)},
    {"sort", 'S', Arg::required, "SQUEUE_SORT", "fields",
     "sort by these columns: letters, + or - before each",
     [](Opt& o, Value v) {
       o.sort = v.text;
       return Status();
     }},
    {"start", 0, Arg::none, "", "", "when pending jobs are expected to start", FLAG(start)},
    {"states", 't', Arg::required, "SQUEUE_STATES", "states",
     "jobs in these states, or all (pending and running)", set_states},
    {"steps", 's', Arg::optional, "", "steps", "steps instead of jobs: all, or these (12.0)",
     set_steps},
    {"usage", 0, Arg::none, "", "", "show every option in a few lines"},
    {"user", 'u', Arg::required, "SQUEUE_USERS", "users", "jobs of these users", set_users},
    {"users", 0, Arg::required, "", "", "", set_users},
    {"verbose", 'v', Arg::none, "", "", "say what is done",
     [](Opt& o, Value) {
       ++o.verbosity;
       return Status();
     }},
    {"version", 'V', Arg::none, "", "", "print the version and exit"},
    {"yaml", 0, Arg::none, "", "", "YAML output", nullptr,
     "this service writes JSON; any JSON is YAML 1.2, so --json serves"},
};

// "--jobs=" or "--steps=" if `word` is -j, -s or a long form of them without its value; `before`
// gets the letters that stand in front ("-h" of "-hj").
std::string_view missing_value(std::string_view word, std::string& before) {
  static constexpr std::string_view kPlainLetters = "ahlPrv";
  if (word.size() > 3 && std::string_view("--jobs").starts_with(word)) return "--jobs=";
  if (word.size() > 4 && std::string_view("--steps").starts_with(word)) return "--steps=";
  if (word.size() < 2 || word[0] != '-') return "";
  std::string_view letters = word.substr(1, word.size() - 2);
  if (letters.find_first_not_of(kPlainLetters) != std::string_view::npos) return "";
  if (word.back() != 'j' && word.back() != 's') return "";
  if (!letters.empty()) before = word.substr(0, word.size() - 1);
  return word.back() == 'j' ? "--jobs=" : "--steps=";
}

// -j and -s take their value from the next word too ("-j 12"), which getopt does not do for an
// optional one: such a pair becomes one word.
std::vector<std::string> join_optional_values(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    std::string before;
    std::string_view name = i > 0 ? missing_value(argv[i], before) : "";
    if (name.empty() || i + 1 >= argc || argv[i + 1][0] == '-') {
      words.emplace_back(argv[i]);
      continue;
    }
    if (!before.empty()) words.push_back(before);
    words.push_back(std::string(name) + argv[++i]);
  }
  return words;
}

std::optional<int> settle(Opt& o) {
  if (o.letters && o.long_output) {
    Report("squeue").fatal(
        "Options -o(--format) and -l(--long) are mutually exclusive. Please remove one and retry.");
    return 1;
  }
  if (o.start && !o.filter.states.given && !o.filter.all_states) {
    o.filter.states = {true, {static_cast<uint32_t>(JobState::kPending)}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> read_squeue_options(int argc, char** argv, SqueueOptions& options) {
  if (auto exit = read_environment(kSqueue, kOptions, options)) return exit;
  std::vector<std::string> words = join_optional_values(argc, argv);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int count = static_cast<int>(words.size());
  Parsed parsed = parse_options(kSqueue, kOptions, count, pointers.data(), options);
  if (parsed.exit_code) return parsed.exit_code;
  if (parsed.first_operand < count) {
    Report("squeue").error("Unrecognized option: " +
                           words[static_cast<size_t>(parsed.first_operand)]);
    std::fputs(usage_text(kSqueue, bare_options(kOptions)).c_str(), stdout);
    return 1;
  }
  return settle(options);
}

SqueueOptions::ChosenFormat SqueueOptions::chosen_format() const {
  if (letters) return {*letters, true};
  if (names) return {*names, false};
  if (steps) return {std::string(kStepFormat), true};
  if (start) return {std::string(kJobStartFormat), true};
  if (long_output) return {std::string(kJobLongFormat), true};
  if (const char* env = std::getenv("SQUEUE_FORMAT")) return {env, true};
  if (const char* env = std::getenv("SQUEUE_FORMAT2")) return {env, false};
  return {std::string(kJobFormat), true};
}

std::string_view SqueueOptions::chosen_sort() const {
  if (sort) return *sort;
  return steps ? kStepSort : start ? kJobStartSort : kJobSort;
}

std::string describe_options(const SqueueOptions& o) {
  auto text = [](const std::optional<std::string>& value) { return value.value_or("(null)"); };
  const SqueueOptions::Typed& t = o.typed;
  std::string rule = "-----------------------------\n";
  std::string out = rule;
  auto line = [&](std::string_view name, const auto& value) {
    out += fmt::format("{:<11} = {}\n", name, value);
  };
  line("all", o.all_partitions);
  line("array", o.rows.split_arrays);
  line("federation", o.federation);
  line("format", text(o.letters ? o.letters : o.names));
  line("iterate", o.iterate_s);
  line("job_flag", t.jobs.has_value() && !o.steps ? 1 : 0);
  line("jobs", text(t.jobs));
  line("licenses", text(t.licenses));
  line("local", o.local);
  line("names", text(t.names));
  line("nodes", o.node_list.value_or(""));
  line("partitions", text(t.partitions));
  line("priority", o.rows.split_partitions);
  line("reservation", text(t.reservation));
  line("sibling     ", o.sibling);
  line("sort", text(o.sort));
  line("start_flag", o.start ? 1 : 0);
  line("states", text(t.states));
  line("step_flag", o.steps ? 1 : 0);
  line("steps", text(t.steps));
  line("users", text(t.users));
  line("verbose", o.verbosity);
  return out + rule + "\n\n";
}

OptionTable squeue_table() {
  return {kSqueue, bare_options(kOptions)};
}

}  // namespace grappe
