// The completion of the commands in bash.
#include "base/text.h"
#include "cli/docs/manual.h"
#include "cli/sacctmgr/commands.h"
#include "cli/scontrol/keywords.h"

namespace grappe {
namespace {

// What stands after an option, by the option's name: a function _grappe_list_KIND of the script
// gives the candidates. Others complete names of files.
struct ValueKind {
  std::string_view command;  // "": every command
  std::string_view option;
  std::string_view kind;
};
constexpr ValueKind kKinds[] = {
    {"", "partition", "partitions"},
    {"", "reservation", "reservations"},
    {"", "nodelist", "nodes"},
    {"", "exclude", "nodes"},
    {"sinfo", "nodes", "nodes"},
    {"", "user", "users"},
    {"", "uid", "users"},
    {"", "jobid", "jobs"},
    {"squeue", "jobs", "jobs"},
    {"sstat", "jobs", "steps"},
    {"squeue", "steps", "steps"},
    {"squeue", "states", "job_states"},
    {"scancel", "state", "job_states"},
    {"sinfo", "states", "node_states"},
    {"", "mail-type", "mail_types"},
    {"", "gres", "gres"},
    {"", "licenses", "licenses"},
    {"", "open-mode", "open_modes"},
};

constexpr std::string_view kScontrolValues =
    "JobId:jobs jobid:jobs NodeName:nodes nodename:nodes PartitionName:partitions "
    "partitionname:partitions ReservationName:reservations reservationname:reservations "
    "StepId:steps Partition:partitions NodeList:nodes";

struct Operands {
  std::string_view command;
  std::string_view kind;
};
constexpr Operands kOperands[] = {
    {"srun", "commands"}, {"salloc", "commands"}, {"scancel", "jobs"}, {"sattach", "steps"}};

// Both are called with the words of the line; `cur` is what is to be completed.
constexpr std::string_view kFunctions =
    R"bash(# Completion for bash, made by `grappe docs completion`.
_grappe_list_partitions() { sinfo -ho %R 2>/dev/null; }
_grappe_list_nodes() { sinfo -hNo %N 2>/dev/null; }
_grappe_list_reservations() {
  scontrol -o show reservations 2>/dev/null |
    while IFS='= ' read -r key name _; do [ "$key" = ReservationName ] && echo "$name"; done
}
_grappe_list_jobs() {
  local id mine=--me
  [ "$(id -u)" = 0 ] && mine=
  squeue -h $mine -o %i 2>/dev/null | while read -r id; do echo "${id%%_\[*}"; done
}
_grappe_list_steps() { squeue -hs -o %i 2>/dev/null; }
_grappe_list_users() { compgen -u; }
_grappe_list_commands() { compgen -c -- "$cur"; }
_grappe_list_job_states() {
  echo PENDING RUNNING SUSPENDED COMPLETING COMPLETED CANCELLED FAILED TIMEOUT OUT_OF_MEMORY \
    NODE_FAIL PREEMPTED all
}
_grappe_list_node_states() {
  echo idle mixed allocated down drain drained draining fail maint reserved completing
}
_grappe_list_mail_types() {
  echo NONE BEGIN END FAIL REQUEUE ALL TIME_LIMIT TIME_LIMIT_90 TIME_LIMIT_80 TIME_LIMIT_50 \
    ARRAY_TASKS
}
_grappe_list_gres() {
  local first
  sinfo -ho %G 2>/dev/null | while IFS=, read -r first _; do echo "${first%%(*}"; done
}
_grappe_list_licenses() {
  local name
  scontrol -o show licenses 2>/dev/null | while IFS='= ' read -r _ name _; do echo "$name"; done
}
_grappe_list_open_modes() { echo append truncate; }

# Candidates for the last part of a list with commas.
_grappe_from() {
  local head= tail=$cur
  case $cur in *,*) head=${cur%,*}, tail=${cur##*,} ;; esac
  COMPREPLY=($(compgen -P "$head" -W "$("_grappe_list_$1")" -- "$tail"))
}

# Long options, "option:kind" of those that take a value, and the kind of the operands.
_grappe_complete() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} option pair
  if [ "$cur" = = ]; then
    option=$prev cur=
  elif [ "$prev" = = ]; then
    option=${COMP_WORDS[COMP_CWORD-2]}
  else
    option=$prev
  fi
  for pair in $2; do
    [ "${pair%%:*}" = "$option" ] || continue
    [ "${pair##*:}" = file ] || _grappe_from "${pair##*:}"
    return
  done
  case $cur in
    -*)
      COMPREPLY=($(compgen -W "$1" -- "$cur"))
      case ${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac ;;
    *)
      case $3 in
        '') ;;
        _*) "$3" ;;
        *) _grappe_from "$3" ;;
      esac ;;
  esac
}
)bash";

