#include "sched/place/room.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// A node of 8 cores in 2 sockets with 2 threads each, 4 GPUs and 16000 MB.
class RoomTest : public ::testing::Test {
 protected:
  RoomTest() {
    c.nodes(1, node(1).geometry(2, 4, 2).gpus(4).memory(16000));
    facts = facts_of(c.snapshot.nodes[0]);
  }
  Site site() { return {&c.snapshot.nodes[0], &facts, &c.snapshot.partitions[0]}; }
  Room room(const JobSpec& spec, std::vector<int64_t> free = {8, 16000, 4}) {
    shape = spec.shape;
    needs = needs_of(c.snapshot, shape);
    return room_on(needs, site(), 0, free);
  }
  Piece piece(const JobSpec& spec, uint32_t n, DeviceCounts devices = {}) {
    shape = spec.shape;
    needs = needs_of(c.snapshot, shape);
    return piece_on(needs, site(), 0, n, devices);
  }

  Cluster c;
  NodeFacts facts;
  Shape shape;
  Needs needs;
};

TEST_F(RoomTest, ThreadsAreCpus) {
  EXPECT_EQ(room(tasks(100)).tasks, 16u);
  EXPECT_EQ(room(tasks(100).cpus(3)).tasks, 5u);
  EXPECT_EQ(room(tasks(100).cpus(17)).tasks, 0u);
}

TEST_F(RoomTest, NoMoreTasksThanTheJobHas) {
  EXPECT_EQ(room(tasks(3)).tasks, 3u);
}

TEST_F(RoomTest, NothingFreeIsNoRoom) {
  EXPECT_EQ(room(tasks(1), {0, 16000, 4}).tasks, 0u);
  EXPECT_EQ(room(tasks(1), {-1, 16000, 4}).tasks, 0u);
}

TEST_F(RoomTest, LayoutWishesLimitTheTasks) {
  JobSpec per_core = tasks(100), one_thread = tasks(100), per_socket = tasks(100);
  per_core.shape.ntasks_per_core = 1;
  one_thread.shape.threads_per_core = 1;
  per_socket.shape.ntasks_per_socket = 3;
  EXPECT_EQ(room(per_core).tasks, 8u);
  EXPECT_EQ(room(one_thread).tasks, 8u);
  EXPECT_EQ(room(per_socket).tasks, 6u);
  EXPECT_EQ(room(tasks(100).per_node(5)).tasks, 5u);
}

TEST_F(RoomTest, MemoryLimitsTheTasks) {
  EXPECT_EQ(room(tasks(100).mem_per_cpu(2000)).tasks, 8u);
  EXPECT_EQ(room(tasks(100).mem(16000)).tasks, 16u);
  EXPECT_EQ(room(tasks(100).mem(16001)).tasks, 0u);
}

TEST_F(RoomTest, AllMemoryMustBeFree) {
  JobSpec all = tasks(1);
  all.shape.all_memory = true;
  EXPECT_EQ(room(all).tasks, 1u);
  EXPECT_EQ(room(all, {8, 15999, 4}).tasks, 0u);
}

TEST_F(RoomTest, DevicesLimitTheTasks) {
  EXPECT_EQ(room(tasks(9).gpus_per_task(1)).tasks, 4u);
  EXPECT_EQ(room(tasks(9).gpus_per_task(3)).tasks, 1u);
  EXPECT_EQ(room(tasks(9).gpus_per_node(5)).tasks, 0u);
  EXPECT_EQ(room(tasks(9).gpus(1), {8, 16000, 0}).tasks, 0u);
}

TEST_F(RoomTest, CpusAndMemoryOfGpusLimitTheGpus) {
  JobSpec by_cpu = job().gpus(9), by_memory = job().gpus(9).mem_per_gpu(6000);
  by_cpu.shape.cpus_per_gpu = 5;
  EXPECT_EQ(room(by_cpu).devices[0], 3u);
  EXPECT_EQ(room(by_memory).devices[0], 2u);
}

TEST_F(RoomTest, AnExclusiveJobNeedsAnIdleNode) {
  EXPECT_EQ(room(tasks(1).exclusive()).tasks, 1u);
  EXPECT_EQ(room(tasks(1).exclusive(), {7, 16000, 4}).tasks, 0u);
}

TEST_F(RoomTest, OvercommitFitsAnyNumberOnACpu) {
  JobSpec spec = tasks(500);
  spec.shape.overcommit = true;
  EXPECT_EQ(room(spec, {1, 16000, 4}).tasks, 500u);
  EXPECT_EQ(piece(spec, 500).cores, 1u);
}

TEST_F(RoomTest, APieceIsWholeCores) {
  EXPECT_EQ(piece(tasks(9), 3).cores, 2u);
  EXPECT_EQ(piece(tasks(9).cpus(3), 3).cores, 5u);
  EXPECT_EQ(piece(tasks(9).mem_per_cpu(100), 3).memory_mb, 400u);
}

TEST_F(RoomTest, APieceOfAnExclusiveJobIsTheWholeNode) {
  Piece p = piece(tasks(1).exclusive().mem_per_cpu(100), 1);
  EXPECT_TRUE(p.whole);
  EXPECT_EQ(p.cores, 8u);
  EXPECT_EQ(p.memory_mb, 1600u);
}

TEST_F(RoomTest, APieceHoldsItsPartOfTheDevices) {
  EXPECT_EQ(piece(tasks(3).gpus_per_task(2), 2).devices[0], 4u);
  EXPECT_EQ(piece(tasks(3).gpus_per_node(3), 2).devices[0], 3u);
  EXPECT_EQ(piece(tasks(3).gpus(3), 2, {2}).devices[0], 2u);
  EXPECT_EQ(piece(job().gpus(3).mem_per_gpu(500), 1, {2}).memory_mb, 1000u);
}

TEST_F(RoomTest, PerSocketCountsTheSocketsAskedFor) {
  JobSpec spec = tasks(2);
  spec.shape.per_socket.push_back({0, "gpu", true, 2});
  spec.shape.sockets_per_node = 2;
  EXPECT_EQ(piece(spec, 2).devices[0], 4u);
}

TEST_F(RoomTest, TheFloorIsNeverAboveWhatATaskCosts) {
  shape = tasks(5).cpus(3).mem(700).shape;
  needs = needs_of(c.snapshot, shape);
  EXPECT_EQ(floor_on(needs, site()), (std::array<int64_t, 2>{2, 700}));
}

}  // namespace
}  // namespace grappe::sched::testing
