#include "embedded/usage.h"

#include "books/change.h"
#include "embedded/books.h"
#include "embedded/priority.h"
#include "embedded/share_list.h"
#include "embedded/testing/engine_fixture.h"
#include "embedded/update.h"

namespace grappe::embedded {
namespace {

Cluster with_fair_share() {
  Cluster cluster = four_nodes();
  PriorityConfig& priority = cluster.config.priority;
  priority.type = "priority/multifactor";
  priority.calc_period_s = 300;
  priority.decay_half_life_s = 0;
  priority.weight_age = 1000;
  priority.weight_fair_share = 10000;
  return cluster;
}

// The account "cs" with alice (10 shares) and bob (20).
class UsageTest : public EngineTest {
 protected:
  UsageTest() : EngineTest(with_fair_share()) {
    v1::ChangeBooksRequest request;
    request.add_ops()->mutable_account()->set_name("cs");
    add_association(request, "cs", "", 50);
    for (const auto& [user, shares] : {std::pair{"1001", 10u}, std::pair{"1002", 20u}}) {
      v1::User& record = *request.add_ops()->mutable_user();
      record.set_name(user);
      record.set_default_account("cs");
      add_association(request, "cs", user, shares);
    }
    change(request);
  }

  static v1::Association& add_association(v1::ChangeBooksRequest& request,
                                          const std::string& account, const std::string& user,
                                          uint32_t shares) {
    v1::Association& out = *request.add_ops()->mutable_association();
    out.set_cluster("test");
    out.set_account(account);
    out.set_user(user);
    if (user.empty()) out.set_parent("root");
    out.set_shares(shares);
    return out;
  }

  void change(const v1::ChangeBooksRequest& request) {
    Caller admin = root;
    admin.is_administrator = true;
    auto done = ask<v1::ChangeBooksResponse>([&](Reply<v1::ChangeBooksResponse> reply) {
      on_change_books(core(), admin, request, std::move(reply));
    });
    ASSERT_TRUE(done) << done.error().message;
    advance(3);
  }

