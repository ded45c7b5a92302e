// Equal shares under constant load lead to equal use, whoever asks for more.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "sched/fair_share.h"
#include "sched/usage.h"

namespace grappe::sched {
namespace {

constexpr int64_t kPeriod = 900, kHalfLife = 7 * 24 * 3600;

struct Contender {
  uint32_t shares = 1;
  int64_t minutes = 10;  // of each of his jobs
  double used = 0;       // decayed
  double delivered = 0;  // since the system has settled
};

// A machine of some slots that is never idle: each free one goes to the user whose fair share is
// the highest, for as long as his jobs take.
std::vector<Contender> run(std::vector<Contender> users, uint32_t slots, int64_t days) {
  struct Slot {
    size_t user = 0;
    int64_t until = 0;
  };
  std::vector<Slot> running(slots);
  std::vector<uint32_t> started(users.size(), 0);
  for (int64_t now = 0; now < days * 24 * 3600; now += kPeriod) {
    std::vector<ShareNode> tree(1);
    for (const Contender& user : users) {
      tree.push_back({0, true, false, user.shares, user.used});
      tree[0].usage += user.used;
    }
    const auto shares = fair_share(tree, FairShareRule::kFairTree);
    for (Slot& slot : running) {
      if (slot.until > now) continue;
      // Among equals the one who has started the fewest: nobody is first by his name.
      slot.user = 0;
      for (size_t u = 1; u < users.size(); ++u) {
        const double mine = shares[u + 1].fair_share, best = shares[slot.user + 1].fair_share;
        if (mine > best || (mine == best && started[u] < started[slot.user])) slot.user = u;
      }
      ++started[slot.user];
      slot.until = now + users[slot.user].minutes * 60;
    }
    for (Contender& user : users) user.used *= decay_factor(kHalfLife, kPeriod);
    for (const Slot& slot : running) {
      users[slot.user].used += kPeriod;
      if (now > days * 12 * 3600) users[slot.user].delivered += kPeriod;
    }
  }
  return users;
}

double all_delivered(const std::vector<Contender>& users) {
  double sum = 0;
  for (const Contender& user : users) sum += user.delivered;
  return sum;
}

// Of jobs up to an hour, with a half-life of a week.
RC_GTEST_PROP(FairShare, EqualSharesConvergeToEqualUse, ()) {
  const auto count = *rc::gen::inRange<size_t>(2, 8);
  std::vector<Contender> users(count);
  for (Contender& user : users) user.minutes = *rc::gen::inRange<int64_t>(15, 61);
  const auto after = run(users, *rc::gen::inRange<uint32_t>(16, 64), 224);
  const double entitled = all_delivered(after) / static_cast<double>(count);
  for (const Contender& user : after) {
    RC_ASSERT(std::abs(user.delivered - entitled) <= 0.02 * entitled);
  }
}

// Who takes all slots at once for long is chosen when his use is at its lowest: he gets up to half
// of such a burst more than his part, here 2.1 %, however long one waits. Only a longer half-life
// makes it less.
TEST(FairShare, LongJobsOnTheWholeMachineGetHalfABurstMore) {
  std::vector<Contender> users;
  for (int64_t minutes : {31, 15, 106, 16, 15, 15, 15}) users.push_back({1, minutes, 0, 0});
  const auto after = run(users, 16, 224);
  const double entitled = all_delivered(after) / static_cast<double>(users.size());
  EXPECT_NEAR(after[2].delivered / entitled - 1, 0.021, 0.005);
}

TEST(FairShare, UseFollowsShares) {
  const auto after = run({{3, 30, 0, 0}, {1, 10, 0, 0}}, 32, 56);
  EXPECT_NEAR(after[0].delivered / all_delivered(after), 0.75, 0.02);
}

}  // namespace
}  // namespace grappe::sched
