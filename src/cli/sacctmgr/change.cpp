#include "cli/sacctmgr/change.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/slurm_error.h"

namespace grappe::sacctmgr {

v1::BooksOp& Change::add() {
  return ops_.emplace_back();
}

void Change::put_together(const std::vector<v1::Association>& records) {
  const auto is_parent = [&](const v1::Association& record) {
    return std::any_of(records.begin(), records.end(), [&](const v1::Association& other) {
      return &other != &record && record.user().empty() && other.parent() == record.account();
    });
  };
  for (const v1::Association& record : records) {
    if (is_parent(record)) put(record);
  }
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (!is_parent(*record)) put(*record);
  }
}

Result<v1::ChangeBooksResponse> Change::send(bool check_only) {
  v1::ChangeBooksRequest request;
  for (const v1::BooksOp& op : ops_) *request.add_ops() = op;
  request.set_check_only(check_only);
  return session_.calls.call<v1::ChangeBooksResponse>("Books/Change", request);
}

void Change::explain(const Error& error, std::string_view problem) {
  const Names lines(error.notes.begin(), error.notes.end());
  if (error.code == kErrJobsActive) {
    return session_.complain(fmt::format("{}: {}\n{}", problem, error.message, indented(lines)));
  }
  if (error.code == kErrNoRemoveDefaultAccount) {
    return session_.complain(fmt::format(
        "{}: {}\n{} You must change the default account of these users or remove the users "
        "completely from the affected clusters to allow these changes.\n Changes Discarded\n",
        problem, error.message, indented(lines)));
  }
  for (const std::string& note : error.notes) session_.error(note);
  const bool denied = error.code == kErrAccessDenied && error.notes.empty();
  if (denied && problem == kErrorWithRequest) session_.error(denied_note_);
  session_.complain(fmt::format("{}: {}\n", problem, error.message));
}

bool Change::carried_out(bool check_only, std::string_view problem) {
  auto done = send(check_only);
  if (!done) {
    explain(done.error(), problem);
    return false;
  }
  if (done->in_the_way().empty()) return true;
  Error error{kErrJobsActive, slurm_error_text(kErrJobsActive), {}};
  error.notes.assign(done->in_the_way().begin(), done->in_the_way().end());
  explain(error, problem);
  return false;
}

bool Change::begin(std::string_view problem) {
  return carried_out(!session_.immediate, problem);
}

bool Change::finish() {
  if (session_.immediate) return true;
  if (session_.confirm("Would you like to commit changes?")) {
    return carried_out(false, kErrorWithRequest);
  }
  session_.say(" Changes Discarded\n");
  return false;
}

ModifyWords split_modify(Words words) {
  ModifyWords parts;
  std::vector<Word>* part = &parts.where;
  for (const std::string& text : words) {
    Word word = parse_word(text);
    if (!word.has_value && is_key(word, "Where", 5)) {
      part = &parts.where;
    } else if (!word.has_value && is_key(word, "Set", 3)) {
      part = &parts.set;
    } else {
      part->push_back(std::move(word));
    }
  }
  return parts;
}

bool tell_cluster_of_usage(Session& session, const Names& clusters,
                           const v1::BooksResponse& books) {
  for (const std::string& name : clusters) {
    const bool known =
        std::any_of(books.clusters().begin(), books.clusters().end(),
                    [&](const v1::ClusterRecord& cluster) { return cluster.name() == name; });
    if (known) continue;
    session.error("Failed to find cluster " + name + " in database");
    return false;
  }
  if (clusters.empty()) {
    session.say("No cluster specified, resetting on local cluster " + books.cluster() + "\n");
  }
  return true;
}

void complain_of_option(Session& session, const Word& word) {
  session.complain(
      fmt::format(" Unknown option: {}\n Use keyword 'where' to modify condition\n", word.text));
}

bool may_modify(Session& session, unsigned before, bool sets, bool chooses) {
  if (session.complaints != before) return false;
  if (!sets) {
    session.complain(" You didn't give me anything to set\n");
    return false;
  }
  if (chooses || session.confirm("You didn't set any conditions with 'WHERE'.\nAre you sure you "
                                 "want to continue?")) {
    return true;
  }
  session.say("Aborted\n");
  return false;
}

void complain_unless_alone(Session& session, const ModifyWords& words, bool sets_usage) {
  if (!sets_usage || words.set.size() == 1) return;
  session.complain(" RawUsage must be the only setting: give the others in a line of their own\n");
}

std::string indented(const Names& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

std::optional<Names> chosen_clusters(Session& session, const Names& typed,
                                     const v1::BooksResponse& books) {
  Names known;
  for (const v1::ClusterRecord& cluster : books.clusters()) known.push_back(cluster.name());
  if (typed.empty()) return known;
  Names chosen;
  for (const std::string& name : typed) {
    if (contains(known, name)) {
      chosen.push_back(name);
    } else {
      session.complain(
          fmt::format(" This cluster '{}' doesn't exist.\n        Contact your admin to add it to "
                      "accounting.\n",
                      name));
    }
  }
  if (chosen.empty()) return std::nullopt;
  return chosen;
}

}  // namespace grappe::sacctmgr
