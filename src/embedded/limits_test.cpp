// Limits in the engine: what counts follows jobs through whatever becomes of them.
#include "embedded/limits.h"

#include <random>

#include "embedded/act.h"
#include "embedded/arrays.h"
#include "embedded/finish.h"
#include "embedded/testing/engine_fixture.h"
#include "embedded/update.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

Cluster with_limits() {
  Cluster cluster = four_nodes();
  cluster.config.accounting.enforce.associations = true;
  cluster.config.accounting.enforce.limits = true;
  cluster.config.accounting.tres = {"gres/gpu"};
  return cluster;
}

class EngineLimits : public EngineTest {
 protected:
  EngineLimits() : EngineTest(with_limits()) {
    add("lab", "root", "");
    add("lab", "lab", alice.user);
    add("lab", "lab", bob.user);
    state().renew_limits();
  }

  void add(const std::string& account, const std::string& parent, const std::string& user) {
    v1::Association association;
    association.set_id(state().books.next_association_id());
    association.set_cluster("test");
    association.set_account(account);
    association.set_parent(parent);
    association.set_user(user);
    state().books.put(std::move(association));
    if (user.empty()) return;
    v1::User record;
    record.set_name(user);
    record.set_default_account(account);
    state().books.put(std::move(record));
  }
  template <class Change>
  uint32_t limit(const std::string& user, Change change) {
    v1::Association association =
        *state().books.association(AssociationKey{"test", "lab", user, ""});
    change(*association.mutable_limits());
    const uint32_t id = association.id();
    state().books.put(std::move(association));
    state().refresh_limits();
    return id;
  }
  void set_used(uint32_t association, double cpu_minutes) {
    sched::Use use;
    use.tres["cpu"] = cpu_minutes * 60;
    state().usage.clear_association(association);
    state().usage.charge_association(association, use);
  }
  Reason why(uint32_t id) { return find(id).reason; }
  void save_books() {
    for (BookEntry& entry : state().books.take_changes()) {
      state().save_setting({"books." + entry.kind, entry.name, entry.data});
    }
  }
  void set_time(const Caller& who, uint32_t id, uint32_t minutes) {
    v1::UpdateJobRequest request;
    request.set_job_id(std::to_string(id));
    request.mutable_set()->set_time_limit(minutes);
    on_update_job(core(), who, request, [](const Result<v1::JobsChanged>&) {});
    settle();
  }

  // What is counted as submitted is what there is.
  void expect_counts_right() {
    std::map<uint32_t, uint64_t> expected;
    for (const JobPtr& job : *state().all()) {
      if (!job->pending() && !job->holds_resources()) continue;
      const uint64_t count = job->waiting ? job->waiting->count() : 1;
      const v1::Association* at = state().books.association(job->assoc_id);
      for (; at; at = state().books.parent(*at)) expected[at->id()] += count;
    }
    for (const auto& [key, counter] : state().limits().counters()) {
      if (key.kind != CounterKey::kAssociation) continue;
      EXPECT_EQ(state().limits().submitted(counter), expected[key.association])
          << "association " << key.association;
    }
  }
};

TEST_F(EngineLimits, WhoIsInNobodysBooksDoesNotSubmit) {
  EXPECT_EQ(submit_error({1003, 1003, "1003", false}, job()), kErrInvalidAccount);
}

TEST_F(EngineLimits, AnArrayStartsAsManyTasksAsItMay) {
  limit("", [](v1::Limits& limits) { limits.set_grp_jobs(3); });
  const uint32_t id = must_submit(alice, job().array("1-5"));
  EXPECT_EQ(state().active().size(), 3u);
  EXPECT_EQ(why(id), Reason::kAssocGrpJobsLimit);
  expect_counts_right();
  cancel_job(core(), *state().active().begin(), alice.uid);
  settle();
  executor.now = now;
  expect_counts_right();
}

TEST_F(EngineLimits, ARestartCountsTheSame) {
  limit(alice.user, [](v1::Limits& limits) { limits.set_max_submit_jobs(3); });
  save_books();
  must_submit(alice, job());
  must_submit(alice, job().array("1-2"));
  restart();
  expect_counts_right();
  EXPECT_EQ(submit_error(alice, job()), kErrAccountingPolicy);
  EXPECT_EQ(submit_error(bob, job()), 0);
}

TEST_F(EngineLimits, MinutesThatAreOverEndAJob) {
  const uint32_t association =
      limit("", [](v1::Limits& limits) { (*limits.mutable_grp_tres_mins())["cpu"] = 100; });
  const uint32_t id = must_submit(alice, job().minutes(600));
  ASSERT_TRUE(runs(id));
  set_used(association, 90);
  advance(60);
  EXPECT_TRUE(runs(id));
  set_used(association, 100);
  advance(60);
  EXPECT_EQ(find(id).base(), JobState::kTimeout);
  EXPECT_EQ(why(id), Reason::kTimeLimit);
  const uint32_t next = must_submit(bob, job());
  EXPECT_EQ(why(next), Reason::kAssocGrpCPUMinutesLimit);
  set_used(association, 50);  // as time goes by
  advance(60);
  EXPECT_TRUE(runs(next));
}

