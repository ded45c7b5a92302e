#include "exec/gpu/nvml.h"

#include <gtest/gtest.h>

#include <future>

#include "exec/gpu/gpu_meter.h"

namespace grappe::exec {
namespace {

// tests of this folder build a library that pretends two GPUs (testing/main_nvml_stand_in.cpp).
const std::string kStandIn = GRAPPE_NVML_STAND_IN;

TEST(Nvml, TellsWhatTheDriverKnowsOfEachGpu) {
  auto nvml = Nvml::open(kStandIn);
  ASSERT_TRUE(nvml) << nvml.error().message;
  const std::vector<GpuUse> gpus = (*nvml)->measure();
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].minor, 0u);
  EXPECT_EQ(gpus[0].percent, 40u);
  EXPECT_EQ(gpus[0].memory_bytes, 1ull << 30);
  EXPECT_EQ(gpus[1].minor, 1u);
  EXPECT_EQ(gpus[1].percent, 80u);
}

TEST(Nvml, SaysWhyALibraryIsOfNoUse) {
  auto absent = Nvml::open("/nonexistent/libnvidia-ml.so.1");
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().message.find("/nonexistent/libnvidia-ml.so.1"), std::string::npos);
  auto other = Nvml::open("libm.so.6");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("has no nvml"), std::string::npos);
}

TEST(GpuMeter, AnswersFromItsOwnThread) {
  std::promise<GpusMeasured> answer;
  GpuMeter meter(kStandIn, [&](GpusMeasured measured) { answer.set_value(std::move(measured)); });
  meter.measure();
  EXPECT_EQ(answer.get_future().get().gpus.size(), 2u);
}

}  // namespace
}  // namespace grappe::exec
