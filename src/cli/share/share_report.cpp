#include "cli/share/share_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/format/json.h"

namespace grappe {
namespace {

using Share = v1::ShareInfo;

constexpr uint32_t kSharesAsParent = 0x7fffffff;
constexpr double kNearly = 0.1;  // so far from neutral is still neutral
constexpr int kBarWidth = 20;

bool is_classic(const v1::SharesResponse& answer) {
  return answer.rule() == v1::SharesResponse::CLASSIC;
}

// Of everything, each.
struct Part {
  double entitled = 0, used = 0;
};

std::vector<Part> parts_of(const v1::SharesResponse& answer) {
  std::vector<Part> out;
  std::vector<double> above;  // what those are entitled to that the walk is inside of
  for (const Share& share : answer.shares()) {
    above.resize(share.depth());
    double entitled = 1;
    if (is_classic(answer)) {
      entitled = share.norm_shares();
    } else if (!above.empty()) {
      const bool as_parent = share.shares() == kSharesAsParent;
      entitled = above.back() * (as_parent ? 1 : share.norm_shares());
    }
    above.push_back(entitled);
    out.push_back({entitled, share.norm_usage()});
  }
  return out;
}

std::string percent(double part) {
  return fmt::format("{:.1f} %", 100 * part);
}

// What was used, with a mark where the entitlement ends.
std::string bar(const Part& part) {
  std::string out(kBarWidth, ' ');
  const auto place = [](double of_all) {
    return std::clamp(static_cast<int>(std::lround(of_all * kBarWidth)), 0, kBarWidth);
  };
  std::fill_n(out.begin(), place(part.used), '#');
  out[static_cast<size_t>(std::min(place(part.entitled), kBarWidth - 1))] = '|';
  return out;
}

std::string score(const Share& share, bool classic) {
  if (classic) return fmt::format("{:.3f}", share.fair_share());
  if (share.shares() == kSharesAsParent) return "";
  return std::isinf(share.level_fs()) ? "inf" : fmt::format("{:.2f}", share.level_fs());
}

std::string period(uint32_t seconds) {
  const double days = seconds / 86400.0;
  if (days >= 1) return fmt::format("{:g} {}", days, days == 1 ? "day" : "days");
  return fmt::format("{:g} hours", seconds / 3600.0);
}

std::string tree_text(const v1::SharesResponse& answer, const std::string& user, bool everybody) {
  const std::vector<Part> parts = parts_of(answer);
  const bool classic = is_classic(answer);
  std::string out = fmt::format("{:<24} {:>9} {:>9}  {:<{}}  {:>7}\n", "", "entitled", "used", "",
                                kBarWidth, classic ? "share" : "LevelFS");
  for (int i = 0; i < answer.shares_size(); ++i) {
    const Share& share = answer.shares(i);
    const bool shown = share.user().empty() || everybody || share.user() == user;
    if (share.depth() == 0 || !shown) continue;
    const std::string name = std::string(2 * (share.depth() - 1), ' ') +
                             (share.user().empty() ? share.account() : share.user());
    const Part& part = parts[static_cast<size_t>(i)];
    out += fmt::format("{:<24} {:>9} {:>9}  {}  {:>7}  {}\n", name, percent(part.entitled),
                       percent(part.used), bar(part), score(share, classic),
                       share_words(share, answer.rule()));
  }
  return out;
}

// Those who go first, all else being equal: ranks are handed out from above.
std::string place_text(const v1::SharesResponse& answer, const Share& share) {
  const auto users = static_cast<long>(answer.users());
  const long before = users - std::lround(share.fair_share() * static_cast<double>(users));
  if (before <= 0) return "nobody goes before, all else being equal";
  return fmt::format("{} of {} users go before, all else being equal", before, users);
}

std::string own_text(const v1::SharesResponse& answer, const Share& share, const Part& part) {
  std::string out = fmt::format("{} in {}", share.user(), share.account());
  if (!share.partition().empty()) out += " on " + share.partition();
  out += fmt::format(": entitled to {}, used {} of what was used lately.\n", percent(part.entitled),
                     percent(part.used));
  if (is_classic(answer)) {
    return out + fmt::format("  Fair share {:.3f}: {} (0.5 is neutral).\n", share.fair_share(),
                             share_words(share, answer.rule()));
  }
  return out +
         fmt::format("  Fair share {:.3f}: {}.\n", share.fair_share(), place_text(answer, share));
}

std::string legend(const v1::SharesResponse& answer) {
  std::string out;
  if (is_classic(answer)) {
    out += "A share of 0.5 is neutral; above it has had less than its share, below more.\n";
  } else {
    out +=
        "LevelFS is what one is entitled to beside one's siblings, divided by what one has "
        "used: 1 is\nneutral, above 1 has had less than its share and goes first, below 1 has "
        "had more.\n";
  }
  out += answer.half_life_s()
             ? fmt::format("Use counts half after {}. ", period(answer.half_life_s()))
             : std::string("Use is not forgotten. ");
  out += "The mark | is the entitlement, # what was used.\n";
  if (!answer.multifactor() || answer.weight_fair_share() == 0) {
    out += "On this cluster fair share does not decide who goes first.\n";
  }
  return out;
}

}  // namespace

std::string_view share_words(const v1::ShareInfo& share, v1::SharesResponse::Rule rule) {
  if (rule == v1::SharesResponse::CLASSIC) {
    if (share.fair_share() > 0.5 + kNearly / 2) return "under its share";
    return share.fair_share() < 0.5 - kNearly / 2 ? "over its share" : "at its share";
  }
  if (share.shares() == kSharesAsParent) return share.user().empty() ? "" : "first in its account";
  if (share.shares() == 0) return "has no share";
  if (std::isinf(share.level_fs())) return "has used nothing";
  if (share.level_fs() > 1 + kNearly) return "under its share";
  return share.level_fs() < 1 - kNearly ? "over its share" : "at its share";
}

std::string share_text(const v1::SharesResponse& answer, const std::string& user, bool everybody) {
  const std::vector<Part> parts = parts_of(answer);
  std::string out;
  for (int i = 0; i < answer.shares_size(); ++i) {
    if (answer.shares(i).user() == user) {
      out += own_text(answer, answer.shares(i), parts[static_cast<size_t>(i)]);
    }
  }
  if (out.empty()) {
    out = user + " is in no account of this cluster, and has no share of it.\n";
    if (!everybody) return out + "An operator adds people: sacctmgr add user USER account=ACCOUNT\n";
  }
  return out + "\n" + tree_text(answer, user, everybody) + "\n" + legend(answer);
}

std::string share_json(const v1::SharesResponse& answer, const std::string& user) {
  const std::vector<Part> parts = parts_of(answer);
  std::string out;
  JsonWriter json(out);
  json.open_object();
  json.text("cluster", answer.cluster());
  json.text("user", user);
  json.text("rule", is_classic(answer) ? "classic" : "fair_tree");
  json.number("users", answer.users());
  json.number("half_life_s", answer.half_life_s());
  json.open_list("shares");
  for (int i = 0; i < answer.shares_size(); ++i) {
    const Share& share = answer.shares(i);
    json.open_object();
    json.text("account", share.account());
    json.text("user", share.user());
    json.text("partition", share.partition());
    json.number("depth", share.depth());
    json.real("entitled", parts[static_cast<size_t>(i)].entitled);
    json.real("used", parts[static_cast<size_t>(i)].used);
    json.real("raw_usage", share.raw_usage());
    json.real("fair_share", share.fair_share());
    if (std::isinf(share.level_fs())) {
      json.null("level_fs");
    } else {
      json.real("level_fs", share.level_fs());
    }
    json.text("meaning", share_words(share, answer.rule()));
    json.close_object();
  }
  json.close_list();
  json.close_object();
  return out + "\n";
}

}  // namespace grappe
