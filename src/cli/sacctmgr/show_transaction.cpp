#include <ctime>

#include "base/datetime.h"
#include "base/text.h"
#include "cli/format/timestamp.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/listing.h"

namespace grappe::sacctmgr {
namespace {

struct TransactionCondition {
  v1::TransactionsRequest request;
  Names format;
  bool with_associations = false;
  std::string wrong_time;  // the message
};

void add_words(google::protobuf::RepeatedPtrField<std::string>* list, std::string_view text) {
  Names names;
  add_texts(names, text);
  for (std::string& name : names) list->Add(std::move(name));
}

void read_time(TransactionCondition& c, std::string_view text, bool start) {
  auto time = parse_datetime(text, std::time(nullptr), true);
  if (!time) {
    c.wrong_time = time.error().message;
  } else if (start) {
    c.request.set_start_time(*time);
  } else {
    c.request.set_end_time(*time);
  }
}

#define OBJECTS \
  [](TransactionCondition& c, const Word& w) { add_words(c.request.mutable_objects(), w.value); }

constexpr Key<TransactionCondition> kTransactionKeys[] = {
    {"Accounts", 3, OBJECTS},
    {"Action", 4,
     [](TransactionCondition& c, const Word& w) {
       add_words(c.request.mutable_actions(), w.value);
     }},
    {"Actors", 4,
     [](TransactionCondition& c, const Word& w) {
       add_words(c.request.mutable_actors(), w.value);
     }},
    {"Clusters", 3, OBJECTS},
    {"End", 1, [](TransactionCondition& c, const Word& w) { read_time(c, w.value, false); }},
    {"Start", 1, [](TransactionCondition& c, const Word& w) { read_time(c, w.value, true); }},
    {"Users", 1, OBJECTS},
};

// "C = mine       A = cs         U = alice    ": what stands after a letter.
std::string after_letter(std::string_view where, char letter) {
  const std::vector<std::string_view> words = split_words(where, " ");
  for (size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i].size() == 1 && words[i][0] == letter && words[i + 1] == "=") {
      return std::string(words[i + 2]);
    }
  }
  return "";
}

// Whom a transaction concerned: it is in its name, or in that of the association.
std::string concerned(const v1::Transaction& one, std::string_view kind, char letter) {
  return one.action().ends_with(kind) ? one.where() : after_letter(one.where(), letter);
}

bool take_transaction_word(TransactionCondition& condition, const Word& word) {
  if (!word.has_value && is_key(word, "WithAssoc", 5)) return condition.with_associations = true;
  return take_format(condition.format, word) ||
         set_by_key<TransactionCondition>(kTransactionKeys, condition, word);
}

}  // namespace

void show_transactions(Session& session, Words words) {
  TransactionCondition condition;
  if (!read_conditions(session, words, condition, take_transaction_word, "")) return;
  if (!condition.wrong_time.empty()) return session.error(condition.wrong_time);
  std::string columns = "Time,Action,Actor,Where,Info";
  if (condition.with_associations) columns += ",User,Account,Cluster";
  auto listing = Listing::make(session, condition.format, columns);
  if (!listing) return;
  auto found =
      session.calls.call<v1::TransactionsResponse>("Books/Transactions", condition.request);
  if (!found) return session.error(found.error().message);
  const TimestampFormat times = TimestampFormat::from_environment(std::time(nullptr));
  for (const v1::Transaction& one : found->transactions()) {
    listing->row([&](F field) {
      std::string value;
      if (field == F::kTime) times.append(value, one.time());
      if (field == F::kAction) value = one.action();
      if (field == F::kActor) value = one.actor();
      if (field == F::kWhere) value = one.where();
      if (field == F::kInfo) value = one.info();
      if (field == F::kUser) value = concerned(one, " Users", 'U');
      if (field == F::kAccount) value = concerned(one, " Accounts", 'A');
      if (field == F::kCluster) value = concerned(one, " Clusters", 'C');
      return value;
    });
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
