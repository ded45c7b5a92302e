#include "base/gres_spec.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

constexpr const char* kBadGres = "Invalid generic resource (gres) specification";
constexpr const char* kBadTres = "Invalid Trackable RESource (TRES) specification";

std::string shown(const Result<std::vector<GresSpec>>& specs) {
  return specs ? format_gres(*specs) : specs.error().message;
}

TEST(GresSpec, ReadsNameTypeAndCount) {
  auto specs = parse_gres("gpu:tesla:2,shard:1,gpu").value();
  ASSERT_EQ(specs.size(), 3u);
  EXPECT_EQ(specs[0], (GresSpec{"gpu", "tesla", 2, true}));
  EXPECT_EQ(specs[1], (GresSpec{"shard", "", 1, true}));
  EXPECT_EQ(specs[2], (GresSpec{"gpu", "", 1, false}));
  EXPECT_EQ(parse_gres("gpu:a100").value()[0], (GresSpec{"gpu", "a100", 1, false}));
  EXPECT_EQ(parse_gres("gpu:3090:2").value()[0], (GresSpec{"gpu", "3090", 2, true}));
  EXPECT_EQ(parse_gres("gpu:1g.5gb:2").value()[0], (GresSpec{"gpu", "1g.5gb", 2, true}));
}

TEST(GresSpec, CountsMayHaveASuffix) {
  EXPECT_EQ(parse_gres("craynetwork:1K").value()[0].count, 1024u);
  EXPECT_EQ(parse_gres("gpu:2k").value()[0].count, 2048u);
  EXPECT_EQ(parse_gres("gpu:2KB").value()[0].count, 2000u);
  EXPECT_EQ(parse_gres("gpu:1M").value()[0].count, 1048576u);
}

TEST(GresSpec, NoneIsNoResource) {
  EXPECT_TRUE(parse_gres("none").value().empty());
  EXPECT_TRUE(parse_gres("NONE").value().empty());
  EXPECT_TRUE(parse_gres("").value().empty());
  EXPECT_TRUE(parse_gpus("").value().empty());
}

TEST(GresSpec, ShownAsInTresPerNode) {
  EXPECT_EQ(shown(parse_gres("gpu")), "gres:gpu");
  EXPECT_EQ(shown(parse_gres("gpu:2")), "gres:gpu:2");
  EXPECT_EQ(shown(parse_gres("gres:gpu:2")), "gres:gpu:2");
  EXPECT_EQ(shown(parse_gres("gpu:2,gpu:1")), "gres:gpu:2,gres:gpu:1");
  EXPECT_EQ(shown(parse_gres("gpu:A100:1")), "gres:gpu:A100:1");
  EXPECT_EQ(format_gres(parse_gres("gpu:a100:2").value(), ""), "gpu:a100:2");
}

TEST(GresSpec, GpusNeedNoName) {
  EXPECT_EQ(shown(parse_gpus("2")), "gres:gpu:2");
  EXPECT_EQ(shown(parse_gpus("volta:3,kepler:5")), "gres:gpu:volta:3,gres:gpu:kepler:5");
  EXPECT_EQ(shown(parse_gpus("volta")), "gres:gpu:volta");
  EXPECT_EQ(shown(parse_gpus("0")), "gres:gpu:0");
}

TEST(GresSpec, RefusesWithSlurmsWords) {
  for (auto bad : {"gpu:", "gpu::2", ":2", "gpu=2", "gres/gpu:2", "gpu:a:b:1", "gpu(2)",
                   "gpu:2(S:0)x:1", "gpu:-1", "gpu:a100:", "g pu:1"}) {
    EXPECT_EQ(shown(parse_gres(bad)), kBadGres) << bad;
  }
  for (auto bad : {",", "gpu:2,", "gpu:1.5", "gpu:2 ", "gpu:2x", "gpu:99999999999999999999",
                   "gpu:9999999P", "gpu:a100:x"}) {
    EXPECT_EQ(shown(parse_gres(bad)), kBadTres) << bad;
  }
  EXPECT_EQ(shown(parse_gpus("x:")), kBadGres);
  EXPECT_EQ(shown(parse_gpus("gpu:a100:2")), kBadGres);
  EXPECT_EQ(shown(parse_gpus("2x")), kBadTres);
}

TEST(GresSpec, OfTwoThatNameTheSameTheLastCounts) {
  auto specs = *parse_gres("gpu:2,gpu:a:1,gpu:1");
  keep_last_of_each(specs);
  EXPECT_EQ(format_gres(specs, ""), "gpu:a:1,gpu:1");
}

}  // namespace
}  // namespace grappe
