#include "embedded/gpu_binding.h"

#include <gtest/gtest.h>

namespace grappe::embedded {
namespace {

using Gpus = std::vector<uint32_t>;

Gpus seen(const std::string& bind, const Gpus& gpus, uint32_t local) {
  return bind_gpus(bind, {gpus, {}, false}, local, local).gpus;
}

TEST(GpuBinding, ShowsEveryTaskEveryGpuUnlessAskedOtherwise) {
  EXPECT_EQ(seen("", {0, 1}, 1), (Gpus{0, 1}));
  EXPECT_EQ(seen("closest", {0, 1}, 1), (Gpus{0, 1}));
  EXPECT_EQ(bind_gpus("closest", {{0, 1}, {1}, false}, 0, 0).gpus, (Gpus{1}));
  EXPECT_TRUE(bind_gpus("none", {{0, 1}, {}, false}, 0, 0).hidden);
}

TEST(GpuBinding, SharesOneGpuAmongAsManyTasksAsAskedFor) {
  EXPECT_EQ(seen("single:1", {2, 3}, 1), (Gpus{3}));
  EXPECT_EQ(seen("single:2", {2, 3}, 1), (Gpus{2}));
  EXPECT_EQ(seen("single:2", {2, 3}, 2), (Gpus{3}));
  EXPECT_EQ(seen("single:1", {2, 3}, 2), (Gpus{2}));
}

TEST(GpuBinding, GivesEachTaskItsOwn) {
  EXPECT_EQ(seen("per_task:2", {0, 1, 2, 3}, 1), (Gpus{2, 3}));
  const GpuBinding none_left = bind_gpus("per_task:1", {{0, 1}, {}, false}, 2, 2);
  EXPECT_EQ(none_left.gpus, (Gpus{0}));
  ASSERT_EQ(none_left.notices.size(), 2u);
  EXPECT_EQ(none_left.notices[0], "Not enough gpus to bind for gpus per task");
}

TEST(GpuBinding, TakesListsInTurn) {
  EXPECT_EQ(seen("map_gpu:3,1", {0, 1, 2, 3}, 0), (Gpus{3}));
  EXPECT_EQ(seen("map_gpu:3,1", {0, 1, 2, 3}, 3), (Gpus{1}));
  EXPECT_EQ(seen("mask_gpu:0x3,0xc", {0, 1, 2, 3}, 1), (Gpus{2, 3}));
  EXPECT_EQ(bind_gpus("map_gpu:1", {{2, 3}, {}, true}, 0, 0).gpus, (Gpus{3}));
  EXPECT_EQ(bind_gpus("map_gpu:1", {{2, 3}, {}, false}, 0, 5).notices,
            (std::vector<std::string>{
                "Bind request gpu:map_gpu:1 does not specify any devices within the allocation "
                "for task 5. Binding to the first device in the allocation instead."}));
}

TEST(GpuBinding, FollowsFromTheNumberOfTasksOrGpus) {
  v1::StepSpec spec;
  EXPECT_EQ(gpu_bind_of(spec), "");
  spec.set_gpus_per_task("a100:2");
  EXPECT_EQ(gpu_bind_of(spec), "per_task:2");
  spec.set_ntasks_per_gpu(3);
  EXPECT_EQ(gpu_bind_of(spec), "single:3");
  spec.set_gpu_bind("verbose,closest");
  EXPECT_EQ(gpu_bind_of(spec), "closest");
}

}  // namespace
}  // namespace grappe::embedded