// The words of scontrol's line decide what can follow.
constexpr std::string_view kScontrol = R"bash(
_grappe_scontrol_words() {
  local i verb= entity= word
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in -*) continue ;; esac
    if [ -z "$verb" ]; then verb=$word; elif [ -z "$entity" ]; then entity=$word; fi
  done
  case $verb in
    '') COMPREPLY=($(compgen -W "$_grappe_verbs" -- "$cur")) ;;
    show)
      case $entity in
        '') COMPREPLY=($(compgen -W "$_grappe_entities" -- "$cur")) ;;
        job*) _grappe_from jobs ;;
        step*) _grappe_from steps ;;
        node*) _grappe_from nodes ;;
        part*) _grappe_from partitions ;;
        res*) _grappe_from reservations ;;
      esac ;;
    hold | holdu | uhold | release | requeue | requeuehold | suspend | resume | top | notify | \
      wait_job | listpids)
      _grappe_from jobs ;;
    reboot | cancel_reboot) _grappe_from nodes ;;
    write) COMPREPLY=($(compgen -W 'batch_script config' -- "$cur")) ;;
    create | delete | update) _grappe_scontrol_keys "$verb" "$entity" ;;
  esac
}

_grappe_scontrol_keys() {
  local keys=
  case ${2,,} in
    '')
      keys='PartitionName= ReservationName= NodeName='
      [ "$1" = update ] && keys="JobId= StepId= $keys" ;;
    job*) keys=$_grappe_job_keys ;;
    node*) keys=$_grappe_node_keys ;;
    part*) keys=$_grappe_partition_keys ;;
    res*) keys=$_grappe_reservation_keys ;;
  esac
  COMPREPLY=($(compgen -W "$keys" -- "$cur"))
  compopt -o nospace 2>/dev/null
}
)bash";

// The words of sacctmgr's line: the command, its entity, then names of what there is.
constexpr std::string_view kSacctmgr = R"bash(
_grappe_list_accounts() { sacctmgr -nP show account format=account 2>/dev/null; }
_grappe_list_book_users() { sacctmgr -nP show user format=user 2>/dev/null; }
_grappe_list_qos() { sacctmgr -nP show qos format=name 2>/dev/null; }
_grappe_list_clusters() { sacctmgr -nP show cluster format=cluster 2>/dev/null; }
_grappe_sacctmgr_words() {
  local i verb= entity= word
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in -*) continue ;; esac
    if [ -z "$verb" ]; then verb=$word; elif [ -z "$entity" ]; then entity=$word; fi
  done
  if [ -z "$verb" ]; then
    COMPREPLY=($(compgen -W "$_grappe_sacctmgr_verbs" -- "$cur"))
  elif [ -z "$entity" ]; then
    case $verb in
      show | list) COMPREPLY=($(compgen -W "$_grappe_sacctmgr_shown" -- "$cur")) ;;
      add | create) COMPREPLY=($(compgen -W "$_grappe_sacctmgr_added" -- "$cur")) ;;
      modify | update) COMPREPLY=($(compgen -W "$_grappe_sacctmgr_modified" -- "$cur")) ;;
      delete | remove) COMPREPLY=($(compgen -W "$_grappe_sacctmgr_deleted" -- "$cur")) ;;
      dump) _grappe_from clusters ;;
    esac
  else
    case $entity in
      acc*) _grappe_from accounts ;;
      user*) _grappe_from book_users ;;
      qos*) _grappe_from qos ;;
      cl*) _grappe_from clusters ;;
    esac
  fi
}
)bash";
constexpr std::string_view kSacctmgrValues =
    "account:accounts accounts:accounts parent:accounts defaultaccount:accounts user:book_users "
    "users:book_users qos:qos defaultqos:qos cluster:clusters clusters:clusters";

