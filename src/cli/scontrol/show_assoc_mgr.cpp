// `scontrol show assoc_mgr`: the books with what counts against each limit, as "limit(in use)".
#include <fmt/core.h>
#include <pwd.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.h"
#include "cli/scontrol/show_entities.h"
#include "grappe/v1/books.pb.h"

namespace grappe::scontrol {
namespace {

using Amounts = google::protobuf::Map<std::string, uint64_t>;

struct Wanted {
  std::vector<std::string> users, accounts, qos, flags;
};

struct OptionRow {
  std::string_view name;
  std::vector<std::string> Wanted::*list;
};

constexpr OptionRow kOptions[] = {
    {"accounts", &Wanted::accounts},
    {"flags", &Wanted::flags},
    {"qos", &Wanted::qos},
    {"users", &Wanted::users},
};

bool begins(std::string_view word, std::string_view name) {
  return !word.empty() && istarts_with(name, word);
}

// What Slurm refuses here leaves its exit code as it was, but for an unknown option.
bool read_options(Session& session, Words words, Wanted& wanted) {
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const std::string_view key = std::string_view(word).substr(0, equals);
    if (equals == std::string::npos) {
      const int before = session.exit_code;
      session.complain(fmt::format("No value given for option {}", word));
      session.exit_code = before;
      return false;
    }
    const auto row = std::find_if(std::begin(kOptions), std::end(kOptions),
                                  [&](const OptionRow& r) { return begins(key, r.name); });
    if (row == std::end(kOptions)) {
      session.complain(fmt::format("invalid entity: {} for keyword:show assoc_mgr", word));
      return false;
    }
    for (std::string_view item : split_words(std::string_view(word).substr(equals + 1), ",")) {
      (wanted.*row->list).emplace_back(item);
    }
  }
  for (const std::string& flag : wanted.flags) {
    if (iequals(flag, "users") || iequals(flag, "assoc") || iequals(flag, "qos")) continue;
    const int before = session.exit_code;
    session.complain(
        fmt::format("invalid flag '{}', valid options are 'Assoc, QOS, and/or Users'", flag));
    session.exit_code = before;
    return false;
  }
  return true;
}

bool shows(const Wanted& wanted, std::string_view section) {
  return wanted.flags.empty() ||
         std::any_of(wanted.flags.begin(), wanted.flags.end(),
                     [&](const std::string& flag) { return iequals(flag, section); });
}

bool named(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::any_of(names.begin(), names.end(),
                                      [&](const std::string& one) { return iequals(one, name); });
}

std::string with_uid(const std::string& user) {
  if (user.empty()) return "";
  passwd entry{}, *found = nullptr;
  char buffer[16384];
  const bool known = getpwnam_r(user.c_str(), &entry, buffer, sizeof buffer, &found) == 0 && found;
  return fmt::format("{}({})", user, known ? found->pw_uid : UINT32_MAX);
}

// "3(1)", without a limit "N(1)".
template <class Number>
std::string limit(bool set, uint64_t most, Number used) {
  return set ? fmt::format("{}({})", most, used) : fmt::format("N({})", used);
}

// Of what is inherited: nothing where there is no limit.
std::string limit_or_nothing(bool set, uint64_t most, uint64_t used) {
  return set ? fmt::format("{}({})", most, used) : "";
}
std::string number_or_nothing(bool set, uint64_t number) {
  return set ? std::to_string(number) : "";
}

std::string_view admin_word(v1::AdminLevel level) {
  switch (level) {
    case v1::ADMIN_ADMINISTRATOR:
      return "Administrator";
    case v1::ADMIN_OPERATOR:
      return "Operator";
    default:
      return "Not Set";
  }
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

class Sheet {
 public:
  Sheet(const v1::BooksResponse& books, const Wanted& wanted, bool one_line)
      : books_(books), wanted_(wanted), one_line_(one_line) {
    for (const v1::LimitUse& use : books.use()) {
      if (use.association()) of_association_[use.association()] = &use;
      if (!use.qos().empty()) of_qos_[use.qos()].push_back(&use);
    }
  }

  std::string text() {
    out_ = "Current Association Manager state\n";
    if (shows(wanted_, "users")) section("User", "users", &Sheet::users);
    if (shows(wanted_, "assoc")) section("Association", "associations", &Sheet::associations);
    if (shows(wanted_, "qos")) section("QOS", "QOS", &Sheet::all_qos);
    return std::move(out_);
  }

 private:
  void section(std::string_view title, std::string_view what, std::string (Sheet::*records)()) {
    const std::string_view gap = one_line_ ? "" : "\n";
    const std::string list = (this->*records)();
    if (list.empty()) {
      out_ += fmt::format("{}No {} currently cached in Slurm.\n{}", gap, what, gap);
    } else {
      out_ += fmt::format("{}{} Records\n{}{}", gap, title, gap, list);
    }
  }
  std::string line(std::string text) const { return (one_line_ ? " " : "\n    ") + text; }

  std::string users() {
    std::string text;
    for (const v1::User& user : books_.users()) {
      if (!named(wanted_.users, user.name())) continue;
      text += fmt::format("UserName={} DefAccount={} DefWckey={} AdminLevel={}\n",
                          with_uid(user.name()), user.default_account(), user.default_wckey(),
                          admin_word(user.admin_level()));
    }
    return text;
  }

  // "cpu=9(1),mem=N(100)": of every resource.
  std::string counted(const Amounts& limits, const Amounts& used) const {
    std::string text;
    for (const v1::Tres& tres : books_.tres()) {
      const std::string name = tres.name().empty() ? tres.type() : tres.type() + "/" + tres.name();
      const auto most = limits.find(name);
      const auto have = used.find(name);
      const bool set = most != limits.end();
      text +=
          fmt::format("{}{}={}", text.empty() ? "" : ",", name,
                      limit(set, set ? most->second : 0, have == used.end() ? 0 : have->second));
    }
    return text;
  }
  // "cpu=2,mem=10": of those that are limited.
  std::string amounts(const Amounts& limits) const {
    std::string text;
    for (const v1::Tres& tres : books_.tres()) {
      const std::string name = tres.name().empty() ? tres.type() : tres.type() + "/" + tres.name();
      const auto most = limits.find(name);
      if (most == limits.end()) continue;
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, most->second);
    }
    return text;
  }

  std::string group_counts(const v1::Limits& l, const v1::LimitUse& use,
                           std::string_view between) const {
    return fmt::format(
        "GrpJobs={} GrpJobsAccrue={}{}GrpSubmitJobs={} GrpWall={}",
        limit(l.has_grp_jobs(), l.grp_jobs(), use.jobs()),
        limit(l.has_grp_jobs_accrue(), l.grp_jobs_accrue(), use.accruing()), between,
        limit(l.has_grp_submit_jobs(), l.grp_submit_jobs(), use.submitted()),
        limit(l.has_grp_wall(), l.grp_wall(), fmt::format("{:.2f}", use.wall_minutes())));
  }
  std::string group_sizes(const v1::Limits& l, const v1::LimitUse& use) const {
    return line("GrpTRES=" + counted(l.grp_tres(), use.tres())) +
           line("GrpTRESMins=" + counted(l.grp_tres_mins(), use.tres_minutes())) +
           line("GrpTRESRunMins=" + counted(l.grp_tres_run_mins(), use.tres_run_minutes()));
  }
  std::string sizes_of_a_job(const v1::Limits& l) const {
    return line("MaxTRESPJ=" + amounts(l.max_tres())) +
           line("MaxTRESPN=" + amounts(l.max_tres_per_node())) +
           line("MaxTRESMinsPJ=" + amounts(l.max_tres_mins())) +
           line("MinPrioThresh=" +
                number_or_nothing(l.has_min_prio_threshold(), l.min_prio_threshold()));
  }

  // Accounts are shown whichever users are asked for.
  bool wants(const v1::Association& a) const {
    return named(wanted_.accounts, a.account()) &&
           (a.user().empty() || named(wanted_.users, a.user()));
  }

  std::string associations() {
    std::vector<const v1::Association*> sorted;
    for (const v1::Association& a : books_.associations()) {
      if (a.cluster() == books_.cluster() && wants(a)) sorted.push_back(&a);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const v1::Association* a, const v1::Association* b) { return a->id() < b->id(); });
    std::string text;
    for (const v1::Association* a : sorted) text += association(*a);
    return text;
  }

