#include "embedded/reservations.h"

#include "embedded/act.h"
#include "embedded/reservation_records.h"
#include "embedded/testing/engine_fixture.h"
#include "model/node_state.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

using Action = v1::ChangeReservationRequest;
using Settings = std::vector<std::pair<std::string, std::string>>;

class Reservations : public EngineTest {
 protected:
  explicit Reservations(Cluster cluster = four_nodes()) : EngineTest(std::move(cluster)) {}

  Result<std::string> change(const Caller& who, Action::Action action, std::string name,
                             const Settings& settings) {
    v1::ChangeReservationRequest request;
    request.set_action(action);
    request.set_name(std::move(name));
    for (const auto& [key, value] : settings) {
      v1::Setting& setting = *request.add_settings();
      setting.set_key(key);
      setting.set_value(value);
    }
    auto answer = ask<v1::ChangeReservationResponse>(
        [&](auto reply) { core().answer(reply, change_reservation(core(), who, request)); });
    if (!answer) return tl::unexpected(answer.error());
    return answer->name();
  }
  // What scontrol create reservation gives: the name, or the number of the error.
  std::string create(std::string name, Settings settings) {
    bool has_start = false, has_user = false;
    for (const auto& [key, value] : settings) {
      has_start = has_start || key == "StartTime";
      has_user = has_user || key.starts_with("Users") || key == "Accounts" || key == "Groups";
    }
    if (!has_start) settings.push_back({"StartTime", at(0)});
    if (!has_user) settings.push_back({"Users", "1001"});
    return text_of(change(root, Action::CREATE, std::move(name), settings));
  }
  std::string update(std::string name, const Settings& settings) {
    return text_of(change(root, Action::UPDATE, std::move(name), settings));
  }
  std::string remove(std::string name) {
    return text_of(change(root, Action::DELETE, std::move(name), {}));
  }
  static std::string text_of(const Result<std::string>& result) {
    return result ? *result : std::to_string(result.error().code);
  }
  std::string at(int64_t seconds) { return "@" + std::to_string(now + seconds); }

  v1::ReservationInfo show(const std::string& name) {
    v1::ReservationsRequest request;
    request.set_name(name);
    auto list = list_reservations(core(), request);
    return list.reservations().empty() ? v1::ReservationInfo() : list.reservations(0);
  }
  std::string flags(const std::string& name) {
    std::string out;
    v1::ReservationInfo info = show(name);
    for (const std::string& flag : info.flags()) out += (out.empty() ? "" : ",") + flag;
    return out;
  }
};

TEST_F(Reservations, NamesThemselvesAfterTheirFirstUser) {
  EXPECT_EQ(create("", {{"Duration", "60"}, {"Nodes", "node4"}}), "1001_1");
  EXPECT_EQ(create("x", {{"Duration", "60"}, {"Nodes", "node3"}}), "x");
  EXPECT_EQ(create("", {{"Duration", "60"}, {"Nodes", "node2"}, {"Accounts", "cs"}}), "cs_3");
  EXPECT_EQ(create("x", {{"Duration", "60"}, {"Nodes", "node1"}}),
            std::to_string(kErrReservationNameDup));
}

TEST_F(Reservations, ShowWhatTheyHold) {
  create("x", {{"Duration", "60"}, {"NodeCnt", "2"}, {"Flags", "daily"}});
  v1::ReservationInfo r = show("x");
  EXPECT_EQ(r.nodes(), "node[1-2]");
  EXPECT_EQ(r.core_count(), 16u);
  EXPECT_EQ(r.tres(), "cpu=16");
  EXPECT_EQ(r.partition(), "batch");
  EXPECT_EQ(r.state(), "ACTIVE");
  EXPECT_EQ(flags("x"), "DAILY");
  EXPECT_EQ(r.end_time() - r.start_time(), 3600);
}

TEST_F(Reservations, OfAWholePartitionFollowIt) {
  create("x", {{"Duration", "60"}, {"Nodes", "ALL"}, {"PartitionName", "c-iq"}});
  EXPECT_EQ(flags("x"), "SPEC_NODES,PART_NODES");
  EXPECT_EQ(show("x").nodes(), "node4");
  cluster().partition("c-iq")->config.nodes = "node[3-4]";
  derive(cluster());
  EXPECT_EQ(show("x").nodes(), "node[3-4]");
}

