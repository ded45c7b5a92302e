#include "cli/sacctmgr/commands.h"

#include <fmt/core.h>

#include <span>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_help.h"
#include "cli/report.h"
#include "cli/sacctmgr/entities.h"

namespace grappe::sacctmgr {
namespace {

struct Entity {
  std::string_view name;
  size_t shortest;
  void (*run)(Session& session, Words words);
  bool other_name = false;  // not listed
};

struct Verb {
  std::string_view name;
  size_t shortest;
  std::span<const Entity> entities;  // empty: `run` gets all words
  std::string_view no_entity;        // after an unknown one
  bool changes;                      // not in the readonly mode
  void (*run)(Session& session, Words words);
  size_t max_words;
  std::string_view arguments, help;
};

constexpr Entity kShown[] = {
    {"Accounts", 2, show_accounts},
    {"Associations", 2, show_associations},
    {"Clusters", 2, show_clusters},
    {"Configuration", 2, show_configuration},
    {"Events", 1, show_events},
    {"Federations", 1, show_federations},
    {"Problems", 1, show_problems},
    {"QOS", 1, show_qos},
    {"QOSs", 4, show_qos, true},
    {"Resource", 4, show_resources},
    {"Reservations", 4, show_reservations},
    {"Resv", 4, show_reservations, true},
    {"RunawayJobs", 2, show_runaway_jobs},
    {"OrphanJobs", 1, show_runaway_jobs, true},
    {"LostJobs", 1, show_runaway_jobs, true},
    {"Stats", 1, show_stats},
    {"Transactions", 1, show_transactions},
    {"Txn", 1, show_transactions, true},
    {"Users", 1, show_users},
    {"WCKeys", 1, show_wckeys},
    {"TRES", 1, show_tres},
};
constexpr Entity kAdded[] = {
    {"Accounts", 1, add_accounts},
    {"Clusters", 2, add_clusters},
    {"Coordinators", 2, add_coordinators},
    {"Federations", 1, change_federations},
    {"QOS", 1, add_qos},
    {"Resource", 1, add_resources},
    {"Users", 1, add_users},
};
constexpr Entity kModified[] = {
    {"Accounts", 1, modify_accounts},
    {"Clusters", 5, modify_clusters},
    {"Federations", 1, change_federations},
    {"Job", 1, modify_jobs},
    {"QOS", 1, modify_qos},
    {"QOSs", 4, modify_qos, true},
    {"Resource", 1, modify_resources},
    {"Users", 1, modify_users},
};
constexpr Entity kDeleted[] = {
    {"Accounts", 1, delete_accounts},
    {"Clusters", 2, delete_clusters},
    {"Coordinators", 2, delete_coordinators},
    {"Federations", 1, change_federations},
    {"QOS", 2, delete_qos},
    {"Resource", 1, delete_resources},
    {"Users", 1, delete_users},
};
constexpr Entity kArchived[] = {{"Dump", 1, archive_dump}, {"Load", 1, archive_load}};
constexpr Entity kCleared[] = {{"Stats", 1, clear_stats}};

constexpr std::string_view kNoAdded =
    "No valid entity in add command\nInput line must include \"Account\", \"Cluster\", "
    "\"Coordinator\", \"Federation\", \"QOS\", \"Resource\", or \"User\"\n";
constexpr std::string_view kNoShown =
    "No valid entity in list command\nInput line must include \"Account\", \"Association\", "
    "\"Cluster\", \"Configuration\",\n\"Event\", \"Federation\", \"Problem\", \"QOS\", "
    "\"Resource\", \"Reservation\",\n\"RunAwayJobs\", \"Stats\", \"Transaction\", \"TRES\", "
    "\"User\", or \"WCKey\"\n";
constexpr std::string_view kNoModified =
    "No valid entity in modify command\nInput line must include \"Account\", \"Cluster\", "
    "\"Federation\", \"Job\", \"QOS\", \"Resource\" or \"User\"\n";
constexpr std::string_view kNoDeleted =
    "No valid entity in delete command\nInput line must include \"Account\", \"Cluster\", "
    "\"Coordinator\", \"Federation\", \"QOS\", \"Resource\", or \"User\"\n";
constexpr std::string_view kNoArchived =
    "No valid entity in archive command\nInput line must include, \"Dump\", or \"load\"\n";
constexpr std::string_view kNoCleared =
    "No valid entity in list command\nInput line must include \"Stats\"\n";

constexpr size_t kAny = SIZE_MAX;

void quit(Session& session, Words) {
  session.ended = true;
}
void set_associations(Session& session, Words) {
  session.associations = true;
}
void set_quiet(Session& session, Words) {
  session.quiet = true;
}
void set_readonly(Session& session, Words) {
  session.readonly = true;
}
void set_verbose(Session& session, Words) {
  session.quiet = false;
  ++session.verbosity;
}
void set_oneliner(Session&, Words) {}  // every record is one line already
void say_version(Session& session, Words) {
  session.say(std::string(version_line()) + "\n");
}
void say_help(Session& session, Words) {
  const OptionTable table = sacctmgr_table();
  session.say(help_text(table.command, table.rows));
}
void refuse_reconfigure(Session& session, Words) {
  session.error("there is no database daemon of its own: use scontrol reconfigure");
}
void refuse_shutdown(Session& session, Words) {
  session.error("there is no database daemon of its own: the service manager stops the service");
}
void refuse_roll(Session& session, Words) {
  session.error("not supported: the service adds up the use of the cluster by itself");
}

// Where a word abbreviates several, the first row wins.
constexpr Verb kVerbs[] = {
    {"add", 3, kAdded, kNoAdded, true, nullptr, kAny, "<ENTITY> <SPECS>",
     "add entities: add cluster, add account, add user, ..."},
    {"archive", 3, kArchived, kNoArchived, true, nullptr, kAny, "<DUMP|LOAD> <SPECS>",
     "write old jobs to files and drop them, or read them back"},
    {"associations",
     3,
     {},
     "",
     false,
     set_associations,
     kAny,
     "",
     "let show and list tell associations too"},
    {"clear", 3, kCleared, kNoCleared, false, nullptr, kAny, "stats", "counters to zero"},
    {"create", 3, kAdded, kNoAdded, true, nullptr, kAny, "<ENTITY> <SPECS>", "same as add"},
    {"delete", 3, kDeleted, kNoDeleted, true, nullptr, kAny, "<ENTITY> <SPECS>", "delete entities"},
    {"dump",
     3,
     {},
     "",
     false,
     dump_cluster,
     kAny,
     "<CLUSTER> [File=<FILENAME>]",
     "write the associations of a cluster to a file"},
    {"exit", 4, {}, "", false, quit, 1, "", "end sacctmgr"},
    {"help", 2, {}, "", false, say_help, kAny, "", "this text"},
    {"list", 3, kShown, kNoShown, false, nullptr, kAny, "<ENTITY> [<SPECS>]", "same as show"},
    {"load", 2, {}, "", true, load_file, kAny, "<FILE> [cluster=] [clean]", "read such a file"},
    {"modify", 1, kModified, kNoModified, true, nullptr, kAny, "<ENTITY> where <SPECS> set <SPECS>",
     "change entities"},
    {"oneliner", 1, {}, "", false, set_oneliner, 1, "", "one record per line"},
    {"quiet", 4, {}, "", false, set_quiet, 1, "", "no messages but errors"},
    {"quit", 4, {}, "", false, quit, 1, "", "end sacctmgr"},
    {"readonly", 4, {}, "", false, set_readonly, 1, "", "no changes from now on"},
    {"reconfigure", 4, {}, "", true, refuse_reconfigure, 1, "", "use scontrol reconfigure"},
    {"remove", 3, kDeleted, kNoDeleted, true, nullptr, kAny, "<ENTITY> <SPECS>", "same as delete"},
    {"roll", 2, {}, "", true, refuse_roll, kAny, "", ""},
    {"show", 3, kShown, kNoShown, false, nullptr, kAny, "<ENTITY> [<SPECS>]",
     "what there is; all, or what the conditions choose"},
    {"shutdown", 8, {}, "", true, refuse_shutdown, 1, "", "stop the service"},
    {"update", 1, kModified, kNoModified, true, nullptr, kAny, "<ENTITY> where <SPECS> set <SPECS>",
     "same as modify"},
    {"verbose", 4, {}, "", false, set_verbose, 1, "", "say more"},
    {"version", 4, {}, "", false, say_version, 1, "", "the version of this program"},
};

const Verb* find_verb(std::string_view typed) {
  for (const Verb& verb : kVerbs) {
    if (abbreviates(typed, verb.name, verb.shortest)) return &verb;
  }
  return nullptr;
}

const Entity* find_entity(const Verb& verb, std::string_view typed) {
  for (const Entity& entity : verb.entities) {
    if (abbreviates(typed, entity.name, entity.shortest)) return &entity;
  }
  return nullptr;
}

}  // namespace

void run_line(Session& session, Words words) {
  if (words.empty()) return;
  const Verb* verb = find_verb(words[0]);
  if (!verb) {
    session.complain("invalid keyword: " + words[0] + "\n");
    return suggest(words[0], command_names());
  }
  if (words.size() > verb->max_words) {
    session.ended |= verb->run == quit;  // it is said, and done
    return session.complain("too many arguments for keyword:" + words[0] + "\n");
  }
  if (verb->changes && session.readonly) {
    return session.complain("Can't run this command in readonly mode.\n");
  }
  if (verb->run) return verb->run(session, words.subspan(1));
  const Entity* entity = words.size() > 1 ? find_entity(*verb, words[1]) : nullptr;
  if (!entity) {
    session.complain(verb->no_entity);
    if (words.size() > 1) suggest(words[1], entity_names(verb->name));
    return;
  }
  entity->run(session, words.subspan(2));
}

std::vector<CommandText> command_texts() {
  std::vector<CommandText> texts;
  for (const Verb& verb : kVerbs) {
    if (!verb.help.empty()) texts.push_back({verb.name, verb.arguments, verb.help});
  }
  return texts;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandText& text : command_texts()) names.emplace_back(text.name);
  return names;
}

