#include "cli/scontrol/keywords.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_help.h"

namespace grappe::scontrol {
namespace {

constexpr size_t kAny = SIZE_MAX;
constexpr std::string_view kTooFew = "too few arguments for keyword:{}";
constexpr std::string_view kTooFewEntity = "too few arguments for {} keyword";
constexpr std::string_view kMissing = "missing argument for keyword:{}";

void quit(Session& session, Words) {
  session.ended = true;
}
void set_all(Session& session, Words) {
  session.all = true;
}
void set_hide(Session& session, Words) {
  session.all = false;
}
void set_details(Session& session, Words) {
  session.details = true;
}
void set_one_line(Session& session, Words) {
  session.one_line = true;
}
void set_quiet(Session& session, Words) {
  session.quiet = true;
  session.verbose = false;
}
void set_verbose(Session& session, Words) {
  session.verbose = true;
  session.quiet = false;
}

// Where a word abbreviates several, the first row wins: "de" is details, "del" is delete.
constexpr Keyword kKeywords[] = {
    {"abort", 5, 1, 1, "", stop_service, "", "stop the service at once (use the service manager)"},
    {"all", 2, 1, 1, "", set_all, "", "show hidden partitions too"},
    {"cancel_reboot", 3, 2, 2, kMissing, cancel_reboot, "<nodes>", "take back a reboot"},
    {"cluster", 2, 1, 2, "", cluster, "[<name>]", "the cluster to speak to; there is one"},
    {"completing", 2, 1, 1, "", completing, "", "jobs that are ending, and their nodes"},
    {"create", 2, 2, kAny, kTooFewEntity, create, "<specification>",
     "make a partition, a reservation or a node"},
    {"details", 1, 1, 1, "", set_details, "", "let show say more"},
    {"delete", 1, 2, 3, kTooFewEntity, remove, "<ENTITY>=<ID>",
     "remove a partition, a reservation or a node"},
    {"errnumstr", 2, 2, 2, "one arguments required for keyword:{}", errnumstr, "<number>",
     "the text of an error number"},
    {"exit", 2, 1, 1, "", quit, "", "end scontrol"},
    {"fsdampeningfactor", 3, 2, 2, kTooFew, dampening, "<factor>",
     "FairShareDampeningFactor, until the next reconfigure"},
    {"help", 2, 1, 2, "", show_help, "", "this text"},
    {"hide", 2, 1, 1, "", set_hide, "", "leave hidden partitions out"},
    {"hold", 4, 2, kAny, kTooFew, hold, "<jobs>", "keep pending jobs from starting"},
    {"holdu", 5, 2, kAny, kTooFew, user_hold, "<jobs>", "same as uhold"},
    {"listpids", 1, 1, 3, "", list_pids, "[<job>[.<step>]] [<node>]", "processes of jobs"},
    {"notify", 1, 3, kAny, kTooFew, notify, "<job> <message>",
     "write a message to the job's standard error"},
    {"oneliner", 1, 1, 1, "", set_one_line, "", "one line per record"},
    {"pidinfo", 3, 2, 2, kMissing, pid_info, "<pid>", "which job a process belongs to"},
    {"ping", 3, 1, 1, "", ping, "", "is the service up?"},
    {"quiet", 4, 1, 1, "", set_quiet, "", "no messages"},
    {"quit", 4, 1, 1, "", quit, "", "end scontrol"},
    {"reboot", 3, 2, kAny, "Missing node list. Specify ALL|<NodeList>", reboot,
     "[ASAP] [nextstate=] [reason=] <ALL|nodes>", "reboot nodes when they are idle"},
    {"reconfigure", 3, 1, 1, "", reconfigure, "", "read the configuration again"},
    {"release", 3, 2, kAny, kTooFew, release, "<jobs>", "let held jobs start"},
    {"requeue", 3, 2, kAny, kTooFew, requeue, "[incomplete] <jobs>", "put batch jobs back"},
    {"requeuehold", 11, 2, kAny, kTooFew, requeue_hold, "[incomplete] [State=SpecialExit] <jobs>",
     "put batch jobs back and hold them"},
    {"resume", 3, 2, kAny, kTooFew, resume, "<jobs>", "let suspended jobs go on"},
    {"setdebug", 2, 2, 2, kTooFew, set_debug, "<level>", "how much the service logs"},
    {"setdebugflags", 9, 2, kAny, kTooFew, set_debug, "[+|-]<flag>", "what the service logs"},
    {"schedloglevel", 3, 2, 2, kTooFew, set_debug, "<level>", "log of the scheduler"},
    {"show", 3, 2, kAny, kTooFew, show, "<ENTITY> [<ID>]", "what there is; all, or one by name"},
    {"shutdown", 8, 1, 2, "", stop_service, "[slurmctld]", "stop the service"},
    {"suspend", 2, 2, kAny, kTooFew, suspend, "<jobs>", "stop running jobs for a while"},
    {"takeover", 8, 1, 2, "", takeover, "[<index>]", "let a backup controller take over"},
    {"token", 3, 1, 3, "", token, "[lifespan=<s>] [username=<user>]", "a token for the API"},
    {"top", 3, 2, kAny, kTooFew, top, "<jobs>", "make jobs the first of their owner's"},
    {"uhold", 5, 2, kAny, kTooFew, user_hold, "<jobs>", "hold so that the owner may release"},
    {"update", 1, 2, kAny, kTooFewEntity, update, "<specification>",
     "change a job, step, node, partition or reservation"},
    {"verbose", 4, 1, 1, "", set_verbose, "", "say more"},
    {"version", 4, 1, 1, "", version, "", "the version of this program"},
    {"wait_job", 2, 2, 2, kTooFew, wait_job, "<job>", "wait until a job's nodes are ready"},
    {"write", 5, 2, kAny, kTooFew, write, "batch_script|config [<job>] [<file>|-]",
     "a job's script, or the configuration, to a file"},
};

const Keyword* find_keyword(std::string_view typed) {
  for (const Keyword& row : kKeywords) {
    if (abbreviates(typed, row.name, row.shortest)) return &row;
  }
  return nullptr;
}

}  // namespace

void show_help(Session& session, Words) {
  const OptionTable table = scontrol_table();
  session.say(help_text(table.command, table.rows));
}

std::span<const Keyword> keywords() {
  return kKeywords;
}

std::vector<std::string> keyword_names() {
  std::vector<std::string> names;
  for (const Keyword& row : kKeywords) names.emplace_back(row.name);
  return names;
}

bool abbreviates(std::string_view typed, std::string_view name, size_t shortest) {
  return typed.size() >= shortest && typed.size() <= name.size() && istarts_with(name, typed);
}

void run_line(Session& session, Words words) {
  if (words.empty()) return;
  const std::string& typed = words[0];
  const Keyword* row = find_keyword(typed);
  if (!row) {
    session.complain("invalid keyword: " + typed);
    return session.suggest(typed, keyword_names());
  }
  if (words.size() < row->min_words)
    return session.complain(fmt::format(fmt::runtime(row->too_few), typed));
  if (words.size() > row->max_words)
    return session.complain("too many arguments for keyword:" + typed);
  row->run(session, words);
}

std::string commands_help() {
  std::string text =
      "\nWithout a command, scontrol reads commands until it is told to exit; \"!!\" repeats\n"
      "the last one. Commands may be abbreviated, in any case.\n"
      "\nValid <COMMAND> values are:\n";
  for (const Keyword& row : kKeywords) {
    std::string usage = std::string(row.name) + (row.arguments.empty() ? "" : " ");
    usage += row.arguments;
    if (usage.size() > 31) usage += "\n" + std::string(33, ' ');
    text += fmt::format("  {:<31} {}\n", usage, row.help);
  }
  Filler entities("<ENTITY> is one of:");
  for (const std::string& name : entity_names()) entities.add(name);
  text += "\n" + entities.text();
  return text +
         "<specification> has the form of the configuration file: JobId=12 TimeLimit=30.\n"
         "<jobs> is a list: 12,13 or 14_[1-3] or jobname=NAME.\n";
}

}  // namespace grappe::scontrol
