#include "embedded/noted.h"

#include "embedded/act.h"
#include "embedded/nodes.h"
#include "embedded/reports.h"
#include "embedded/reservations.h"
#include "embedded/shrink.h"
#include "embedded/testing/engine_fixture.h"
#include "model/node_state.h"

namespace grappe::embedded {
namespace {

class NotedForReports : public EngineTest {
 protected:
  void set_node(const std::string& node, const std::string& state, const std::string& reason) {
    v1::UpdateNodeRequest request;
    request.set_nodes(node);
    request.set_state(state);
    if (!reason.empty()) request.set_reason(reason);
    core().now = now;
    EXPECT_TRUE(update_nodes(core(), root, request));
    settle();
  }
  std::vector<NodeEvent> events_of(const std::string& node) {
    std::vector<NodeEvent> events = *store.events(0, INT64_MAX);
    std::erase_if(events, [&](const NodeEvent& event) { return event.node != node; });
    return events;
  }
  uint64_t used(const std::string& tres, int64_t since) {
    const UsageSums sums = *store.usage(since, now);
    uint64_t seconds = 0;
    for (const auto& [id, counts] : sums.by_association) {
      if (counts.contains(tres)) seconds += counts.at(tres);
    }
    return seconds;
  }
};

TEST_F(NotedForReports, ANodeIsOutFromWhenItIsDrainedUntilItIsResumed) {
  const int64_t begin = now;
  set_node("node2", "drain", "disk");
  advance(100);
  set_node("node2", "resume", "");
  const auto events = events_of("node2");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].start, begin);
  EXPECT_EQ(events[0].end, begin + 100);
  EXPECT_EQ(events[0].reason, "disk");
  EXPECT_EQ(events[0].user, "root");
  EXPECT_EQ(node_state_flags(events[0].state), "IDLE+DRAIN");
  EXPECT_EQ(format_tres_counts(events[0].tres), "billing=8,cpu=8,gres/gpu=4,mem=32000,node=1");
  EXPECT_EQ((*store.usage(begin, now)).cluster["cpu"].down, 800u);
  EXPECT_EQ((*store.usage(begin, now)).cluster["gres/gpu"].down, 400u);
}

TEST_F(NotedForReports, ANodeThatIsDrainingStillWorks) {
  const uint32_t id = must_submit(alice, job().on("node1").minutes(60));
  set_node("node1", "drain", "later");
  EXPECT_TRUE(events_of("node1").empty());
  advance(30);
  finish(id);
  ASSERT_EQ(events_of("node1").size(), 1u);
  EXPECT_EQ(events_of("node1")[0].start, now);
}

TEST_F(NotedForReports, AnotherReasonIsAnotherEvent) {
  set_node("node1", "down", "fan");
  advance(10);
  set_node("node1", "down", "power");
  const auto events = events_of("node1");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].end, now);
  EXPECT_EQ(events[1].reason, "power");
  EXPECT_EQ(events[1].end, 0);
}

TEST_F(NotedForReports, ARestartGoesOnWithWhatWasOutBefore) {
  set_node("node1", "down", "fan");
  advance(10);
  restart();
  advance(10);
  EXPECT_EQ(events_of("node1").size(), 1u);
  EXPECT_EQ(events_of("").size(), 1u);
  set_node("node1", "resume", "");
  EXPECT_EQ(events_of("node1").at(0).end, now);
}

TEST_F(NotedForReports, AnotherConfigurationIsAnotherCluster) {
  ASSERT_EQ(events_of("").size(), 1u);
  EXPECT_EQ(events_of("")[0].nodes, "node[1-4]");
  EXPECT_EQ(events_of("")[0].tres.at("cpu"), 32u);
  advance(50);
  Cluster smaller = four_nodes();
  smaller.nodes.pop_back();
  smaller.partitions.pop_back();
  smaller.partitions[0].nodes.pop_back();
  smaller.node_index.erase("node4");
  restart(smaller);
  ASSERT_EQ(events_of("").size(), 2u);
  EXPECT_EQ(events_of("")[0].end, now);
  EXPECT_EQ(events_of("")[1].tres.at("cpu"), 24u);
}