TEST_F(EngineLimits, OnlySoManyWaitingJobsGrowOlder) {
  limit(alice.user, [](v1::Limits& limits) {
    limits.set_max_jobs(0);
    limits.set_max_jobs_accrue(2);
  });
  const uint32_t first = must_submit(alice, job());
  const uint32_t second = must_submit(alice, job());
  const uint32_t third = must_submit(alice, job());
  EXPECT_NE(find(first).accrue_time, 0);
  EXPECT_NE(find(second).accrue_time, 0);
  EXPECT_EQ(find(third).accrue_time, 0);
  cancel_job(core(), first, alice.uid);
  settle();
  EXPECT_EQ(find(third).accrue_time, now);
}

TEST_F(EngineLimits, WhatAnOperatorHasLiftedStaysSoAfterARestart) {
  limit(alice.user, [](v1::Limits& limits) {
    limits.set_max_wall(20);
    limits.set_max_jobs(0);
  });
  save_books();
  const uint32_t lifted = must_submit(alice, job().minutes(30));
  const uint32_t other = must_submit(alice, job().minutes(30));
  set_time(root, lifted, 25);
  restart();
  limit(alice.user, [](v1::Limits& limits) { limits.clear_max_jobs(); });
  core().plan_wanted = true;
  settle();
  EXPECT_TRUE(runs(lifted));
  EXPECT_EQ(why(other), Reason::kAssocMaxWallDurationPerJobLimit);
}

TEST_F(EngineLimits, TheUsersOwnChangeIsMeasuredAgain) {
  limit(alice.user, [](v1::Limits& limits) {
    limits.set_max_wall(20);
    limits.set_max_jobs(0);
  });
  const uint32_t id = must_submit(alice, job().minutes(30));
  set_time(root, id, 25);
  EXPECT_EQ(why(id), Reason::kAssocMaxJobsLimit);
  set_time(alice, id, 24);
  limit(alice.user, [](v1::Limits& limits) { limits.clear_max_jobs(); });
  core().plan_wanted = true;
  settle();
  EXPECT_EQ(why(id), Reason::kAssocMaxWallDurationPerJobLimit);
}

TEST_F(EngineLimits, CountsAreRightAfterAnyHistory) {
  uint32_t most = 4;
  limit("", [](v1::Limits& limits) { limits.set_grp_jobs(4); });
  uint32_t ran = 0;
  std::mt19937 random(7);
  auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (int step = 0; step < 400 && !HasFailure(); ++step) {
    const auto all = state().all();
    const JobPtr some = all->empty() ? nullptr : (*all)[pick(static_cast<uint32_t>(all->size()))];
    v1::JobActionRequest request;
    if (some) request.add_job_ids(std::to_string(some->id));
    auto act = [&](v1::JobActionRequest::Action action) {
      request.set_action(action);
      on_act(core(), root, request, [](const Result<v1::JobsChanged>&) {});
      settle();
    };
    switch (some ? pick(12) : 0) {
      case 0:
        submit(pick(2) ? alice : bob, job().minutes(5 + pick(20)));
        break;
      case 1:
        submit(alice, job().array("1-" + std::to_string(1 + pick(4))));
        break;
      case 2:
        cancel_job(core(), some->id, 0);
        settle();
        break;
      case 3:
        act(v1::JobActionRequest::HOLD);
        break;
      case 4:
        act(v1::JobActionRequest::RELEASE);
        break;
      case 5:
        act(v1::JobActionRequest::REQUEUE);
        break;
      case 6:
        act(some->base() == JobState::kSuspended ? v1::JobActionRequest::RESUME
                                                 : v1::JobActionRequest::SUSPEND);
        break;
      case 7:
        if (some->running()) finish(some->id);
        break;
      case 8:
        most = 1 + pick(6);
        limit("", [&](v1::Limits& limits) { limits.set_grp_jobs(most); });
        core().plan_wanted = true;
        settle();
        break;
      case 9:
        set_time(pick(2) ? root : alice, some->id, 1 + pick(30));
        break;
      default:
        advance(pick(200));
        break;
    }
    expect_counts_right();
    uint32_t running = 0;
    for (uint32_t id : state().active()) running += state().find(id)->assoc_id != 0;
    // A lower limit stops nobody who runs, and nobody starts above it; a higher one counts at once.
    EXPECT_LE(running, std::max(ran, most));
    ran = running;
    for (const JobPtr& job : *state().all()) {
      if (!job->pending() || running >= most) continue;
      EXPECT_NE(job->reason, Reason::kAssocGrpJobsLimit);
    }
  }
}

}  // namespace
}  // namespace grappe::embedded