TEST_F(Reservations, TakeCoresWhereNodesAreTooMuch) {
  create("x", {{"Duration", "60"}, {"CoreCnt", "20"}});
  EXPECT_EQ(show("x").nodes(), "node[1-3]");
  EXPECT_EQ(show("x").core_count(), 20u);
  create("y", {{"Duration", "60"}, {"CoreCnt", "4"}});
  EXPECT_EQ(show("y").nodes(), "node3");
  EXPECT_EQ(create("z", {{"Duration", "60"}, {"CoreCnt", "9"}}), std::to_string(kErrNodesBusy));
  EXPECT_EQ(create("z", {{"Duration", "60"}, {"CoreCnt", "9"}, {"Nodes", "node4"}}),
            std::to_string(kErrNodesBusy));
  EXPECT_EQ(create("z", {{"Duration", "60"}, {"CoreCnt", "3"}, {"Nodes", "node[1-2]"}}),
            std::to_string(kErrReservationCoreCount));
}

TEST_F(Reservations, DoNotOverlapUnlessTheySaySo) {
  create("x", {{"Duration", "60"}, {"Nodes", "node4"}});
  EXPECT_EQ(create("y", {{"Duration", "60"}, {"Nodes", "node4"}}),
            std::to_string(kErrReservationOverlap));
  EXPECT_EQ(create("y", {{"Duration", "60"}, {"Nodes", "node4"}, {"StartTime", at(3600)}}), "y");
  EXPECT_EQ(create("z", {{"Duration", "60"}, {"Nodes", "node4"}, {"Flags", "maint"}}), "z");
  // The one that repeats meets it some day.
  EXPECT_EQ(
      create(
          "d",
          {{"Duration", "60"}, {"Nodes", "node4"}, {"StartTime", at(10800)}, {"Flags", "hourly"}}),
      "d");
  EXPECT_EQ(create("e", {{"Duration", "60"}, {"Nodes", "node4"}, {"StartTime", at(86400 * 9)}}),
            std::to_string(kErrReservationOverlap));
}

TEST_F(Reservations, SayWhatIsWrong) {
  Settings hour{{"Duration", "60"}};
  auto with = [&](std::initializer_list<std::pair<std::string, std::string>> more) {
    Settings all = hour;
    all.insert(all.end(), more.begin(), more.end());
    return create("x", all);
  };
  EXPECT_EQ(with({{"Nodes", "node9"}}), std::to_string(kErrInvalidNodeName));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"Users", "nosuch-user"}}), std::to_string(kErrUserId));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"Users", "-1001,1002"}}), std::to_string(kErrUserId));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"Users+", "1001"}}), std::to_string(kErrUserId));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"Groups", "nosuch-group"}}), std::to_string(kErrGroupId));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"Users", ""}}), std::to_string(kErrReservationEmpty));
  EXPECT_EQ(with({{"NodeCnt", "1"}, {"Features", "zz"}}), std::to_string(kErrInvalidFeature));
  EXPECT_EQ(with({{"NodeCnt", "1"}, {"Licenses", "zz"}}), std::to_string(kErrInvalidLicense));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"PartitionName", "zz"}}),
            std::to_string(kErrInvalidPartition));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"StartTime", at(-86400)}}), std::to_string(kErrInvalidTime));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"Flags", "replace"}}), std::to_string(kErrInvalidNodeName));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"Flags", "weekly,time_float"}}),
            std::to_string(kErrNotSupported));
  EXPECT_EQ(with({{"Nodes", "node1"}, {"TRES", "gres/gpu=2"}}), std::to_string(kErrInvalidTres));
  EXPECT_EQ(text_of(change(alice, Action::CREATE, "x", hour)), std::to_string(kErrUserId));
}

