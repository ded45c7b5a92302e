// How large jobs were, and what jobs of each size used.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

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

enum class SizesBy { kAccount, kWckey, kBoth };

constexpr std::array<ConditionRow, 17> kSizeWords{{
    {"All_Clusters", nullptr, nullptr, &Conditions::all_clusters},
    {"AcctAsParent", nullptr, nullptr, &Conditions::acct_as_parent},
    {"PrintJobCount", nullptr, nullptr, &Conditions::job_count},
    {"FlatView", nullptr, nullptr, &Conditions::flat_view},
    {"Accounts", &Conditions::accounts},
    {"Acct", &Conditions::accounts},
    {"Clusters", &Conditions::clusters},
    {"End", nullptr, &Conditions::end},
    {"Format", nullptr, &Conditions::format},
    {"Gid", &Conditions::groups},
    {"Grouping", &Conditions::grouping},
    {"Jobs", &Conditions::jobs},
    {"Nodes", &Conditions::nodes},
    {"Partitions", &Conditions::partitions},
    {"Start", nullptr, &Conditions::start},
    {"Users", &Conditions::users},
    {"Wckeys", &Conditions::wckeys},
}};

struct SizeLine {
  std::string cluster, account, wckey;
};

constexpr std::array<Field<SizeLine>, 3> kSizeFields{{
    {"Account", 1, "Account", 9, [](const SizeLine& line, const Session&) { return line.account; }},
    {"Cluster", 2, "Cluster", 9, [](const SizeLine& line, const Session&) { return line.cluster; }},
    {"Wckey", 1, "Wckey", 9, [](const SizeLine& line, const Session&) { return line.wckey; }},
}};

// What jobs of each size used, by the least size of the group.
using Groups = std::map<uint64_t, v1::JobSize>;

struct SizesOf {
  SizeLine line;
  Groups groups;
};

bool wrong(Session& session, const std::string& sentence) {
  session.exit_code = 1;
  std::fprintf(stderr, "%s\n", sentence.c_str());
  return false;
}

// Numbers, of names too where there are any.
template <class Find>
bool add_ids(Session& session, const std::vector<std::string>& words, std::string_view what,
             Find find, google::protobuf::RepeatedField<uint32_t>* out) {
  for (const std::string& word : words) {
    std::optional<uint32_t> id = find(word);
    if (!id) {
      if (auto number = parse_uint(word, UINT32_MAX)) id = static_cast<uint32_t>(*number);
    }
    if (!id) return wrong(session, fmt::format(" Invalid value for {} ({})", what, word));
    out->Add(*id);
  }
  return true;
}

std::optional<uint32_t> uid_of(const std::string& name) {
  const auto account = find_account(name);
  return account ? std::optional<uint32_t>(account->uid) : std::nullopt;
}

bool read_grouping(Session& session, Conditions& conditions, v1::JobSizesRequest& request) {
  std::vector<std::string> words = conditions.grouping;
  if (words.empty()) words = {"50", "250", "500", "1000"};
  for (const std::string& word : words) {
    if (iequals(word, "individual")) {
      conditions.individual = true;
      request.clear_bounds();
      return true;
    }
    auto bound = parse_uint(word, UINT32_MAX);
    if (!bound) return wrong(session, fmt::format(" Invalid value for grouping ({})", word));
    request.add_bounds(*bound);
  }
  std::sort(request.mutable_bounds()->begin(), request.mutable_bounds()->end());
  return true;
}

bool fill_request(Session& session, Conditions& conditions, v1::JobSizesRequest& request) {
  auto nodes = nodes_for(session, conditions);
  if (!nodes) return false;
  for (const std::string& name : *nodes) request.add_nodes(name);
  for (const std::string& name : conditions.partitions) request.add_partitions(name);
  for (const std::string& name : conditions.wckeys) request.add_wckeys(name);
  return read_grouping(session, conditions, request) &&
         add_ids(session, conditions.users, "users", uid_of, request.mutable_uids()) &&
         add_ids(
             session, conditions.groups, "gid",
             [](const std::string& name) { return find_group(name); }, request.mutable_gids()) &&
         add_ids(
             session, conditions.jobs, "jobs",
             [](const std::string&) { return std::optional<uint32_t>(); },
             request.mutable_job_ids());
}