std::vector<std::string> entity_names(std::string_view typed) {
  std::vector<std::string> names;
  const Verb* verb = find_verb(typed);
  if (!verb) return names;
  for (const Entity& entity : verb->entities) {
    if (!entity.other_name) names.push_back(to_lower(entity.name));
  }
  return names;
}

std::string commands_help() {
  std::string text =
      "\nWithout a command, sacctmgr reads commands until it is told to exit; \"!!\" repeats\n"
      "the last one. Commands, entities and keys may be abbreviated, in any case.\n"
      "\nValid <COMMAND> values are:\n";
  for (const CommandText& row : command_texts()) {
    std::string usage = std::string(row.name) + (row.arguments.empty() ? "" : " ");
    usage += row.arguments;
    if (usage.size() > 31) usage += "\n" + std::string(33, ' ');
    text += fmt::format("  {:<31} {}\n", usage, row.help);
  }
  Filler entities("<ENTITY> may be one of:");
  for (const std::string& name : entity_names("show")) entities.add(name);
  return text + "\n" + entities.text() +
         "\n<SPECS> are different for each command entity pair: \"add account\" takes other words\n"
         "than \"list associations\", \"modify cluster\" or \"delete qos\"; man sacctmgr has "
         "them.\n";
}

}  // namespace grappe::sacctmgr
