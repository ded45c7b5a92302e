#include "embedded/task_binding.h"

#include <gtest/gtest.h>

namespace grappe::embedded {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

// Two sockets of two cores of two threads; the kernel numbers second threads from 4 on.
BindingRequest whole_machine(uint32_t tasks, uint32_t cpus_per_task = 1) {
  BindingRequest request;
  request.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
  request.real = {{0}, {4}, {1}, {5}, {2}, {6}, {3}, {7}};
  request.machine_cpus = 8;
  request.threads_per_core = 2;
  request.cores_per_socket = 2;
  request.tasks = tasks;
  request.cpus_per_task = cpus_per_task;
  return request;
}

NodeBinding bound(std::string_view asked, const BindingRequest& request) {
  auto out = bind_tasks(*parse_cpu_bind(asked), request);
  EXPECT_TRUE(out) << out.error().message;
  return out.value_or(NodeBinding{});
}

TEST(TaskBinding, GivesEachTaskItsCpusWhenTheyMatch) {
  EXPECT_EQ(bound("", whole_machine(8)).tasks, (Lists{{0}, {2}, {4}, {6}, {1}, {3}, {5}, {7}}));
  BindingRequest block = whole_machine(8);
  block.cyclic = false;
  EXPECT_EQ(bound("", block).tasks, (Lists{{0}, {4}, {1}, {5}, {2}, {6}, {3}, {7}}));
  EXPECT_EQ(bound("", whole_machine(4, 2)).tasks, (Lists{{0, 4}, {2, 6}, {1, 5}, {3, 7}}));
}

TEST(TaskBinding, BindsToCoresOrSocketsWhenThoseMatch) {
  EXPECT_EQ(bound("", whole_machine(4)).tasks, (Lists{{0, 4}, {2, 6}, {1, 5}, {3, 7}}));
  const NodeBinding sockets = bound("", whole_machine(2));
  EXPECT_EQ(sockets.tasks, (Lists{{0, 1, 4, 5}, {2, 3, 6, 7}}));
  EXPECT_EQ(sockets.list, "0x33,0xCC");
  EXPECT_EQ(sockets.type, "mask_cpu:");
}

TEST(TaskBinding, SharesEverythingWhenNothingMatches) {
  const NodeBinding shared = bound("", whole_machine(3));
  EXPECT_EQ(shared.list, "0xFF") << "one mask for all, as Slurm shows it";
  EXPECT_EQ(shared.tasks.size(), 3u);
  BindingRequest automatic = whole_machine(3);
  automatic.fallback = CpuBindDefault::kThread;
  EXPECT_EQ(bound("", automatic).tasks, (Lists{{0}, {2}, {4}}));
  EXPECT_EQ(bound("", whole_machine(16)).list, "0xFF") << "overcommitted";
}

TEST(TaskBinding, BindsToTheUnitThatIsAskedFor) {
  EXPECT_EQ(bound("threads", whole_machine(1)).tasks, (Lists{{0}}));
  EXPECT_EQ(bound("cores", whole_machine(1)).tasks, (Lists{{0, 4}}));
  EXPECT_EQ(bound("cores", whole_machine(1, 3)).tasks, (Lists{{0, 1, 4, 5}}));
  EXPECT_EQ(bound("sockets", whole_machine(3)).tasks,
            (Lists{{0, 1, 4, 5}, {2, 3, 6, 7}, {0, 1, 4, 5}}));
  EXPECT_EQ(bound("cores,one_thread", whole_machine(2)).tasks, (Lists{{0}, {2}}));
}

TEST(TaskBinding, FollowsTheSitesDefault) {
  BindingRequest request = whole_machine(1);
  request.preset = CpuBindDefault::kCore;
  EXPECT_EQ(bound("", request).tasks, (Lists{{0, 4}}));
  request.preset = CpuBindDefault::kNone;
  EXPECT_EQ(bound("", request).type, "none");
  EXPECT_EQ(bound("threads", request).tasks, (Lists{{0}})) << "what is asked for comes first";
}

TEST(TaskBinding, TakesListsInTurn) {
  const NodeBinding map = bound("map_cpu:7,0", whole_machine(3));
  EXPECT_EQ(map.tasks, (Lists{{7}, {0}, {7}}));
  EXPECT_EQ(map.label, "MAP ");
  EXPECT_EQ(map.list, "7,0");
  EXPECT_EQ(bound("mask_cpu:0x3", whole_machine(2)).tasks, (Lists{{0, 1}, {0, 1}}));
  EXPECT_EQ(bound("rank", whole_machine(3)).tasks, (Lists{{0}, {4}, {1}}));
}

TEST(TaskBinding, StaysWithinTheStep) {
  BindingRequest part = whole_machine(1);
  part.cpus = {0, 1};
  auto outside = bind_tasks(*parse_cpu_bind("map_cpu:1"), part);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().message,
            "CPU binding outside of job step allocation, allocated CPUs are: 0x11.");
  EXPECT_EQ(bound("none", part).list, "0x11") << "a part of a node is no reason to use it all";
  EXPECT_EQ(bound("none", whole_machine(1)).tasks, (Lists{{}}));
}

}  // namespace
}  // namespace grappe::embedded
