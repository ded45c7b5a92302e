#include "cli/sreport/commands.h"

#include <fmt/core.h>

#include <cstdio>

#include "base/text.h"
#include "cli/options/option_table.h"
#include "cli/sreport/reports.h"
#include "cli/sreport/session.h"

namespace grappe::sreport {
namespace {

struct ReportName {
  std::string_view kind, name;
  size_t shortest;  // so many letters are enough
  void (*run)(Session& session, Words words);
  std::string_view help;
};

constexpr ReportName kReports[] = {
    {"cluster", "AccountUtilizationByUser", 1, report_account_by_user,
     "accounts of the tree with their users"},
    {"cluster", "UserUtilizationByAccount", 18, report_user_by_account,
     "users by use, a line for each of their accounts"},
    {"cluster", "UserUtilizationByWckey", 18, report_user_by_wckey,
     "users by use, a line for each of their workload keys"},
    {"cluster", "Utilization", 2, report_utilization,
     "how much of the cluster was allocated, down, idle"},
    {"cluster", "WCKeyUtilizationByUser", 1, report_wckey_by_user,
     "workload keys with their users"},
    {"job", "SizesByAccount", 1, report_sizes_by_account, "use by size of jobs and account"},
    {"job", "SizesByWcKey", 8, report_sizes_by_wckey, "use by size of jobs and workload key"},
    {"job", "SizesByAccountAndWcKey", 15, report_sizes_by_account_and_wckey,
     "use by size of jobs, account and workload key"},
    {"reservation", "Utilization", 1, report_reservations, "what was used of reservations"},
    {"user", "TopUsage", 1, report_top_users, "those who used most"},
};

struct Kind {
  std::string_view name;
  size_t shortest;
  std::string_view valid;  // after "Valid ... reports are, "
};

constexpr Kind kKinds[] = {
    {"cluster", 2,
     R"("AccountUtilizationByUser", "UserUtilizationByAccount", "UserUtilizationByWckey", )"
     R"("Utilization", and "WCKeyUtilizationByUser")"},
    {"job", 1, R"("SizesByAccount, SizesByAccountAndWcKey, and  SizesByWckey")"},
    {"reservation", 2, R"("Utilization")"},
    {"resv", 2, R"("Utilization")"},
    {"user", 1, R"("Top")"},
};

bool abbreviates(std::string_view word, std::string_view name, size_t shortest) {
  return word.size() >= shortest && istarts_with(name, word);
}

void say_wrong(Session& session, const std::string& text) {
  session.exit_code = 1;
  std::fprintf(stderr, "%s\n", text.c_str());
}

void run_report(Session& session, const Kind& kind, Words words) {
  const std::string_view name = kind.name == "resv" ? "reservation" : kind.name;
  if (words.size() < 2) return say_wrong(session, "too few arguments for keyword:" + words[0]);
  const std::string& typed = words[1];
  for (const ReportName& report : kReports) {
    if (report.kind == name && abbreviates(typed, report.name, report.shortest)) {
      return report.run(session, words.subspan(2));
    }
  }
  say_wrong(session,
            fmt::format("Not valid report {}\nValid {} reports are, {}", typed, name, kind.valid));
}

void set_time(Session& session, Words words) {
  if (words.size() < 2) return say_wrong(session, "too few arguments for keyword:" + words[0]);
  if (auto form = parse_time_form(words[1])) {
    session.time = *form;
  } else {
    say_wrong(session, unknown_time_form(words[1]).message);
  }
}

void set_order(Session& session, Words words) {
  if (words.size() < 2) return say_wrong(session, "too few arguments for keyword:" + words[0]);
  auto by_name = parse_sort(words[1]);
  if (!by_name) return say_wrong(session, by_name.error().message);
  session.by_name = *by_name;
}

// What is not a report.
struct Keyword {
  std::string_view name;
  size_t shortest;
  void (*run)(Session& session, Words words);
  std::string_view help;
};

constexpr Keyword kKeywords[] = {
    {"help", 2, [](Session&, Words) { std::fputs(commands_help().c_str(), stdout); },
     "show the commands"},
    {"quiet", 4, [](Session& s, Words) { s.quiet = true; }, "only errors"},
    {"exit", 1, [](Session& s, Words) { s.ended = true; }, "end"},
    {"quit", 4, [](Session& s, Words) { s.ended = true; }, "end"},
    {"nonparsable", 4, [](Session& s, Words) { s.style.kind = ReportStyle::kTable; },
     "tables again"},
    {"parsable", 8, [](Session& s, Words) { s.style.kind = ReportStyle::kBars; },
     "fields between bars, one at the end"},
    {"parsable2", 9, [](Session& s, Words) { s.style.kind = ReportStyle::kBarsBetween; },
     "fields between bars"},
    {"sort", 1, set_order, "Time or Name: the order of users"},
    {"time", 1, set_time, "the form of times: Seconds, Minutes, Hours, Percent, SecPer ..."},
    {"verbose", 4, [](Session& s, Words) { ++s.verbosity; }, "say more"},
    {"version", 4,
     [](Session&, Words) { std::printf("%s\n", std::string(version_line()).c_str()); },
     "show the version"},
};

}  // namespace

Error unknown_time_form(std::string_view text) {
  return Error{0, fmt::format("unknown time format {}", text), {}};
}

Result<bool> parse_sort(std::string_view text) {
  if (abbreviates(text, "Name", 1)) return true;
  if (abbreviates(text, "Time", 1)) return false;
  return fail(fmt::format("unknown timesort format {}", text));
}

std::vector<std::pair<std::string, std::string>> report_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const ReportName& report : kReports) {
    names.emplace_back(fmt::format("{} {}", report.kind, report.name), report.help);
  }
  return names;
}

std::string commands_help() {
  std::string out = "\nReports:\n";
  for (const auto& [name, help] : report_names()) out += fmt::format("  {:<36}{}\n", name, help);
  out += "\nCommands:\n";
  for (const Keyword& keyword : kKeywords) {
    out += fmt::format("  {:<36}{}\n", keyword.name, keyword.help);
  }
  return out +
         "\nConditions after a report: start=, end=, format=, accounts=, users=, clusters= and "
         "others; see the manual.\n";
}

void run_line(Session& session, Words words) {
  if (words.empty()) return;
  for (const Kind& kind : kKinds) {
    if (abbreviates(words[0], kind.name, kind.shortest)) return run_report(session, kind, words);
  }
  for (const Keyword& keyword : kKeywords) {
    if (abbreviates(words[0], keyword.name, keyword.shortest)) return keyword.run(session, words);
  }
  say_wrong(session, "invalid keyword: " + words[0]);
}

}  // namespace grappe::sreport
