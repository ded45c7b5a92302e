#include "embedded/partition_changes.h"

#include "embedded/testing/engine_fixture.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

using PartitionAction = v1::ChangePartitionRequest;

class PartitionChanges : public EngineTest {
 protected:
  int change(const Caller& who, PartitionAction::Action action, std::string name,
             std::initializer_list<std::pair<const char*, const char*>> settings = {}) {
    v1::ChangePartitionRequest request;
    request.set_action(action);
    request.set_name(std::move(name));
    for (const auto& [key, value] : settings) {
      v1::Setting& setting = *request.add_settings();
      setting.set_key(key);
      setting.set_value(value);
    }
    Status done = change_partition(core(), who, request);
    settle();
    return done ? 0 : done.error().code;
  }
  const PartitionConfig& config(const char* name) { return cluster().partition(name)->config; }
};

TEST_F(PartitionChanges, MakeChangeAndRemoveOne) {
  EXPECT_EQ(change(root, PartitionAction::CREATE, "new"), 0);
  EXPECT_EQ(config("new").min_nodes, 1u);
  EXPECT_EQ(cluster().partition("new")->nodes.size(), 0u);
  EXPECT_EQ(change(root, PartitionAction::CREATE, "new"), kErrInvalidPartition);
  EXPECT_EQ(change(root, PartitionAction::UPDATE, "new", {{"Nodes", "node9"}}),
            kErrInvalidNodeName);
  EXPECT_EQ(change(root, PartitionAction::UPDATE, "new",
                   {{"Nodes", "node[1-2]"}, {"MaxTime", "1:00:00"}}),
            0);
  EXPECT_EQ(cluster().partition("new")->node_list, "node[1-2]");
  EXPECT_EQ(config("new").max_time_min, 60u);
  EXPECT_EQ(change(root, PartitionAction::DELETE, "new"), 0);
  EXPECT_EQ(change(root, PartitionAction::DELETE, "new"), kErrInvalidPartition);
}

TEST_F(PartitionChanges, AreForOperators) {
  EXPECT_EQ(change(alice, PartitionAction::CREATE, "new"), kErrUserId);
  EXPECT_EQ(change(alice, PartitionAction::UPDATE, "batch", {{"State", "DOWN"}}), kErrUserId);
  EXPECT_EQ(change(alice, PartitionAction::DELETE, "c-iq"), kErrUserId);
}

TEST_F(PartitionChanges, AreAllTakenOrNone) {
  EXPECT_NE(
      change(root, PartitionAction::UPDATE, "batch", {{"MaxTime", "5"}, {"State", "SIDEWAYS"}}), 0);
  EXPECT_EQ(config("batch").max_time_min, kInfinite);
  EXPECT_NE(change(root, PartitionAction::UPDATE, "batch", {{"Colour", "red"}}), 0);
}

TEST_F(PartitionChanges, WaitForTheJobsThatUseIt) {
  uint32_t id = must_submit(alice, job().partition("c-iq"));
  EXPECT_TRUE(runs(id));
  EXPECT_EQ(change(root, PartitionAction::DELETE, "c-iq"), kErrPartitionInUse);
  finish(id);
  EXPECT_EQ(change(root, PartitionAction::DELETE, "c-iq"), 0);
}

TEST_F(PartitionChanges, KeepOneDefault) {
  EXPECT_EQ(change(root, PartitionAction::UPDATE, "c-iq", {{"Default", "YES"}}), 0);
  EXPECT_EQ(cluster().default_partition()->config.name, "c-iq");
  EXPECT_FALSE(config("batch").is_default);
}

TEST_F(PartitionChanges, StopAndGoOnWithItsState) {
  change(root, PartitionAction::UPDATE, "batch", {{"State", "DOWN"}});
  uint32_t id = must_submit(alice, job());
  EXPECT_EQ(find(id).reason, Reason::kPartitionDown);
  change(root, PartitionAction::UPDATE, "batch", {{"State", "UP"}});
  EXPECT_TRUE(runs(id));
}

TEST_F(PartitionChanges, SurviveARestartButNotTheFile) {
  change(root, PartitionAction::CREATE, "new", {{"Nodes", "node1"}});
  change(root, PartitionAction::UPDATE, "new", {{"MaxTime", "5"}});
  change(root, PartitionAction::UPDATE, "new", {{"MaxTime", "6"}});
  change(root, PartitionAction::UPDATE, "batch", {{"MaxNodes", "2"}});
  change(root, PartitionAction::DELETE, "c-iq");
  restart();
  EXPECT_EQ(config("new").max_time_min, 6u);
  EXPECT_EQ(config("batch").max_nodes, 2u);
  EXPECT_EQ(cluster().partition("c-iq"), nullptr);
  auto changes = cluster().partition_changes;
  ASSERT_TRUE(state().reconfigure(four_nodes()));
  forget_partition_changes(core(), changes);
  settle();
  restart();
  EXPECT_EQ(cluster().partition("new"), nullptr);
  EXPECT_EQ(config("batch").max_nodes, kInfinite);
}

}  // namespace
}  // namespace grappe::embedded
