#include "cli/options/gpu_checks.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

TEST(GpuChecks, GpusPerTaskNeedACountOfTasks) {
  v1::JobSpec spec;
  spec.set_gpus_per_task("1");
  EXPECT_EQ(gpu_conflict(spec),
            "Failed to validate job spec. --gpus-per-task used without either --gpus or "
            "-n/--ntasks is not allowed.");
  spec.set_ntasks(2);
  EXPECT_EQ(gpu_conflict(spec), "");
  spec.clear_ntasks();
  spec.set_min_nodes(2);
  EXPECT_EQ(gpu_conflict(spec), "");
}

TEST(GpuChecks, GpusOfTheJobMustBeThoseOfItsParts) {
  v1::JobSpec spec;
  spec.set_gpus("5");
  spec.set_gpus_per_node("2");
  EXPECT_EQ(gpu_conflict(spec),
            "Failed to validate job spec, --gpus is not multiple of --gres=gpu/--gpus-per-node");
  spec.set_gpus("4");
  EXPECT_EQ(gpu_conflict(spec), "");
  spec.set_min_nodes(3);
  spec.set_max_nodes(3);
  EXPECT_EQ(gpu_conflict(spec),
            "Failed to validate job spec. Based on --gpu and --gres=gpu/--gpus-per-node required "
            "nodes (2) doesn't fall between min_nodes (3) and max_nodes (3) boundaries.");
}

TEST(GpuChecks, GpusOfANodeAreThoseOfItsSocketsAndTasks) {
  v1::JobSpec spec;
  spec.set_gres("gpu:3");
  spec.set_gpus_per_socket("2");
  spec.set_sockets_per_node(1);
  EXPECT_EQ(gpu_conflict(spec),
            "Failed to validate job spec, --gres=gpu/--gpus-per-node not multiple of "
            "--gpus-per-socket.");
  spec.set_gpus_per_socket("1");
  EXPECT_EQ(gpu_conflict(spec),
            "Failed to validate job spec. Based on --gres=gpu/--gpus-per-node and "
            "--gpus-per-socket required number of sockets differ from --sockets-per-node.");
  spec.clear_gpus_per_socket();
  spec.set_gpus_per_task("1");
  spec.set_ntasks(3);
  EXPECT_EQ(gpu_conflict(spec), "");
  spec.set_ntasks_per_node(1);
  EXPECT_EQ(gpu_conflict(spec),
            "Failed to validate job spec. Based on --gres=gpu/--gpus-per-node and --gpus-per-task "
            "requested number of tasks per node differ from --ntasks-per-node.");
}

TEST(GpuChecks, EveryNodeHasAGpuOfTheJob) {
  v1::JobSpec spec;
  spec.set_gpus("1");
  spec.set_min_nodes(2);
  EXPECT_EQ(gpu_conflict(spec), "Failed to validate job spec, --gpus < -N");
}

TEST(GpuChecks, TasksFollowFromGpus) {
  v1::JobSpec spec;
  spec.set_gpus("a100:4");
  spec.set_gpus_per_task("a100:2");
  EXPECT_EQ(gpu_conflict(spec), "");
  spec.set_ntasks(1);
  EXPECT_EQ(gpu_conflict(spec),
            "Failed to validate job spec. Based on --gpus and --gpus-per-task number of requested "
            "tasks differ from -n/--ntasks.");
}

TEST(GpuChecks, GpusPerSocketNeedACountOfSockets) {
  v1::JobSpec spec;
  spec.set_gpus_per_socket("1");
  EXPECT_EQ(gpu_conflict(spec),
            "--gpus-per-socket option requires --sockets-per-node specification");
  spec.set_sockets_per_node(1);
  EXPECT_EQ(gpu_conflict(spec), "");
}

}  // namespace
}  // namespace grappe