TEST_F(Reservations, ChangeUsersBySign) {
  create("x", {{"Duration", "60"}, {"Nodes", "node1"}});
  update("x", {{"Users+", "1002,1003"}});
  EXPECT_EQ(show("x").users(), "1001,1002,1003");
  update("x", {{"Users-", "1001"}});
  EXPECT_EQ(show("x").users(), "1002,1003");
  EXPECT_EQ(update("x", {{"Users", ""}}), std::to_string(kErrReservationEmpty));
  EXPECT_EQ(show("x").users(), "1002,1003");
  create("d", {{"Duration", "60"}, {"Nodes", "node2"}, {"Users-", "1001,1002"}});
  EXPECT_EQ(show("d").users(), "-1001,-1002");
  update("d", {{"Users+", "1002"}});
  EXPECT_EQ(show("d").users(), "-1001");
}

TEST_F(Reservations, ChangeTimesAndNodes) {
  create("x", {{"Duration", "60"}, {"NodeCnt", "1"}, {"StartTime", at(86400)}});
  update("x", {{"StartTime", at(2 * 86400)}});
  EXPECT_EQ(show("x").end_time(), now + 2 * 86400 + 3600);
  update("x", {{"Duration+", "10"}});
  EXPECT_EQ(show("x").end_time(), now + 2 * 86400 + 4200);
  update("x", {{"EndTime", at(3 * 86400)}});
  EXPECT_EQ(update("x", {{"StartTime", at(4 * 86400)}}), std::to_string(kErrInvalidTime));
  update("x", {{"Nodes", "node3"}});
  EXPECT_EQ(flags("x"), "SPEC_NODES");
  update("x", {{"Nodes", ""}});
  EXPECT_EQ(show("x").nodes(), "node1");
  EXPECT_EQ(flags("x"), "");
  update("x", {{"NodeCnt", "3"}});
  EXPECT_EQ(show("x").nodes(), "node[1-3]");
  EXPECT_EQ(update("x", {{"CoreCnt", "3"}}), std::to_string(kErrReservationCoresUpdate));
  EXPECT_EQ(update("zz", {}), std::to_string(kErrReservationInvalid));
  create("now", {{"Duration", "60"}, {"Nodes", "node4"}});
  EXPECT_EQ(update("now", {{"StartTime", at(60)}}), std::to_string(kErrReservationStarted));
}

TEST_F(Reservations, AreForThoseWhoMayUseThem) {
  create("x", {{"Duration", "60"}, {"Nodes", "node3"}});
  EXPECT_EQ(submit_error(bob, job().reservation("x")), kErrReservationAccess);
  EXPECT_EQ(submit_error(root, job().reservation("x")), kErrReservationAccess);
  EXPECT_EQ(submit_error(alice, job().reservation("y")), kErrReservationInvalid);
  EXPECT_EQ(submit_error(alice, job().reservation("x").on("node1")), kErrNodeConfig);
  EXPECT_EQ(submit_error(alice, job().reservation("x").nodes(2)), kErrNodeConfig);
  EXPECT_EQ(submit_error(alice, job().reservation("x").partition("c-iq")), kErrNodeConfig);
  uint32_t inside = must_submit(alice, job().reservation("x"));
  uint32_t outside = must_submit(bob, job().on("node3"));
  EXPECT_EQ(nodes_of(inside), "node3");
  EXPECT_TRUE(waits(outside));
}

TEST_F(Reservations, KeepTheirNodesFreeBeforeTheyStart) {
  create("x", {{"Duration", "60"}, {"Nodes", "ALL"}, {"StartTime", at(1800)}});
  uint32_t too_long = must_submit(bob, job().minutes(31));
  uint32_t fits = must_submit(bob, job().minutes(30));
  EXPECT_TRUE(waits(too_long));
  EXPECT_TRUE(runs(fits));
  uint32_t early = must_submit(alice, job().reservation("x").minutes(5));
  EXPECT_EQ(find(early).reason, Reason::kReservation);
  advance(1800);
  EXPECT_TRUE(runs(early));
  EXPECT_TRUE(waits(too_long));
  advance(3600);
  EXPECT_TRUE(runs(too_long));
}

