// Who used how much: by account, by user, by workload key.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "cli/accounts.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/sreport/conditions.h"
#include "cli/sreport/reports.h"
#include "cli/sreport/table.h"
#include "grappe/v1/reports.pb.h"

namespace grappe::sreport {
namespace {

using Seconds = google::protobuf::Map<std::string, uint64_t>;

// A user, an account or a workload key, before it is shown once for each resource.
struct UsageOf {
  std::string account, login, wckey;
  Seconds seconds;
};

struct UsageLine {
  std::string cluster;
  const UsageOf* of = nullptr;
  std::string tres;
  uint64_t count = 0;  // the cluster has
  uint64_t total = 0;  // the cluster reports
};

uint64_t seconds_of(const Seconds& seconds, const std::string& tres) {
  const auto found = seconds.find(tres);
  return found == seconds.end() ? 0 : found->second;
}

std::string full_name(const std::string& login) {
  const auto account = login.empty() ? std::nullopt : find_account(login);
  return account ? account->full_name : "";
}

#define SHOW_USAGE(expression) [](const UsageLine& line, const Session&) { return (expression); }

std::string used(const UsageLine& line, const Session& session) {
  return format_time(seconds_of(line.of->seconds, line.tres), line.total, session.time);
}
std::string energy(const UsageLine& line, const Session& session) {
  return format_time(seconds_of(line.of->seconds, "energy"), 0, session.time);
}
std::optional<uint64_t> used_seconds(const UsageLine& line) {
  return seconds_of(line.of->seconds, line.tres);
}
std::optional<uint64_t> energy_seconds(const UsageLine& line) {
  return seconds_of(line.of->seconds, "energy");
}

constexpr std::array<Field<UsageLine>, 11> kUsageFields{{
    {"Accounts", 2, "Account", 15, SHOW_USAGE(line.of->account)},
    {"Cluster", 2, "Cluster", 9, SHOW_USAGE(line.cluster)},
    {"Count", 2, "TRES Count", 10, SHOW_USAGE(std::to_string(line.count))},
    {"CpuCount", 2, "TRES Count", 10, SHOW_USAGE(std::to_string(line.count))},
    {"Energy", 1, "Energy", 8, energy, energy_seconds},
    {"Login", 1, "Login", 9, SHOW_USAGE(line.of->login)},
    {"Proper", 2, "Proper Name", 15, SHOW_USAGE(full_name(line.of->login))},
    {"TresCount", 5, "TRES Count", 10, SHOW_USAGE(std::to_string(line.count))},
    {"TresName", 5, "TRES Name", 14, SHOW_USAGE(line.tres)},
    {"Used", 1, "Used", 8, used, used_seconds},
    {"WCKey", 2, "WCKey", 15, SHOW_USAGE(line.of->wckey)},
}};

constexpr std::array<Field<UsageLine>, 7> kTopFields{{
    {"Account", 1, "Account", 15, SHOW_USAGE(line.of->account)},
    {"Cluster", 1, "Cluster", 9, SHOW_USAGE(line.cluster)},
    {"Energy", 1, "Energy", 8, energy, energy_seconds},
    {"Login", 1, "Login", 9, SHOW_USAGE(line.of->login)},
    {"Proper", 1, "Proper Name", 15, SHOW_USAGE(full_name(line.of->login))},
    {"TresName", 5, "TRES Name", 14, SHOW_USAGE(line.tres)},
    {"Used", 1, "Used", 8, used, used_seconds},
}};

constexpr std::array<ConditionRow, 10> kUsageWords{{
    {"All_Clusters", nullptr, nullptr, &Conditions::all_clusters},
    {"Tree", nullptr, nullptr, &Conditions::tree},
    {"Accounts", &Conditions::accounts},
    {"Acct", &Conditions::accounts},
    {"Clusters", &Conditions::clusters},
    {"End", nullptr, &Conditions::end},
    {"Format", nullptr, &Conditions::format},
    {"Start", nullptr, &Conditions::start},
    {"Users", &Conditions::users},
    {"WCKeys", &Conditions::wckeys},
}};

constexpr std::array<ConditionRow, 9> kTopWords{{
    {"All_Clusters", nullptr, nullptr, &Conditions::all_clusters},
    {"Group", nullptr, nullptr, &Conditions::group_accounts},
    {"Accounts", &Conditions::accounts},
    {"Clusters", &Conditions::clusters},
    {"End", nullptr, &Conditions::end},
    {"Format", nullptr, &Conditions::format},
    {"Start", nullptr, &Conditions::start},
    {"TopCount"},
    {"Users", &Conditions::users},
}};

// What a report is made of, once it is known what is asked for.
struct Asked {
  Conditions conditions;
  Window window;
  v1::UsageResponse usage;
};

std::optional<Asked> ask(Session& session, std::span<const ConditionRow> rows, Words words) {
  Asked asked;
  read_conditions(session, rows, words, asked.conditions);
  auto window = window_for(session, asked.conditions);
  if (!window) return std::nullopt;
  asked.window = *window;
  if (!concerns_us(session, asked.conditions)) return asked;
  v1::UsageRequest request;
  request.set_start_time(window->start);
  request.set_end_time(window->end);
  auto usage = session.calls.call<v1::UsageResponse>("Reports/Usage", request);
  if (!usage) {
    session.exit_code = 1;
    Report("sreport").error(usage.error());
    return std::nullopt;
  }
  asked.usage = std::move(*usage);
  return asked;
}

uint64_t reported(const v1::ClusterUsage& use) {
  return use.allocated() + use.down() + use.planned_down() + use.idle() + use.planned();
}

// Which columns a report has when format= does not say it, without --tres and with it.
struct Layout {
  std::string title, columns, columns_with_tres;
  std::span<const Field<UsageLine>> fields = kUsageFields;
};

void print(Session& session, const Asked& asked, const Layout& layout,
           const std::vector<UsageOf>& list) {
  Output output;
  append_head(
      output.text(), session,
      fmt::format("{} {} ({} secs)", layout.title, asked.window.text(), asked.window.seconds()),
      usage_units(session, session.tres_given ? "TRES" : "CPU"));
  std::vector<UsageLine> lines;
  for (const UsageOf& of : list) {
    for (const std::string& tres : session.tres) {
      UsageLine line{asked.usage.cluster(), &of, tres, 0, 0};
      for (const v1::ClusterUsage& use : asked.usage.utilization()) {
        if (use.tres() != tres) continue;
        line.count = use.count();
        line.total = reported(use);
      }
      lines.push_back(std::move(line));
    }
  }
  std::string format = asked.conditions.format;
  if (format.empty()) {
    format = session.tres_given ? layout.columns_with_tres : layout.columns;
  }
  append_table<UsageLine>(output.text(), session, layout.fields, format, lines);
}

// Most of the first resource first.
void sort_by_use(const Session& session, std::vector<UsageOf>& list) {
  if (session.tres.empty()) return;
  const std::string& tres = session.tres.front();
  std::stable_sort(list.begin(), list.end(), [&](const UsageOf& a, const UsageOf& b) {
    if (session.by_name && a.login != b.login) return a.login < b.login;
    return seconds_of(a.seconds, tres) > seconds_of(b.seconds, tres);
  });
}

bool of_account(const Conditions& conditions, const v1::AssociationUsage& usage) {
  return conditions.accounts.empty() ||
         std::any_of(usage.lineage().begin(), usage.lineage().end(),
                     [&](const std::string& name) { return chosen(conditions.accounts, name); });
}

// Those that are last in the tree first, as Slurm has them.
std::vector<UsageOf> users_with_accounts(const Asked& asked) {
  std::vector<UsageOf> list;
  for (int i = asked.usage.associations_size() - 1; i >= 0; --i) {
    const v1::AssociationUsage& usage = asked.usage.associations(i);
    if (usage.user().empty() || !chosen(asked.conditions.users, usage.user()) ||
        !chosen(asked.conditions.accounts, usage.account())) {
      continue;
    }
    list.push_back({usage.account(), usage.user(), "", usage.seconds()});
  }
  return list;
}

void add(Seconds& into, const Seconds& more) {
  for (const auto& [tres, seconds] : more) into[tres] += seconds;
}

// Several associations of a user in one account (by partition), or with `group` all of his.
std::vector<UsageOf> joined(std::vector<UsageOf> list, bool group) {
  std::vector<UsageOf> out;
  std::map<std::pair<std::string, std::string>, size_t> places;
  for (UsageOf& of : list) {
    auto [place, is_new] = places.emplace(std::pair(of.login, group ? "" : of.account), out.size());
    if (is_new) {
      out.push_back(std::move(of));
      continue;
    }
    UsageOf& same = out[place->second];
    add(same.seconds, of.seconds);
    const auto known = split_words(same.account, ", ");
    if (group && std::find(known.begin(), known.end(), of.account) == known.end()) {
      same.account += ", " + of.account;
    }
  }
  return out;
}

std::vector<UsageOf> by_wckey(const Asked& asked) {
  std::vector<UsageOf> list;
  for (const v1::WckeyUsage& usage : asked.usage.wckeys()) {
    if (!chosen(asked.conditions.users, usage.user()) ||
        !chosen(asked.conditions.wckeys, usage.wckey())) {
      continue;
    }
    list.push_back({"", usage.user(), usage.wckey(), usage.seconds()});
  }
  return list;
}

}  // namespace

void report_account_by_user(Session& session, Words words) {
  auto asked = ask(session, kUsageWords, words);
  if (!asked) return;
  // Of some users no sums of accounts are told.
  std::vector<UsageOf> list;
  if (!asked->conditions.users.empty()) list = users_with_accounts(*asked);
  for (const v1::AssociationUsage& usage : asked->usage.associations()) {
    if (!asked->conditions.users.empty() || !of_account(asked->conditions, usage)) continue;
    const std::string indent(asked->conditions.tree ? usage.depth() : 0, ' ');
    list.push_back({indent + usage.account(), usage.user(), "", usage.seconds()});
  }
  const std::string account = asked->conditions.tree ? "Ac%-20" : "Ac";
  print(session, *asked,
        {"Cluster/Account/User Utilization", "Cluster," + account + ",Login,Proper,Used,Energy",
         "Cluster," + account + ",Login,Proper,TresName,Used"},
        list);
}

void report_user_by_account(Session& session, Words words) {
  auto asked = ask(session, kUsageWords, words);
  if (!asked) return;
  auto list = joined(users_with_accounts(*asked), false);
  sort_by_use(session, list);
  print(session, *asked,
        {"Cluster/User/Account Utilization", "Cluster,Login,Proper,Ac,Used,Energy",
         "Cluster,Login,Proper,Ac,TresName,Used"},
        list);
}

void report_user_by_wckey(Session& session, Words words) {
  auto asked = ask(session, kUsageWords, words);
  if (!asked) return;
  auto list = by_wckey(*asked);
  sort_by_use(session, list);
  print(session, *asked,
        {"Cluster/User/WCKey Utilization", "Cluster,Login,Proper,WCkey,Used",
         "Cluster,Login,Proper,WCkey,TresName,Used"},
        list);
}

void report_wckey_by_user(Session& session, Words words) {
  auto asked = ask(session, kUsageWords, words);
  if (!asked) return;
  std::vector<UsageOf> list;
  const auto users = by_wckey(*asked);
  for (size_t i = 0; i < users.size(); ++i) {
    // Each key with the sum of its users first.
    if (i == 0 || users[i].wckey != users[i - 1].wckey) {
      UsageOf sum{"", "", users[i].wckey, {}};
      for (const UsageOf& of : users) {
        if (of.wckey == sum.wckey) add(sum.seconds, of.seconds);
      }
      list.push_back(std::move(sum));
    }
    list.push_back(users[i]);
  }
  print(session, *asked,
        {"Cluster/WCKey/User Utilization", "Cluster,WCKey,Login,Proper,Used",
         "Cluster,WCKey,Login,Proper,TresName,Used"},
        list);
}

void report_top_users(Session& session, Words words) {
  auto asked = ask(session, kTopWords, words);
  if (!asked) return;
  auto list = joined(users_with_accounts(*asked), asked->conditions.group_accounts);
  sort_by_use(session, list);
  const uint32_t most = asked->conditions.top_count;
  if (list.size() > most) list.resize(std::max(most, 1u));
  print(session, *asked,
        {fmt::format("Top {} Users", most), "Cl,L,P,A,U,Energy", "Cl,L,P,A,TresName,Used",
         kTopFields},
        list);
}

}  // namespace grappe::sreport
