// `grappe boost`: a higher place in the queue for a while.
#include <fmt/core.h>
#include <unistd.h>

#include <ctime>

#include "base/datetime.h"
#include "base/text.h"
#include "cli/accounts.h"
#include "cli/calls.h"
#include "cli/command.h"
#include "cli/docs/option_tables.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "grappe/v1/boosts.pb.h"

namespace grappe {
namespace {

using Change = v1::ChangeBoostRequest;

struct BoostOptions {
  Change change;
  bool changes = false;
  std::string until;
};

Status choose(BoostOptions& o, Change::Action action, std::string_view user) {
  if (o.changes) return fail("--ask, --grant and --end exclude each other");
  o.changes = true;
  o.change.set_action(action);
  o.change.set_user(std::string(user));
  return {};
}

constexpr CommandHelp kBoost{
    .name = "grappe boost",
    .operands = "",
    .purpose = "a higher place in the queue for a while: ask for it, grant it, see it"};
constexpr Option<BoostOptions> kBoostOptions[] = {
    {"ask", 'a', Arg::none, "", "", "ask for one for your own jobs",
     [](BoostOptions& o, Value) {
       const auto own = find_account(geteuid());
       return choose(o, Change::ASK, own ? own->name : "");
     }},
    {"grant", 'g', Arg::required, "", "user", "grant it (operators)",
     [](BoostOptions& o, Value v) { return choose(o, Change::GRANT, v.text); }},
    {"end", 'e', Arg::required, "", "user", "end it, or take back what was asked for",
     [](BoostOptions& o, Value v) { return choose(o, Change::END, v.text); }},
    {"until", 'u', Arg::required, "", "time", "when it ends by itself",
     [](BoostOptions& o, Value v) {
       o.until = v.text;
       return Status();
     }},
    {"points", 'p', Arg::required, "", "number", "added to the priority (100000)",
     [](BoostOptions& o, Value v) {
       const auto points = parse_uint(v.text, 1'000'000'000);
       if (!points) return Status(fail("--points takes a number, not " + std::string(v.text)));
       o.change.set_points(static_cast<int64_t>(*points));
       return Status();
     }},
    {"reason", 'r', Arg::required, "", "text", "why",
     [](BoostOptions& o, Value v) {
       o.change.set_reason(std::string(v.text));
       return Status();
     }},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

std::string line_of(const v1::Boost& boost, int64_t now) {
  const std::string until = format_datetime(boost.until(), "", now);
  const std::string why = boost.reason().empty() ? "" : ": " + boost.reason();
  if (boost.granted()) {
    return fmt::format("{}: {} points until {}, granted by {}{}\n", boost.user(), boost.points(),
                       until, boost.granted_by(), why);
  }
  return fmt::format("{}: asks for {} points until {}{}\n  grappe boost --grant={}\n", boost.user(),
                     boost.points(), until, why, boost.user());
}

Result<v1::BoostsResponse> carry_out(Calls& calls, BoostOptions& options) {
  if (!options.changes) return calls.call<v1::BoostsResponse>("Boosts/List", v1::BoostsRequest());
  if (!options.until.empty()) {
    auto until = parse_datetime(options.until, std::time(nullptr), false);
    if (!until) return tl::unexpected<Error>(until.error());
    options.change.set_until(*until);
  }
  return calls.call<v1::BoostsResponse>("Boosts/Change", options.change);
}

}  // namespace

int run_boost(int argc, char** argv) {
  BoostOptions options;
  Parsed parsed = parse_options(kBoost, kBoostOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  if (Status none = no_operands(parsed, argc, argv); !none) {
    Report("grappe boost").error(none.error());
    return 1;
  }
  ServiceCalls calls;
  auto boosts = carry_out(calls, options);
  if (!boosts) {
    Report("grappe boost").error(boosts.error());
    return 1;
  }
  Output output;
  for (const v1::Boost& boost : boosts->boosts()) output.text() += line_of(boost, boosts->now());
  if (boosts->boosts().empty()) output.text() += "There are no boosts.\n";
  return 0;
}

}  // namespace grappe
