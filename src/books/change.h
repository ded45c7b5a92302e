// A change of the books: tried on a copy, whole or not at all.
//
// Pure: what it needs to know of jobs it asks `jobs_in_the_way`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "books/books.h"
#include "books/roles.h"

namespace grappe {

struct ChangeContext {
  Role role;
  int64_t now = 0;
  std::string cluster;  // the one that this service is
  // Unfinished jobs of an association, a line for each: it can't be removed while there are any.
  std::function<std::vector<std::string>(const v1::Association&)> jobs_in_the_way;
};

// The books after the change, and what the log of transactions says of it.
struct ChangedBooks {
  Books books;
  std::vector<v1::Transaction> transactions;
};

Result<ChangedBooks> change_books(const Books& books, const ChangeContext& context,
                                  const v1::ChangeBooksRequest& request);

// What every cluster begins with: the root account with the user root, and the QoS "normal".
// `owner`, who has started the service, may use it at once. True if anything was missing.
bool add_first_records(Books& books, const std::string& cluster, const std::string& owner,
                       const std::vector<std::string>& tres, int64_t now);

// A place for a user who has none, beside all others of that kind. False: there is one.
inline constexpr char kCommonAccount[] = "users";
bool add_place(Books& books, const std::string& cluster, const std::string& user, int64_t now);

}  // namespace grappe
