#include "cli/share/rapid_access.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace grappe {
namespace {

constexpr uint32_t kParentsShares = 0x7fffffff;
constexpr double kMinutesOfYear = 365.0 * 24 * 60;

const v1::Association* find(const v1::BooksResponse& books, const std::string& account,
                            const std::string& user) {
  for (const v1::Association& at : books.associations()) {
    if (at.cluster() == books.cluster() && at.account() == account && at.user() == user &&
        at.partition().empty()) {
      return &at;
    }
  }
  return nullptr;
}

template <class Records>
auto* named(const Records& records, const std::string& name) {
  const auto found = std::find_if(records.begin(), records.end(),
                                  [&](const auto& record) { return record.name() == name; });
  return found == records.end() ? nullptr : &*found;
}

// Those of the level below the root, without the pool itself.
uint64_t shares_beside(const v1::BooksResponse& books, const std::string& pool) {
  uint64_t sum = 0;
  for (const v1::Association& at : books.associations()) {
    const bool top = at.user().empty() ? at.parent() == "root" : at.account() == "root";
    if (at.cluster() != books.cluster() || !top || (at.user().empty() && at.account() == pool)) {
      continue;
    }
    const uint32_t shares = at.has_shares() ? at.shares() : 1;
    if (shares != kParentsShares) sum += shares;
  }
  return sum;
}

bool is_tracked(const v1::BooksResponse& books, std::string_view type, std::string_view name) {
  return std::any_of(books.tres().begin(), books.tres().end(), [&](const v1::Tres& tres) {
    return tres.type() == type && tres.name() == name;
  });
}

using Amounts = google::protobuf::Map<std::string, uint64_t>;

void set_years(Amounts& limits, const std::string& tres, double years) {
  if (years > 0) limits[tres] = static_cast<uint64_t>(std::llround(years * kMinutesOfYear));
  if (years == 0) limits.erase(tres);
}

bool same(const Amounts& a, const Amounts& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const auto& entry) {
           const auto other = b.find(entry.first);
           return other != b.end() && other->second == entry.second;
         });
}

class Plan {
 public:
  Plan(const v1::BooksResponse& books, const RapidAccessWish& wish) : books_(books), wish_(wish) {}

  void make_pool() {
    if (!named(books_.accounts(), wish_.account)) {
      v1::Account& account = *out_.change.add_ops()->mutable_account();
      account.set_name(wish_.account);
      account.set_description("rapid access");
      account.set_organization(wish_.account);
    }
    const uint64_t beside = std::max<uint64_t>(shares_beside(books_, wish_.account), 1);
    const double part = wish_.percent / 100;
    const auto shares = static_cast<uint32_t>(
        std::max<long long>(std::llround(static_cast<double>(beside) * part / (1 - part)), 1));
    const double percent =
        100.0 * static_cast<double>(shares) / static_cast<double>(beside + shares);
    const v1::Association* known = find(books_, wish_.account, "");
    if (!known || known->shares() != shares) {
      v1::Association& pool = *out_.change.add_ops()->mutable_association();
      if (known) pool = *known;
      pool.set_cluster(books_.cluster());
      pool.set_account(wish_.account);
      if (!known) pool.set_parent("root");
      pool.set_shares(shares);
    }
    out_.lines.push_back(fmt::format("account {}: {} of {} shares, {:.1f} % of the machine",
                                     wish_.account, shares, beside + shares, percent));
    if (std::abs(percent - wish_.percent) > 1) {
      out_.lines.push_back(fmt::format(
          "  the others have only {} shares: give them more for a finer division", beside));
    }
  }

  void add_user(const std::string& name) {
    if (!named(books_.users(), name)) {
      v1::User& user = *out_.change.add_ops()->mutable_user();
      user.set_name(name);
      user.set_default_account(wish_.account);
    }
    const v1::Association* known = find(books_, wish_.account, name);
    v1::Association place;
    if (known) place = *known;
    place.set_cluster(books_.cluster());
    place.set_account(wish_.account);
    place.set_user(name);
    Amounts& limits = *place.mutable_limits()->mutable_grp_tres_mins();
    set_years(limits, "cpu", wish_.cpu_years);
    if (is_tracked(books_, "gres", "gpu")) set_years(limits, "gres/gpu", wish_.gpu_years);
    if (known && same(known->limits().grp_tres_mins(), limits)) {
      ++unchanged_;
      return;
    }
    *out_.change.add_ops()->mutable_association() = place;
    (known ? changed_ : added_).push_back(name);
  }

  RapidAccessPlan finish() {
    if (!added_.empty()) out_.lines.push_back("users added: " + join(added_, ", "));
    if (!changed_.empty()) out_.lines.push_back("users with other limits: " + join(changed_, ", "));
    if (unchanged_) out_.lines.push_back(fmt::format("users as they were: {}", unchanged_));
    std::string limits = fmt::format("{:g} CPU-years", wish_.cpu_years);
    if (is_tracked(books_, "gres", "gpu")) {
      limits += fmt::format(" and {:g} GPU-years", wish_.gpu_years);
    } else {
      out_.lines.push_back("  GPUs are not tracked here (AccountingStorageTRES): not limited");
    }
    out_.lines.push_back("limit of each: " + limits);
    return std::move(out_);
  }

 private:
  const v1::BooksResponse& books_;
  const RapidAccessWish& wish_;
  RapidAccessPlan out_;
  std::vector<std::string> added_, changed_;
  size_t unchanged_ = 0;
};

}  // namespace

Result<RapidAccessPlan> plan_rapid_access(const v1::BooksResponse& books,
                                          const RapidAccessWish& wish) {
  if (!(wish.percent > 0 && wish.percent < 100)) {
    return fail("--share must be between 0 and 100 percent");
  }
  if (wish.cpu_years < 0 || wish.gpu_years < 0) return fail("a limit can't be below 0");
  if (wish.account == "root") return fail("the pool can't be the root account");
  std::vector<std::string> users = wish.users;
  if (wish.all_users) {
    for (const v1::User& user : books.users()) {
      if (user.name() != "root") users.push_back(user.name());
    }
  }
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  Plan plan(books, wish);
  plan.make_pool();
  for (const std::string& user : users) plan.add_user(user);
  return plan.finish();
}

}  // namespace grappe
