#include "service/text_limits.h"

#include <gtest/gtest.h>

#include "grappe/v1/spec.pb.h"

namespace grappe {
namespace {

TEST(TextLimits, AreThoseOfSlurm) {
  v1::JobSpec spec;
  spec.set_name(std::string(1024, 'n'));
  spec.set_work_dir(std::string(4096, 'd'));
  spec.set_dependency(std::string(100'000, '1'));
  spec.add_argv(std::string(100'000, 'a'));
  EXPECT_TRUE(texts_fit(spec));
  spec.set_name(std::string(1025, 'n'));
  EXPECT_FALSE(texts_fit(spec));
  spec.set_name("n");
  spec.set_std_out(std::string(4097, 'o'));
  EXPECT_FALSE(texts_fit(spec));
}

TEST(TextLimits, RefuseANulAnywhere) {
  const std::string torn("a\0b", 3);
  v1::JobSpec spec;
  spec.set_comment(torn);
  EXPECT_FALSE(texts_fit(spec));
  spec.set_comment("");
  spec.add_argv(torn);
  EXPECT_FALSE(texts_fit(spec));
  v1::StepSpec step;
  step.add_multi_prog()->add_argv(torn);
  EXPECT_FALSE(texts_fit(step));
}

TEST(TextLimits, LeaveEnvironmentsAlone) {
  v1::StepSpec step;
  step.set_environment(std::string("A=1\0B=2\0", 8) + std::string(10'000, 'x'));
  EXPECT_TRUE(texts_fit(step));
}

}  // namespace
}  // namespace grappe