  std::string association(const v1::Association& a) const {
    static const v1::LimitUse kNothing;
    const auto found = of_association_.find(a.id());
    const v1::LimitUse& use = found == of_association_.end() ? kNothing : *found->second;
    const v1::Limits& l = a.in_force();
    std::string text = fmt::format(
        "ClusterName={} Account={} UserName={} Partition={} Priority={} ID={}", a.cluster(),
        a.account(), with_uid(a.user()), a.partition(), a.priority_in_force(), a.id());
    text += line(fmt::format("SharesRaw/Norm/Level/Factor={}/{:.2f}/{}/{:.2f}",
                             a.has_shares() ? a.shares() : 1, use.norm_shares(), use.level_shares(),
                             use.fair_share()));
    text += line(fmt::format("UsageRaw/Norm/Efctv={:.2f}/{:.2f}/{:.2f}", use.raw_usage(),
                             use.norm_usage(), use.effective_usage()));
    const bool shows_parent = a.user().empty() && a.parent_id();
    text += line(fmt::format("ParentAccount={} Lft={} DefAssoc={}",
                             shows_parent ? fmt::format("{}({})", a.parent(), a.parent_id()) : "",
                             a.lft(), a.is_default() ? "Yes" : "No"));
    text += line(group_counts(l, use, one_line_ ? " " : "\n    ")) + group_sizes(l, use);
    text += line(
        fmt::format("MaxJobs={} MaxJobsAccrue={} MaxSubmitJobs={} MaxWallPJ={}",
                    limit_or_nothing(l.has_max_jobs(), l.max_jobs(), use.jobs()),
                    limit_or_nothing(l.has_max_jobs_accrue(), l.max_jobs_accrue(), use.accruing()),
                    limit_or_nothing(l.has_max_submit_jobs(), l.max_submit_jobs(), use.submitted()),
                    number_or_nothing(l.has_max_wall(), l.max_wall())));
    return text + sizes_of_a_job(l) + "\n";
  }

