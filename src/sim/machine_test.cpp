#include "sim/machine.h"

#include <gtest/gtest.h>

namespace grappe::sim {
namespace {

TEST(Machine, ReadsNodesCpusGpusAndMemory) {
  auto machine = parse_machine("4x64:gpu=8:mem=512G+100");
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->cpus(), 356u);
  EXPECT_EQ(machine->gpus(), 32u);
  EXPECT_EQ(machine->gpus_per_node(), 8u);
  EXPECT_TRUE(machine->counts_memory());
  EXPECT_EQ(machine_text(*machine), "4 nodes of 64 CPUs, 8 GPUs, 512G + 100 CPUs");
  EXPECT_EQ(empty_machine(*machine).nodes.size(), 5u);
}

TEST(Machine, GpusMayBeLinkedInGroups) {
  auto machine = parse_machine("2x64:gpu=8:links=4");
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine_text(*machine), "2 nodes of 64 CPUs, 8 GPUs in groups of 4");
  const sched::Snapshot snapshot = empty_machine(*machine);
  EXPECT_EQ(snapshot.nodes[1].devices[3].link_group, 0u);
  EXPECT_EQ(snapshot.nodes[1].devices[4].link_group, 1u);
}

TEST(Machine, SaysWhatIsWrong) {
  for (const char* text :
       {"", "x", "0", "4x", "4x0", "4x4x4", "4x8:gpu=a", "4x8:links=0", "4x8:disk=1"}) {
    EXPECT_FALSE(parse_machine(text)) << text;
  }
}

}  // namespace
}  // namespace grappe::sim
