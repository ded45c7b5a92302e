#include "embedded/tres.h"

#include <gtest/gtest.h>

#include "store/usage.h"

namespace grappe::embedded {
namespace {

std::vector<NodeAllocation> two_nodes(bool gpus) {
  std::vector<NodeAllocation> out(2);
  for (NodeAllocation& share : out) {
    share.cpus = {0, 1, 2};
    share.memory_mb = 1536;
    if (gpus) share.gres = {{"gpu", "a100", {0, 1}}};
  }
  return out;
}

TEST(TresText, OfAnAllocationIsThatOfItsCounts) {
  EXPECT_EQ(tres_text(two_nodes(false)), "cpu=6,mem=3G,node=2");
  EXPECT_EQ(tres_text(two_nodes(false), 9), "cpu=6,mem=3G,node=2,billing=9");
  for (const bool gpus : {false, true}) {
    TresCounts counts = tres_counts(two_nodes(gpus));
    EXPECT_EQ(tres_text(two_nodes(gpus)), tres_text(counts));
    counts["billing"] = 9;
    EXPECT_EQ(tres_text(two_nodes(gpus), 9), tres_text(counts));
  }
}

TEST(TresText, NamesGpusAndTheirTypes) {
  EXPECT_EQ(tres_text(two_nodes(true), 9),
            "cpu=6,mem=3G,node=2,billing=9,gres/gpu=4,gres/gpu:a100=4");
}

}  // namespace
}  // namespace grappe::embedded