  // Those that were asked for in the order in which they were.
  std::string all_qos() {
    std::string text;
    for (const std::string& name : wanted_.qos) {
      for (const v1::Qos& one : books_.qos()) {
        if (iequals(name, one.name())) text += qos(one);
      }
    }
    if (!wanted_.qos.empty()) return text;
    for (const v1::Qos& one : books_.qos()) text += qos(one);
    return text;
  }

  std::string qos(const v1::Qos& q) const {
    static const v1::LimitUse kNothing;
    const v1::LimitUse* all = &kNothing;
    std::string accounts, users;
    const v1::Limits& l = q.limits();
    const auto found = of_qos_.find(q.name());
    if (found != of_qos_.end()) {
      for (const v1::LimitUse* use : found->second) {
        if (use->user().empty() && use->account().empty()) all = use;
        if (!use->account().empty()) accounts += of_account(l, *use);
        if (!use->user().empty()) users += of_user(l, *use);
      }
    }
    std::string text = fmt::format("QOS={}({})", q.name(), q.id());
    text += line(fmt::format("UsageRaw={:.6f}", all->raw_usage()));
    text += line(group_counts(l, *all, " ")) + group_sizes(l, *all);
    text += line("MaxWallPJ=" + number_or_nothing(l.has_max_wall(), l.max_wall()));
    text += sizes_of_a_job(l) + " ";
    text += line("MinTRESPJ=" + amounts(l.min_tres()));
    text +=
        line("PreemptMode=" + (q.preempt_mode().empty() ? "OFF" : in_capitals(q.preempt_mode())));
    text += line(fmt::format("Priority={}", q.priority()));
    text += part("Account Limits", accounts, "No Accounts");
    return text + part("User Limits", users, "No Users") + "\n";
  }

  std::string part(std::string_view title, const std::string& list, std::string_view none) const {
    if (one_line_) return fmt::format(" {}={}", title, list.empty() ? none : list);
    return fmt::format("\n    {}{}", title,
                       list.empty() ? fmt::format("\n        {}", none) : list);
  }
  std::string entry(const std::string& name, const std::string& counts,
                    const std::string& sizes) const {
    if (one_line_) return fmt::format(" {}={{{} {}}}", name, counts, sizes);
    return fmt::format("\n      {}\n        {}\n        {}", name, counts, sizes);
  }
  std::string of_account(const v1::Limits& l, const v1::LimitUse& use) const {
    return entry(
        use.account(),
        fmt::format("MaxJobsPA={} MaxJobsAccruePA={} MaxSubmitJobsPA={}",
                    limit(l.has_max_jobs_per_account(), l.max_jobs_per_account(), use.jobs()),
                    limit(l.has_max_jobs_accrue_per_account(), l.max_jobs_accrue_per_account(),
                          use.accruing()),
                    limit(l.has_max_submit_jobs_per_account(), l.max_submit_jobs_per_account(),
                          use.submitted())),
        "MaxTRESPA=" + counted(l.max_tres_per_account(), use.tres()));
  }
  std::string of_user(const v1::Limits& l, const v1::LimitUse& use) const {
    const std::string name = with_uid(use.user());
    const size_t open = name.find('(');
    return entry(name.substr(open + 1, name.size() - open - 2),
                 fmt::format("MaxJobsPU={} MaxJobsAccruePU={} MaxSubmitJobsPU={}",
                             limit(l.has_max_jobs(), l.max_jobs(), use.jobs()),
                             limit(l.has_max_jobs_accrue(), l.max_jobs_accrue(), use.accruing()),
                             limit(l.has_max_submit_jobs(), l.max_submit_jobs(), use.submitted())),
                 "MaxTRESPU=" + counted(l.max_tres_per_user(), use.tres()));
  }

  const v1::BooksResponse& books_;
  const Wanted& wanted_;
  bool one_line_;
  std::map<uint32_t, const v1::LimitUse*> of_association_;
  std::map<std::string, std::vector<const v1::LimitUse*>> of_qos_;
  std::string out_;
};

}  // namespace

void show_assoc_mgr(Session& session, Words words) {
  Wanted wanted;
  if (!read_options(session, words, wanted)) return;
  v1::BooksRequest request;
  request.set_users(true);
  request.set_associations(true);
  request.set_qos(true);
  request.set_tres(true);
  request.set_use(true);
  auto books = session.calls.call<v1::BooksResponse>("Books/List", request);
  if (!books) return session.failed("slurm_load_assoc_mgr_info error", books.error());
  session.say(Sheet(*books, wanted, session.one_line).text());
}

}  // namespace grappe::scontrol