// The accounts from the root to this one.
std::vector<std::string> lineage_of(const v1::JobSizesResponse& answer, std::string name) {
  std::vector<std::string> out;
  while (!name.empty() && out.size() <= static_cast<size_t>(answer.accounts_size())) {
    out.insert(out.begin(), name);
    std::string parent;
    for (const v1::AccountInTree& account : answer.accounts()) {
      if (account.name() == name) parent = account.parent();
    }
    name = parent;
  }
  if (out.empty() || out.front() != "root") out.insert(out.begin(), "root");
  return out;
}

// Under which accounts the jobs of this one are counted.
std::vector<std::string> counted_under(const v1::JobSizesResponse& answer,
                                       const Conditions& conditions, const std::string& account) {
  const auto& wanted = conditions.accounts;
  if (conditions.flat_view) {
    return chosen(wanted, account) ? std::vector{account} : std::vector<std::string>();
  }
  const auto lineage = lineage_of(answer, account);
  std::vector<std::string> out;
  for (size_t i = 0; i < lineage.size(); ++i) {
    const bool is_wanted = wanted.empty() ? lineage[i] == "root" : chosen(wanted, lineage[i]);
    if (!is_wanted) continue;
    if (!conditions.acct_as_parent) {
      out.push_back(lineage[i]);
    } else if (i + 1 < lineage.size()) {
      out.push_back(lineage[i + 1]);
    }
  }
  return out;
}

void add(Groups& groups, const v1::JobSizes& sizes) {
  for (const v1::JobSize& size : sizes.groups()) {
    v1::JobSize& group = groups[size.least()];
    group.set_jobs(group.jobs() + size.jobs());
    group.set_seconds(group.seconds() + size.seconds());
  }
}

std::vector<SizesOf> gather(const v1::JobSizesResponse& answer, const Conditions& conditions,
                            SizesBy by) {
  std::map<std::pair<std::string, std::string>, SizesOf> sums;  // by name
  auto put = [&](SizeLine line, const v1::JobSizes& sizes) {
    SizesOf& of = sums[{line.account, line.wckey}];
    of.line = std::move(line);
    add(of.groups, sizes);
  };
  for (const v1::JobSizes& sizes : answer.sizes()) {
    if (by != SizesBy::kAccount && sizes.wckey().empty()) continue;
    if (by == SizesBy::kWckey) {
      put({answer.cluster(), "", sizes.wckey()}, sizes);
      continue;
    }
    for (const std::string& account : counted_under(answer, conditions, sizes.account())) {
      const std::string shown = by == SizesBy::kBoth ? account + ":" + sizes.wckey() : account;
      put({answer.cluster(), shown, ""}, sizes);
    }
  }
  std::vector<SizesOf> out;
  for (auto& [name, of] : sums) out.push_back(std::move(of));
  return out;
}

struct Column {
  uint64_t least;
  std::string title;
};

std::vector<Column> columns_of(const v1::JobSizesRequest& request,
                               const v1::JobSizesResponse& answer, const std::string& unit) {
  std::vector<Column> columns;
  if (request.bounds().empty()) {
    std::set<uint64_t> sizes;
    for (const v1::JobSizes& of : answer.sizes()) {
      for (const v1::JobSize& group : of.groups()) sizes.insert(group.least());
    }
    for (uint64_t size : sizes) columns.push_back({size, fmt::format("{} {}", size, unit)});
    return columns;
  }
  uint64_t least = 0;
  for (uint64_t bound : request.bounds()) {
    if (bound > least) {
      columns.push_back({least, fmt::format("{}-{} {}", least, bound - 1, unit)});
    }
    least = bound;
  }
  columns.push_back({least, fmt::format(">= {} {}", least, unit)});
  return columns;
}

