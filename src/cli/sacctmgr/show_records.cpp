// Lists of the smaller records: TRES, wckeys, and what is wrong with the books.
#include "base/text.h"
#include "cli/accounts.h"
#include "cli/sacctmgr/associations.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/listing.h"

namespace grappe::sacctmgr {
namespace {

struct TresCondition {
  Names types, names, ids, format;
};
constexpr Key<TresCondition> kTresKeys[] = {
    {"Type", 2, [](TresCondition& c, const Word& w) { add_wanted(c.types, w.value); }},
    {"Names", 1, [](TresCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Ids", 1, [](TresCondition& c, const Word& w) { add_wanted(c.ids, w.value); }},
};

bool take_tres_word(TresCondition& condition, const Word& word) {
  if (!word.has_value && is_key(word, "WithDeleted", 5)) return true;  // a TRES is never deleted
  if (!word.has_value) {
    add_wanted(condition.types, word.value);
    return true;
  }
  return take_format(condition.format, word) ||
         set_by_key<TresCondition>(kTresKeys, condition, word);
}

struct WckeyCondition {
  Names names, clusters, users, ids, format;
  bool deleted = false;
};
constexpr Key<WckeyCondition> kWckeyKeys[] = {
    {"WCKeys", 3, [](WckeyCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Names", 3, [](WckeyCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Ids", 1, [](WckeyCondition& c, const Word& w) { add_wanted(c.ids, w.value); }},
    {"Clusters", 3, [](WckeyCondition& c, const Word& w) { add_wanted(c.clusters, w.value); }},
    {"Users", 1, [](WckeyCondition& c, const Word& w) { add_wanted(c.users, w.value); }},
};

bool take_wckey_word(WckeyCondition& condition, const Word& word) {
  if (!word.has_value && is_key(word, "WithDeleted", 5)) return condition.deleted = true;
  if (!word.has_value) {
    add_wanted(condition.names, word.value);
    return true;
  }
  return take_format(condition.format, word) ||
         set_by_key<WckeyCondition>(kWckeyKeys, condition, word);
}

bool matches(const WckeyCondition& c, const v1::Wckey& wckey) {
  return admits(c.names, wckey.name()) && admits(c.clusters, wckey.cluster()) &&
         admits(c.users, wckey.user()) && admits(c.ids, std::to_string(wckey.id()));
}

struct ProblemCondition {
  AssociationCondition associations;
  Names format;
};

bool take_problem_word(ProblemCondition& condition, const Word& word) {
  if (!word.has_value && is_key(word, "Tree", 4)) return true;  // nothing is indented here
  return take_format(condition.format, word) ||
         set_association_flag(condition.associations, word) ||
         set_association_condition(condition.associations, word);
}

// What keeps the association from being used; empty: nothing.
std::string_view problem_of(const v1::Association& record, const v1::BooksResponse& books) {
  if (!record.user().empty()) return find_account(record.user()) ? "" : "User has no uid";
  const bool used =
      std::any_of(books.associations().begin(), books.associations().end(),
                  [&](const v1::Association& other) { return other.parent_id() == record.id(); });
  return used ? "" : "Account has no users";
}

}  // namespace

void show_tres(Session& session, Words words) {
  TresCondition condition;
  if (!read_conditions(session, words, condition, take_tres_word)) return;
  auto listing = Listing::make(session, condition.format, "Type,Name%15,ID");
  if (!listing) return;
  auto books = session.books(kTres);
  if (!books) return;
  for (const v1::Tres& tres : books->tres()) {
    if (!admits(condition.types, to_lower(tres.type())) ||
        !admits(condition.names, to_lower(tres.name())) ||
        !admits(condition.ids, std::to_string(tres.id()))) {
      continue;
    }
    listing->row([&](F field) {
      if (field == F::kType) return tres.type();
      if (field == F::kName) return tres.name();
      return field == F::kId ? std::to_string(tres.id()) : "";
    });
  }
  listing->print();
}

void show_wckeys(Session& session, Words words) {
  WckeyCondition condition;
  if (!read_conditions(session, words, condition, take_wckey_word, "")) return;
  auto listing = Listing::make(session, condition.format, "Name,Cluster,User");
  if (!listing) return;
  auto books = session.books(kWckeys | kUsers, condition.deleted);
  if (!books) return;
  if (books->my_level() == v1::ADMIN_NONE) {
    session.error("Your user doesn't have privilege to perform this action");
    return session.complain(" Error with request: Access/permission denied\n");
  }
  listing->retitle(F::kName, "WCKey");
  for (const v1::Wckey& wckey : books->wckeys()) {
    if (!matches(condition, wckey)) continue;
    listing->row([&](F field) {
      if (field == F::kName || field == F::kWckeys) return wckey.name();
      if (field == F::kCluster) return wckey.cluster();
      if (field == F::kUser) return wckey.user();
      return field == F::kId ? std::to_string(wckey.id()) : "";
    });
  }
  listing->print();
}

// There is one cluster, so there are none.
void show_federations(Session& session, Words words) {
  Names format;
  const auto take = [](Names& typed, const Word& word) {
    return take_format(typed, word) || is_key(word, "Names", 1) || is_key(word, "Clusters", 1) ||
           !word.has_value;
  };
  if (!read_conditions<Names>(session, words, format, take)) return;
  auto listing = Listing::make(session, format, "Federation,Cluster,ID%2,Features,FedState");
  if (listing) listing->print();
}

void show_problems(Session& session, Words words) {
  ProblemCondition condition;
  if (!read_conditions(session, words, condition, take_problem_word, "")) return;
  auto listing = Listing::make(session, condition.format, "Cl,Acct,User,Problem");
  if (!listing) return;
  auto books = session.books(kAssociations | kUsers);
  if (!books) return;
  if (books->my_level() == v1::ADMIN_NONE) {
    session.error("Access/permission denied");
    return session.complain(" Error with request: Access/permission denied\n");
  }
  for (const v1::Association& record : books->associations()) {
    const std::string_view problem = problem_of(record, *books);
    if (problem.empty() || !matches(condition.associations, record, *books)) continue;
    listing->row([&](F field) {
      if (field == F::kCluster) return record.cluster();
      if (field == F::kAccount) return record.account();
      if (field == F::kUser) return record.user();
      return field == F::kProblem ? std::string(problem) : "";
    });
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