TEST_F(Reservations, EndTheirJobsAndHoldThoseThatWait) {
  create("x", {{"Duration", "10"}, {"Nodes", "node3"}});
  uint32_t runner = must_submit(alice, job().reservation("x").cpus(8).minutes(60));
  uint32_t waiter = must_submit(alice, job().reservation("x").cpus(8).minutes(60));
  EXPECT_TRUE(runs(runner));
  EXPECT_EQ(find(runner).settled.time_limit, 60u);
  EXPECT_EQ(remove("x"), std::to_string(kErrReservationBusy));
  advance(610);
  EXPECT_EQ(find(runner).base(), JobState::kTimeout);
  EXPECT_EQ(find(runner).end_time, find(runner).start_time + 600);
  EXPECT_EQ(show("x").name(), "");
  const Job& held = find(waiter);
  EXPECT_EQ(job_state_name(held.state), "RESV_DEL_HOLD");
  EXPECT_EQ(held.reason_detail, "Reservation x was deleted");
  EXPECT_EQ(held.spec->reservation(), "");
  EXPECT_EQ(release_job(core(), alice, waiter), 0);
  settle();
  EXPECT_TRUE(runs(waiter));
}

TEST_F(Reservations, AreNotGivenNodesThatJobsStillUse) {
  must_submit(bob, job().on("node3").minutes(60));
  EXPECT_EQ(create("x", {{"Duration", "10"}, {"Nodes", "node3"}}), std::to_string(kErrNodesBusy));
  EXPECT_EQ(create("l", {{"Duration", "10"}, {"Nodes", "node3"}, {"StartTime", at(3600)}}), "l");
  EXPECT_EQ(create("x", {{"Duration", "10"}, {"Nodes", "node3"}, {"Flags", "ignore_jobs"}}), "x");
  EXPECT_EQ(create("n", {{"Duration", "10"}, {"NodeCnt", "3"}}), "n");
  EXPECT_EQ(show("n").nodes(), "node[1-2,4]");
}

TEST_F(Reservations, MayEndBeforeTheirTime) {
  create("x", {{"Duration", "10"}, {"Nodes", "node3"}});
  uint32_t id = must_submit(alice, job().reservation("x").minutes(60));
  advance(60);
  EXPECT_EQ(update("x", {{"EndTime", at(0)}}), "x");
  advance(1);
  EXPECT_EQ(find(id).base(), JobState::kTimeout);
}

TEST_F(Reservations, LetJobsGoOnWhenTheySaySo) {
  create("x", {{"Duration", "10"}, {"Nodes", "node3"}, {"Flags", "no_hold_jobs_after"}});
  create("f", {{"Duration", "10"}, {"Nodes", "node4"}, {"Flags", "flex"}});
  must_submit(alice, job().reservation("x").cpus(8).minutes(60));
  uint32_t waiter = must_submit(alice, job().reservation("x").cpus(8).minutes(60));
  uint32_t flexible = must_submit(alice, job().reservation("f").cpus(8).minutes(60));
  advance(610);
  EXPECT_TRUE(runs(waiter));
  EXPECT_TRUE(runs(flexible));
}

TEST_F(Reservations, ComeAgain) {
  create("x", {{"Duration", "10"}, {"Nodes", "node3"}, {"Flags", "hourly"}});
  uint32_t waiter = must_submit(alice, job().reservation("x").cpus(8).minutes(60));
  uint32_t next = must_submit(alice, job().reservation("x").cpus(8).minutes(60));
  EXPECT_TRUE(runs(waiter));
  int64_t start = show("x").start_time();
  advance(610);
  EXPECT_EQ(show("x").start_time(), start + 3600);
  EXPECT_EQ(find(waiter).base(), JobState::kTimeout);
  EXPECT_EQ(find(next).reason, Reason::kReservation);
  advance(3600 - 610);
  EXPECT_TRUE(runs(next));
  EXPECT_EQ(text_of(change(root, Action::SKIP, "x", {})), "x");
  EXPECT_EQ(show("x").start_time(), start + 7200);
}

TEST_F(Reservations, MarkTheirNodes) {
  create("x", {{"Duration", "10"}, {"Nodes", "node3"}, {"StartTime", at(60)}, {"Flags", "maint"}});
  EXPECT_EQ(cluster().node("node3")->flags, 0u);
  advance(60);
  EXPECT_EQ(cluster().node("node3")->flags, kNodeReserved | kNodeMaint);
  advance(600);
  EXPECT_EQ(cluster().node("node3")->flags, 0u);
}