TEST_F(NotedForReports, ASuspendedJobUsesItsMemoryAndNoCpus) {
  const int64_t begin = now;
  const uint32_t id = must_submit(alice, job().cpus(2).minutes(60));
  auto act = [&](v1::JobActionRequest::Action action) {
    v1::JobActionRequest request;
    request.add_job_ids(std::to_string(id));
    request.set_action(action);
    EXPECT_TRUE(ask<v1::JobsChanged>(
        [&](Reply<v1::JobsChanged> reply) { on_act(core(), root, request, std::move(reply)); }));
  };
  advance(100);
  act(v1::JobActionRequest::SUSPEND);
  advance(1000);
  act(v1::JobActionRequest::RESUME);
  advance(10);
  finish(id);
  advance(10);
  EXPECT_EQ(used("cpu", begin), 2u * 110);
  EXPECT_EQ(used("mem", begin), 1024u * 1110);
}

TEST_F(NotedForReports, AJobThatGivesNodesBackUsesLessFromThenOn) {
  const int64_t begin = now;
  const uint32_t id = must_submit(alice, job().nodes(3).exclusive().minutes(60));
  advance(100);
  shrink_job(core(), id, {1, 2});
  settle();
  advance(50);
  finish(id);
  EXPECT_EQ(used("cpu", begin), 24u * 100 + 8u * 50);
}

TEST_F(NotedForReports, AReservationHasAWindowWhileItIsActive) {
  v1::ChangeReservationRequest request;
  request.set_action(v1::ChangeReservationRequest::CREATE);
  request.set_name("class");
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"StartTime", "@" + std::to_string(now + 60)},
           {"Duration", "60"},
           {"Nodes", "node1"},
           {"Users", "1001"}}) {
    v1::Setting& setting = *request.add_settings();
    setting.set_key(key);
    setting.set_value(value);
  }
  const int64_t begin = now;
  ASSERT_TRUE(change_reservation(core(), root, request));
  settle();
  EXPECT_TRUE(store.windows(0, INT64_MAX)->empty());
  ASSERT_EQ(planned_windows(core()).size(), 1u);
  EXPECT_EQ(planned_windows(core())[0].start, begin + 60);
  advance(100);
  EXPECT_TRUE(planned_windows(core()).empty());
  ASSERT_EQ(store.windows(0, INT64_MAX)->size(), 1u);
  EXPECT_EQ(store.windows(0, INT64_MAX)->at(0).start, begin + 60);
  EXPECT_EQ(store.windows(0, INT64_MAX)->at(0).end, begin + 3660);
  EXPECT_EQ(store.windows(0, INT64_MAX)->at(0).tres.at("cpu"), 8u);
  restart();
  request.set_action(v1::ChangeReservationRequest::DELETE);
  request.clear_settings();
  ASSERT_TRUE(change_reservation(core(), root, request));
  settle();
  ASSERT_EQ(store.windows(0, INT64_MAX)->size(), 1u);
  EXPECT_EQ(store.windows(0, INT64_MAX)->at(0).end, begin + 100);
  EXPECT_EQ((*store.usage(begin, now)).cluster["cpu"].allocated, 8u * 40);
}

TEST_F(NotedForReports, WhatAnAccountUsedIsWhatIsUsedBelowIt) {
  Changes changes;
  auto done = std::make_shared<Job>();
  done->id = 1;
  done->spec = std::make_shared<v1::JobSpec>();
  done->state = static_cast<uint32_t>(JobState::kCompleted);
  done->start_time = now;
  done->end_time = now + 10;
  done->allocation = {{0, "node1", {0, 1}, 100, 1, {}}};
  done->assoc_id = 4;
  changes.jobs = {done};
  ASSERT_TRUE(store.commit(changes));
  ReportContext context;
  context.now = now + 3600;
  context.tree = {{1, 0, "root", "", ""}, {2, 1, "cs", "", "root"}, {4, 2, "cs", "alice", "cs"}};
  v1::UsageRequest request;
  request.set_start_time(now);
  request.set_end_time(now + 3600);
  const auto report = usage_report(store, context, request);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->associations_size(), 3);
  for (const v1::AssociationUsage& usage : report->associations()) {
    EXPECT_EQ(usage.seconds().at("cpu"), 20u);
  }
  EXPECT_EQ(report->associations(1).account(), "cs");
  EXPECT_EQ(report->associations(1).depth(), 1u);
  EXPECT_EQ(report->associations(2).depth(), 2u);
  context.only_own = true;
  context.user = "bob";
  EXPECT_EQ(usage_report(store, context, request)->associations_size(), 0);
}

}  // namespace
}  // namespace grappe::embedded