  uint32_t association(const std::string& account, const std::string& user = "") {
    const v1::Association* found = state().books.association({"test", account, user, ""});
    EXPECT_TRUE(found) << account << " " << user;
    return found ? found->id() : 0;
  }
  double billed(const std::string& account, const std::string& user = "") {
    return state().usage.of_association(association(account, user)).billed;
  }
};

TEST_F(UsageTest, ChargesAJobWhenItEndsToEveryoneAboveIt) {
  const uint32_t id = must_submit(alice, job().cpus(4));
  advance(100);
  finish(id);
  EXPECT_DOUBLE_EQ(billed("cs", "1001"), 400);
  EXPECT_DOUBLE_EQ(billed("cs"), 400);
  EXPECT_DOUBLE_EQ(billed("root"), 400);
  EXPECT_DOUBLE_EQ(billed("cs", "1002"), 0);
  const sched::Use& use = state().usage.of_association(association("cs"));
  EXPECT_DOUBLE_EQ(use.wall, 100);
  EXPECT_DOUBLE_EQ(use.tres.at("cpu"), 400);
  EXPECT_DOUBLE_EQ(use.tres.at("mem"), 4 * 512 * 100);
  EXPECT_DOUBLE_EQ(use.tres.at("node"), 100);
}

TEST_F(UsageTest, ChargesEachSecondOnceAcrossPeriodsAndRestarts) {
  const uint32_t id = must_submit(alice, job().cpus(2).minutes(100));
  for (int i = 0; i < 10; ++i) {
    advance(137);
    restart();
  }
  const int64_t ran = now - find(id).start_time;
  finish(id);
  EXPECT_DOUBLE_EQ(billed("cs", "1001"), 2.0 * static_cast<double>(ran));
  advance(1000);
  restart();
  advance(1000);
  EXPECT_DOUBLE_EQ(billed("cs", "1001"), 2.0 * static_cast<double>(ran));
}

TEST_F(UsageTest, ChargesAQosByItsFactor) {
  v1::ChangeBooksRequest request;
  v1::Qos& qos = *request.add_ops()->mutable_qos();
  qos = *state().books.qos("normal");
  qos.set_usage_factor(0.5);
  change(request);
  const uint32_t id = must_submit(alice, job().cpus(4));
  advance(100);
  finish(id);
  EXPECT_DOUBLE_EQ(billed("cs", "1001"), 200);
  EXPECT_DOUBLE_EQ(state().usage.of_qos(state().books.qos("normal")->id()).billed, 200);
}

TEST_F(UsageTest, BillsByTheWeightsOfThePartition) {
  Cluster cluster = with_fair_share();
  cluster.partitions.front().config.tres_billing_weights = {{"cpu", 0.5}, {"mem", 1.0 / 1024}};
  restart(cluster);
  const uint32_t id = must_submit(alice, job().cpus(4));  // with 2048 MB
  EXPECT_DOUBLE_EQ(find(id).billing.value_or(0), 4);
  EXPECT_DOUBLE_EQ(find(id).settled.billing.value_or(0), 4);
  restart();
  EXPECT_DOUBLE_EQ(find(id).billing.value_or(0), 4);
  advance(10);
  finish(id);
  EXPECT_DOUBLE_EQ(billed("cs", "1001"), 40);
}

TEST_F(UsageTest, DecaysWithThePeriods) {
  Cluster cluster = with_fair_share();
  cluster.config.priority.decay_half_life_s = 3600;
  restart(cluster);
  const uint32_t id = must_submit(alice, job().cpus(8));
  advance(1000);
  finish(id);
  const double before = billed("cs", "1001");
  advance(3600);
  EXPECT_NEAR(billed("cs", "1001") / before, 0.5, 0.03);
  const double then = billed("cs", "1001");
  restart();
  EXPECT_NEAR(billed("cs", "1001"), then, 0.06 * then);  // a period more may be over
}

TEST_F(UsageTest, IsForgottenWhenThePeriodOfTheSiteIsOver) {
  Cluster cluster = with_fair_share();
  cluster.config.priority.usage_reset = UsageReset::kDaily;
  restart(cluster);
  const uint32_t id = must_submit(alice, job().cpus(8));
  advance(1000);
  finish(id);
  EXPECT_DOUBLE_EQ(billed("cs", "1001"), 8000);
  advance(25 * 3600);
  EXPECT_EQ(billed("cs", "1001"), 0);
  EXPECT_EQ(billed("root"), 0);
}

TEST_F(UsageTest, AnOperatorResetsAnAccountWithAllBelowIt) {
  const uint32_t one = must_submit(alice, job().cpus(4)), two = must_submit(bob, job().cpus(1));
  advance(100);
  finish(one);
  finish(two);
  v1::ChangeBooksRequest request;
  v1::BooksOp& op = *request.add_ops();
  *op.mutable_association() = *state().books.association(association("cs", "1001"));
  op.set_reset_usage(true);
  change(request);
  EXPECT_EQ(billed("cs", "1001"), 0);
  EXPECT_DOUBLE_EQ(billed("cs"), 100);
  EXPECT_DOUBLE_EQ(billed("root"), 100);
  *op.mutable_association() = *state().books.association(association("cs"));
  change(request);
  EXPECT_EQ(billed("cs", "1002"), 0);
  EXPECT_EQ(billed("root"), 0);
  restart();
  EXPECT_EQ(billed("root"), 0);
}

TEST_F(UsageTest, WhoHasUsedLessGoesFirst) {
  const uint32_t id = must_submit(alice, job().cpus(8).nodes(4).exclusive().minutes(10));
  advance(301);  // everything is hers now
  const uint32_t hers = must_submit(alice, job().nodes(4).exclusive());
  const uint32_t his = must_submit(bob, job().nodes(4).exclusive());
  EXPECT_LT(find(hers).priority, find(his).priority);
  finish(id);
  advance(1);
  EXPECT_TRUE(runs(his));
  EXPECT_TRUE(waits(hers));
}

TEST_F(UsageTest, APriorityGrowsWhileItsJobWaits) {
  must_submit(alice, job().nodes(4).exclusive().minutes(10'000));
  const uint32_t id = must_submit(bob, job().nodes(4).exclusive());
  advance(301);  // from now on all is hers
  const uint32_t at_first = find(id).priority;
  advance(24 * 3600);
  EXPECT_NEAR(find(id).priority, at_first + 1000 / 7.0, 2);
}

TEST_F(UsageTest, APriorityThatWasSetByHandStays) {
  must_submit(alice, job().nodes(4).exclusive().minutes(10'000));
  JobWish wish = job().nodes(4).exclusive();
  wish.spec().set_priority(123);
  const uint32_t id = must_submit(root, wish);
  advance(3600);
  EXPECT_EQ(find(id).priority, 123u);
}

TEST_F(UsageTest, WhoIsNewGetsAPlaceWhereNobodyKeepsTheBooks) {
  Cluster cluster = with_fair_share();
  cluster.config.accounting.place_for_all = true;
  restart(cluster);
  const Caller carol{1003, 1003, "carol", false};
  const uint32_t id = must_submit(carol, job().cpus(2));
  EXPECT_EQ(find(id).account, "users");
  advance(10);
  finish(id);
  EXPECT_DOUBLE_EQ(billed("users", "carol"), 20);
  const uint32_t of_alice = must_submit(alice, job());
  EXPECT_EQ(find(of_alice).account, "cs");
}

TEST_F(UsageTest, SharesAreListedWithWhatRunningJobsMayStillUse) {
  must_submit(alice, job().cpus(4).minutes(10));
  auto shares = list_shares(core(), alice, {});
  ASSERT_TRUE(shares);
  ASSERT_EQ(shares->tres(0), "cpu");
  for (const v1::ShareInfo& share : shares->shares()) {
    const bool pays = share.user() == "1001" || (share.user().empty());
    EXPECT_DOUBLE_EQ(share.tres_run_s(0), pays ? 4 * 600 : 0) << share.account() << share.user();
  }
}

}  // namespace
}  // namespace grappe::embedded
