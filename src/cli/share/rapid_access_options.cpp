// The command line of `grappe rapid-access`.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/text.h"
#include "cli/accounts.h"
#include "cli/calls.h"
#include "cli/command.h"
#include "cli/options/option_table.h"
#include "cli/report.h"
#include "cli/share/rapid_access.h"

namespace grappe {
namespace {

struct RapidOptions {
  RapidAccessWish wish;
  bool dry_run = false;
};
using Opt = RapidOptions;

Result<double> number(Value v) {
  double out = 0;
  const auto [end, error] = std::from_chars(v.text.data(), v.text.data() + v.text.size(), out);
  if (error != std::errc() || end != v.text.data() + v.text.size()) {
    return fail(fmt::format("{}: {} is not a number", v.from, v.text));
  }
  return out;
}

template <double RapidAccessWish::*field>
Status set_number(Opt& o, Value v) {
  auto value = number(v);
  if (!value) return tl::unexpected<Error>(value.error());
  o.wish.*field = *value;
  return {};
}

Status add_users(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) o.wish.users.push_back(to_lower(word));
  return {};
}

constexpr CommandHelp kRapidAccess{.name = "grappe rapid-access",
                                   .operands = "",
                                   .purpose = "a pool of the machine for everybody, with limits"};

constexpr Option<Opt> kOptions[] = {
    {"account", 'A', Arg::required, "", "name", "the pool's account; without it: rapid",
     [](Opt& o, Value v) {
       o.wish.account = to_lower(v.text);
       return Status();
     }},
    {"all-users", 'a', Arg::none, "", "", "everybody in the books",
     [](Opt& o, Value) {
       o.wish.all_users = true;
       return Status();
     }},
    {"cpu-years", 0, Arg::required, "", "years", "limit of each user; without it: 50, 0: none",
     set_number<&RapidAccessWish::cpu_years>},
    {"dry-run", 'n', Arg::none, "", "", "only say what would change",
     [](Opt& o, Value) {
       o.dry_run = true;
       return Status();
     }},
    {"gpu-years", 0, Arg::required, "", "years", "limit of each user; without it: 10, 0: none",
     set_number<&RapidAccessWish::gpu_years>},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"share", 0, Arg::required, "", "percent", "of the machine; without it: 10",
     set_number<&RapidAccessWish::percent>},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"users", 'u', Arg::required, "", "names", "these users", add_users},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

// A name that was mistyped would have a place in the pool for ever.
Status check_users(const v1::BooksResponse& books, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool in_books = std::any_of(books.users().begin(), books.users().end(),
                                      [&](const v1::User& user) { return user.name() == name; });
    if (!in_books && !find_account(name)) return fail("there is no user " + name);
  }
  return {};
}

Result<RapidAccessPlan> make_plan(Calls& calls, const RapidAccessWish& wish) {
  v1::BooksRequest request;
  request.set_accounts(true);
  request.set_users(true);
  request.set_associations(true);
  request.set_tres(true);
  auto books = calls.call<v1::BooksResponse>("Books/List", request);
  if (!books) return tl::unexpected<Error>(books.error());
  Status known = check_users(*books, wish.users);
  if (!known) return tl::unexpected<Error>(known.error());
  return plan_rapid_access(*books, wish);
}

}  // namespace

int run_rapid_access(int argc, char** argv) {
  Opt options;
  Parsed parsed = parse_options(kRapidAccess, kOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  if (Status none = no_operands(parsed, argc, argv); !none) {
    Report("grappe rapid-access").error(none.error());
    return 1;
  }
  const Report report("grappe");
  ServiceCalls calls;
  auto plan = make_plan(calls, options.wish);
  if (plan && !options.dry_run && plan->change.ops_size() > 0) {
    auto done = calls.call<v1::ChangeBooksResponse>("Books/Change", plan->change);
    if (!done) plan = tl::unexpected<Error>(done.error());
  }
  if (!plan) {
    report.error(plan.error());
    return 1;
  }
  for (const std::string& line : plan->lines) std::puts(line.c_str());
  if (plan->change.ops_size() == 0) std::puts("nothing had to change");
  if (options.dry_run && plan->change.ops_size() > 0) std::puts("nothing was changed: --dry-run");
  return 0;
}

}  // namespace grappe
