// The sub-commands of scontrol as a table: what each is called, how far it may be abbreviated,
// how many words it takes, and what does it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/scontrol/session.h"

namespace grappe::scontrol {

struct Keyword {
  std::string_view name;
  size_t shortest;   // letters that must be typed
  size_t min_words;  // with the keyword itself
  size_t max_words;
  std::string_view too_few;  // "{}" is the keyword as typed
  void (*run)(Session& session, Words words);
  std::string_view arguments;  // for the help
  std::string_view help;       // empty: not listed
};

std::span<const Keyword> keywords();
std::vector<std::string> keyword_names();

// Carries out one line. Nothing happens for an empty one.
void run_line(Session& session, Words words);
// The end of `scontrol --help`: the commands and what they take.
std::string commands_help();
// What `scontrol show` can show.
std::vector<std::string> entity_names();
// What `scontrol update` can change of each, that is the keys of its tables.
std::vector<std::string> job_keys();
std::vector<std::string> node_keys();
std::vector<std::string> partition_keys();
std::vector<std::string> reservation_keys();

// True if `typed` abbreviates `name` with at least `shortest` letters, in any case.
bool abbreviates(std::string_view typed, std::string_view name, size_t shortest);

// The sub-commands, by file.
void show_help(Session& session, Words words);  // keywords.cpp
void show(Session& session, Words words);       // show.cpp
void update(Session& session, Words words);     // update.cpp
void create(Session& session, Words words);     // create.cpp
void remove(Session& session, Words words);     // create.cpp, "delete"
void hold(Session& session, Words words);       // job_actions.cpp
void user_hold(Session& session, Words words);
void release(Session& session, Words words);
void requeue(Session& session, Words words);
void requeue_hold(Session& session, Words words);
void suspend(Session& session, Words words);
void resume(Session& session, Words words);
void top(Session& session, Words words);
void notify(Session& session, Words words);
void wait_job(Session& session, Words words);
void completing(Session& session, Words words);  // processes.cpp
void list_pids(Session& session, Words words);
void pid_info(Session& session, Words words);
void write(Session& session, Words words);  // write.cpp
void ping(Session& session, Words words);   // service_commands.cpp
void reconfigure(Session& session, Words words);
void errnumstr(Session& session, Words words);
void cluster(Session& session, Words words);
void version(Session& session, Words words);
void stop_service(Session& session, Words words);
void takeover(Session& session, Words words);
void set_debug(Session& session, Words words);
void token(Session& session, Words words);
void reboot(Session& session, Words words);
void cancel_reboot(Session& session, Words words);
void dampening(Session& session, Words words);

}  // namespace grappe::scontrol