void print(Session& session, const Conditions& conditions, const std::vector<Column>& sizes,
           const std::vector<SizesOf>& list, const std::string& format) {
  std::vector<const Field<SizeLine>*> fields;
  std::vector<ReportColumn> columns;
  choose_fields<SizeLine>(session, kSizeFields, format, fields, columns);
  const bool with_percent = has_percent(session.time) && session.time != TimeForm::kPercent;
  for (const Column& column : sizes) columns.push_back({column.title, with_percent ? 20 : 13});
  columns.push_back({"% of cluster", 12});
  auto amount = [&](const v1::JobSize& group) {
    return conditions.job_count ? group.jobs() : group.seconds();
  };
  auto sum = [&](const SizesOf& of) {
    uint64_t all = 0;
    for (const auto& [least, group] : of.groups) all += amount(group);
    return all;
  };
  uint64_t total = 0;
  for (const SizesOf& of : list) total += sum(of);
  Output output;
  if (!session.no_header) append_report_titles(output.text(), columns, session.style);
  for (const SizesOf& of : list) {
    std::vector<std::string> row;
    for (const auto* field : fields) row.push_back(field->value(of.line, session));
    const uint64_t own = sum(of);
    for (const Column& column : sizes) {
      const auto found = of.groups.find(column.least);
      const uint64_t part = found == of.groups.end() ? 0 : amount(found->second);
      row.push_back(conditions.job_count ? std::to_string(part)
                                         : format_time(part, own, session.time));
    }
    row.push_back(format_time(own, total, TimeForm::kPercent));
    append_report_row(output.text(), columns, row, session.style);
  }
}

void report_sizes(Session& session, Words words, SizesBy by, const std::string& fields) {
  Conditions conditions;
  read_conditions(session, kSizeWords, words, conditions);
  if (session.tres.size() != 1) {
    wrong(session,
          " Job report only supports a single --tres type.\n"
          " Generate a separate report for each TRES type.");
    return;
  }
  auto window = window_for(session, conditions);
  v1::JobSizesRequest request;
  if (!window || !fill_request(session, conditions, request)) return;
  request.set_start_time(window->start);
  request.set_end_time(window->end);
  request.set_tres(session.tres.front());
  v1::JobSizesResponse answer;
  if (concerns_us(session, conditions)) {
    auto found = session.calls.call<v1::JobSizesResponse>("Reports/JobSizes", request);
    if (!found) {
      session.exit_code = 1;
      return Report("sreport").error(found.error());
    }
    answer = std::move(*found);
  }
  std::string head;
  const std::string units =
      conditions.job_count
          ? "Units are in number of jobs ran"
          : fmt::format(
                "{}Time reported in {}",
                session.tres_given ? "TRES type is " + request.tres() + "\n" : std::string(),
                time_form_name(session.time));
  append_head(head, session,
              fmt::format("Job Sizes {}{} ({} secs)", by == SizesBy::kWckey ? "by Wckey " : "",
                          window->text(), window->seconds()),
              units);
  Output().text() += head;
  print(session, conditions, columns_of(request, answer, session.tres_given ? "TRES" : "CPUs"),
        gather(answer, conditions, by), conditions.format.empty() ? fields : conditions.format);
}

}  // namespace

void report_sizes_by_account(Session& session, Words words) {
  report_sizes(session, words, SizesBy::kAccount, "Cl,a");
}

void report_sizes_by_wckey(Session& session, Words words) {
  report_sizes(session, words, SizesBy::kWckey, "Cl,wc");
}

void report_sizes_by_account_and_wckey(Session& session, Words words) {
  report_sizes(session, words, SizesBy::kBoth, "Cl,a%-20");
}

}  // namespace grappe::sreport
