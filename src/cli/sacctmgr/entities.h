// What each sub-command does, by entity. `words` are those after the entity.
#pragma once

#include "cli/sacctmgr/session.h"

namespace grappe::sacctmgr {

void show_accounts(Session& session, Words words);      // show_account.cpp
void show_associations(Session& session, Words words);  // show_association.cpp
void show_clusters(Session& session, Words words);      // show_cluster.cpp
void show_users(Session& session, Words words);         // show_user.cpp
void show_qos(Session& session, Words words);           // show_qos.cpp
void show_tres(Session& session, Words words);          // show_records.cpp
void show_wckeys(Session& session, Words words);
void show_problems(Session& session, Words words);
void show_federations(Session& session, Words words);
void show_resources(Session& session, Words words);     // show_resource.cpp
void show_transactions(Session& session, Words words);  // show_transaction.cpp
void show_reservations(Session& session, Words words);  // show_service.cpp
void show_runaway_jobs(Session& session, Words words);
void show_configuration(Session& session, Words words);
void show_stats(Session& session, Words words);
void show_events(Session& session, Words words);  // show_event.cpp

void add_accounts(Session& session, Words words);  // change_account.cpp
void modify_accounts(Session& session, Words words);
void delete_accounts(Session& session, Words words);
void add_users(Session& session, Words words);     // add_user.cpp
void modify_users(Session& session, Words words);  // change_user.cpp
void delete_users(Session& session, Words words);
void add_coordinators(Session& session, Words words);  // change_coordinator.cpp
void delete_coordinators(Session& session, Words words);
void add_qos(Session& session, Words words);  // change_qos.cpp
void modify_qos(Session& session, Words words);
void delete_qos(Session& session, Words words);
void add_clusters(Session& session, Words words);  // change_cluster.cpp
void modify_clusters(Session& session, Words words);
void delete_clusters(Session& session, Words words);
void add_resources(Session& session, Words words);  // change_resource.cpp
void modify_resources(Session& session, Words words);
void delete_resources(Session& session, Words words);
void modify_jobs(Session& session, Words words);         // modify_job.cpp
void change_federations(Session& session, Words words);  // refused.cpp

void dump_cluster(Session& session, Words words);  // dump.cpp
void load_file(Session& session, Words words);     // load.cpp
void archive_dump(Session& session, Words words);  // archive.cpp
void archive_load(Session& session, Words words);
void clear_stats(Session& session, Words words);

inline constexpr std::string_view kSetHint = " Use keyword 'set' to modify value\n";

// The words of a condition, one after the other: `take` says whether it knows the word. "where" is
// passed over. False if there was one that it does not know: then it has been said.
template <class Target>
bool read_conditions(Session& session, Words words, Target& target,
                     bool (*take)(Target& target, const Word& word),
                     std::string_view hint = kSetHint) {
  bool all_known = true;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!word.has_value && is_key(word, "where", 5)) continue;
    if (take(target, word)) continue;
    session.complain(" Unknown condition: " + text + "\n" + std::string(hint));
    all_known = false;
  }
  return all_known;
}

// "Format=", which may be there more than once.
inline bool take_format(Names& format, const Word& word) {
  if (!word.has_value || !is_key(word, "Format", 1)) return false;
  add_names(format, word.value);
  return true;
}

}  // namespace grappe::sacctmgr
