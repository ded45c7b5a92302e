// `grappe rapid-access`: a pool that everybody may use without having won anything, as ordinary
// associations: an account with a small share of the machine, and in it each user with a limit.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "grappe/v1/books.pb.h"

namespace grappe {

struct RapidAccessWish {
  std::string account = "rapid";
  double percent = 10;                    // of the shares at its level
  double cpu_years = 50, gpu_years = 10;  // of each user; 0: no limit
  std::vector<std::string> users;
  bool all_users = false;  // all that are in the books
};

struct RapidAccessPlan {
  v1::ChangeBooksRequest change;   // nothing in it: everything is so already
  std::vector<std::string> lines;  // what it does, for people
};

// Pure: the same wish twice changes nothing the second time.
Result<RapidAccessPlan> plan_rapid_access(const v1::BooksResponse& books,
                                          const RapidAccessWish& wish);

}  // namespace grappe