std::string_view kind_of(std::string_view command, std::string_view option) {
  for (const ValueKind& row : kKinds) {
    if (row.option == option && (row.command.empty() || row.command == command)) return row.kind;
  }
  return "file";
}

void append_word(std::string& list, const std::string& word) {
  list += (list.empty() ? "" : " ") + word;
}

void add_command(const OptionTable& table, std::string& out) {
  std::string name(table.command.name), words, values;
  for (const BareOption& row : table.rows) {
    if (row.name.empty() || !row.shown()) continue;
    std::string option = "--" + std::string(row.name);
    append_word(words, option + (row.arg == Arg::required ? "=" : ""));
    if (row.arg == Arg::none) continue;
    std::string kind = ":" + std::string(kind_of(name, row.name));
    append_word(values, option + kind);
    if (row.letter && row.arg == Arg::required) {
      append_word(values, std::string("-") + row.letter + kind);
    }
  }
  const bool has_words = name == "scontrol" || name == "sacctmgr";
  std::string operands = has_words ? "_grappe_" + name + "_words" : "";
  for (const Operands& row : kOperands) {
    if (row.command == name) operands = row.kind;
  }
  // "NodeName=" is completed as an option's value is.
  if (name == "scontrol") values += " " + std::string(kScontrolValues);
  if (name == "sacctmgr") values += " " + std::string(kSacctmgrValues);
  out += "_grappe_" + name + "() {\n  _grappe_complete '" + words + "' '" + values + "' '" +
         operands + "'\n}\ncomplete -o default -F _grappe_" + name + " " + name + "\n";
}

std::string variable(const std::string& name, const std::vector<std::string>& words,
                     std::string_view suffix = "") {
  std::string list;
  for (const std::string& word : words) append_word(list, word + std::string(suffix));
  return name + "='" + list + "'\n";
}

}  // namespace

std::string bash_completion() {
  std::string out(kFunctions);
  out += kScontrol;
  out += kSacctmgr;
  out += variable("_grappe_sacctmgr_verbs", sacctmgr::command_names());
  out += variable("_grappe_sacctmgr_shown", sacctmgr::entity_names("show"));
  out += variable("_grappe_sacctmgr_added", sacctmgr::entity_names("add"));
  out += variable("_grappe_sacctmgr_modified", sacctmgr::entity_names("modify"));
  out += variable("_grappe_sacctmgr_deleted", sacctmgr::entity_names("delete"));
  out += variable("_grappe_verbs", scontrol::keyword_names());
  out += variable("_grappe_entities", scontrol::entity_names());
  out += variable("_grappe_job_keys", scontrol::job_keys(), "=");
  out += variable("_grappe_node_keys", scontrol::node_keys(), "=");
  out += variable("_grappe_partition_keys", scontrol::partition_keys(), "=");
  out += variable("_grappe_reservation_keys", scontrol::reservation_keys(), "=");
  for (const OptionTable& table : all_tables()) add_command(table, out);
  // A shortcut of the site is completed as the command behind it is.
  return out +
         "while read -r _grappe_alias _grappe_command _; do\n"
         "  complete -o default -F \"_grappe_$_grappe_command\" \"$_grappe_alias\"\n"
         "done < <(grappe aliases 2>/dev/null)\n";
}

}  // namespace grappe
