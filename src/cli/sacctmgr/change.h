// A change of the books: checked, confirmed, carried out. All of it or nothing.
//
// What sacctmgr tells comes before the question, so a change that will be asked about is checked
// by the service first; with -i it is carried out at once.
#pragma once

#include <string_view>
#include <vector>

#include "cli/sacctmgr/session.h"

namespace grappe::sacctmgr {

inline constexpr std::string_view kErrorWithRequest = " Error with request";

class Change {
 public:
  explicit Change(Session& session) : session_(session) {}

  bool empty() const { return ops_.empty(); }
  v1::BooksOp& add();
  void put(const v1::Account& record) { *add().mutable_account() = record; }
  void put(const v1::User& record) { *add().mutable_user() = record; }
  void put(const v1::Association& record) { *add().mutable_association() = record; }
  void put(const v1::Qos& record) { *add().mutable_qos() = record; }
  void put(const v1::ClusterRecord& record) { *add().mutable_cluster() = record; }
  void put(const v1::Wckey& record) { *add().mutable_wckey() = record; }
  void put(const v1::Resource& record) { *add().mutable_resource() = record; }
  // New associations of one command. The tree has what is new before its siblings, and those that
  // come together in their order: so the last is put first, but a parent before its children.
  void put_together(const std::vector<v1::Association>& records);
  template <class Record>
  void remove(const Record& record) {
    put(record);
    ops_.back().set_remove(true);
  }

  // What it has used counts no more.
  template <class Record>
  void reset_usage(const Record& record) {
    put(record);
    ops_.back().set_reset_usage(true);
  }

  // What is said first where the service denies a change of what is there.
  void set_denied_note(std::string_view note) { denied_note_ = note; }

  // Would the service do it? With -i it does. False: why not has been said, after `problem`.
  bool begin(std::string_view problem = kErrorWithRequest);
  // Without asking.
  bool at_once() { return empty() || carried_out(false, kErrorWithRequest); }
  // After a good beginning: asks, and does it or says " Changes Discarded". True: it is done.
  bool finish();

 private:
  Result<v1::ChangeBooksResponse> send(bool check_only);
  void explain(const Error& error, std::string_view problem);
  bool carried_out(bool check_only, std::string_view problem);
  Session& session_;
  std::vector<v1::BooksOp> ops_;
  std::string_view denied_note_ = "Your user doesn't have privilege to perform this action";
};

// The cluster whose usage is meant is said where none was named. False: one is not known.
bool tell_cluster_of_usage(Session& session, const Names& clusters, const v1::BooksResponse& books);

// RawUsage=0 of these records, and nothing else.
template <class Record>
void reset_usage(Session& session, const std::string& value, const v1::BooksResponse& books,
                 const Names& clusters, const std::vector<const Record*>& records) {
  if (value != "0") return session.error("Raw usage can only be set to 0 (zero)");
  if (!tell_cluster_of_usage(session, clusters, books)) return;
  Change change(session);
  for (const Record* record : records) change.reset_usage(*record);
  change.at_once();
}

// The words of `modify`: what stands before "set" and after "where" chooses, the rest is set.
struct ModifyWords {
  std::vector<Word> where, set;
};
ModifyWords split_modify(Words words);

// The conditions among them, one after the other; `take` says whether it knows the word.
template <class Where>
void take_conditions(Session& session, const std::vector<Word>& words, Where& where,
                     bool (*take)(Where& where, const Word& word)) {
  for (const Word& word : words) {
    if (take(where, word)) continue;
    session.complain(" Unknown condition: " + word.text + "\n Use keyword 'set' to modify value\n");
  }
}
void complain_of_option(Session& session, const Word& word);

// Nothing was complained of since `before`, there is something to set, and where nothing chooses,
// everything is meant.
bool may_modify(Session& session, unsigned before, bool sets, bool chooses);

// RawUsage=0 is carried out by itself; beside other settings these would be forgotten.
void complain_unless_alone(Session& session, const ModifyWords& words, bool sets_usage);

// "  name\n" for each.
std::string indented(const Names& lines);

// The clusters meant: those that were named, all of which must exist, else all. Nothing: it has
// been said.
std::optional<Names> chosen_clusters(Session& session, const Names& typed,
                                     const v1::BooksResponse& books);

}  // namespace grappe::sacctmgr