TEST_F(Reservations, DrawJobsWhenMagnetic) {
  create("x", {{"Duration", "600"}, {"Nodes", "node3"}, {"Flags", "magnetic"}});
  uint32_t drawn = must_submit(alice, job().cpus(8));
  uint32_t second = must_submit(alice, job().cpus(8));
  uint32_t other = must_submit(bob, job().cpus(8));
  EXPECT_EQ(nodes_of(drawn), "node3");
  EXPECT_EQ(find(drawn).spec->reservation(), "x");
  EXPECT_TRUE(runs(second));
  EXPECT_NE(nodes_of(second), "node3");
  EXPECT_EQ(find(second).spec->reservation(), "");
  EXPECT_NE(nodes_of(other), "node3");
}

TEST_F(Reservations, ArePurgedWhenNobodyComes) {
  create("x", {{"Duration", "600"}, {"Nodes", "node3"}, {"Flags", "purge_comp=2"}});
  EXPECT_EQ(flags("x"), "SPEC_NODES,PURGE_COMP=00:02:00");
  advance(119);
  EXPECT_EQ(show("x").name(), "x");
  advance(1);
  EXPECT_EQ(show("x").name(), "");
}

TEST_F(Reservations, ReplaceANodeThatIsLost) {
  create("x", {{"Duration", "600"}, {"NodeCnt", "1"}});
  EXPECT_EQ(show("x").nodes(), "node1");
  cluster().nodes[0].flags |= kNodeDrain;
  settle();
  EXPECT_EQ(show("x").nodes(), "node2");
}

TEST_F(Reservations, FloatBeforeTheClock) {
  create("x",
         {{"Duration", "10"}, {"Nodes", "node3"}, {"StartTime", at(600)}, {"Flags", "time_float"}});
  advance(3000);
  EXPECT_EQ(show("x").start_time(), now + 600);
  EXPECT_TRUE(waits(must_submit(bob, job().on("node3").minutes(11))));
  EXPECT_TRUE(runs(must_submit(bob, job().on("node3").minutes(10))));
}

TEST_F(Reservations, SurviveARestart) {
  create("x", {{"Duration", "600"}, {"CoreCnt", "10"}, {"Flags", "weekly,magnetic"}});
  create("y", {{"Duration", "600"}, {"Nodes", "node4"}, {"Users-", "1001"}});
  std::string before = show("x").SerializeAsString() + show("y").SerializeAsString();
  restart();
  EXPECT_EQ(show("x").SerializeAsString() + show("y").SerializeAsString(), before);
  EXPECT_EQ(remove("x"), "x");
  restart();
  EXPECT_EQ(show("x").name(), "");
  EXPECT_EQ(create("", {{"Duration", "60"}, {"Nodes", "node1"}}), "1001_3");
}

class Licenses : public Reservations {
 protected:
  static Cluster with_licenses() {
    Cluster cluster = four_nodes();
    cluster.licenses["matlab"] = {"matlab", 4, 0, 0};
    return cluster;
  }
  Licenses() : Reservations(with_licenses()) {}
  uint32_t used() { return cluster().licenses.at("matlab").used; }
};

TEST_F(Licenses, FollowTheJobsThatUseThem) {
  uint32_t a = must_submit(alice, job().licenses("matlab:3"));
  uint32_t b = must_submit(alice, job().licenses("matlab:2"));
  EXPECT_EQ(used(), 3u);
  EXPECT_EQ(find(b).reason, Reason::kLicenses);
  restart();
  EXPECT_EQ(used(), 3u);
  finish(a);
  EXPECT_TRUE(runs(b));
  EXPECT_EQ(used(), 2u);
  finish(b);
  EXPECT_EQ(used(), 0u);
}

TEST_F(Licenses, AreKeptForAReservation) {
  create("x", {{"Duration", "60"}, {"Licenses", "matlab:3"}, {"Flags", "license_only"}});
  EXPECT_EQ(cluster().licenses.at("matlab").reserved, 3u);
  uint32_t outside = must_submit(bob, job().licenses("matlab:2"));
  uint32_t inside = must_submit(alice, job().licenses("matlab:2").reservation("x"));
  EXPECT_EQ(find(outside).reason, Reason::kLicenses);
  EXPECT_TRUE(runs(inside));
}

}  // namespace
}  // namespace grappe::embedded
