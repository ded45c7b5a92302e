#include "model/config_values.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

TEST(ConfigValues, ReadsSlurmsWordsForYesAndNo) {
  for (const char* yes : {"yes", "YES", "up", "true", "1"}) EXPECT_TRUE(*read_bool("K", yes));
  for (const char* no : {"no", "Down", "FALSE", "0"}) EXPECT_FALSE(*read_bool("K", no));
  EXPECT_EQ(read_bool("Hidden", "maybe").error().message,
            "\"maybe\" is not a valid option for \"Hidden\"");
}

TEST(ConfigValues, ReadsNumbersWithinTheirBounds) {
  EXPECT_EQ(*read_number("K", "12", 0, 100), 12u);
  EXPECT_EQ(*read_number("K", "0x10", 0, 100), 16u);
  EXPECT_EQ(*read_number("K", "2k", 0, 4096), 2048u);
  EXPECT_EQ(*read_number("K", "1M", 0, UINT64_MAX), 1048576u);
  EXPECT_EQ(*read_number("K", "UNLIMITED", 0, 5, true), kInfinite);
  EXPECT_EQ(read_number("MaxNodes", "x1", 0, 5).error().message,
            "MaxNodes value \"x1\" is not a valid number");
  EXPECT_EQ(read_number("ReturnToService", "3", 0, 2).error().message,
            "ReturnToService value (3) must be from 0 to 2");
  EXPECT_FALSE(read_number("K", "-1", 0, 5));
  EXPECT_FALSE(read_number("K", "", 0, 5));
  EXPECT_FALSE(read_number("K", "UNLIMITED", 0, 5));
  EXPECT_FALSE(read_number("K", "99999999999999999999", 0, UINT64_MAX));
  EXPECT_FALSE(read_number("K", "18446744073709551615k", 0, UINT64_MAX));
}

TEST(ConfigValues, ReadsTimesInMinutes) {
  EXPECT_EQ(*read_time_min("MaxTime", "7-00:00:00"), 7u * 24 * 60);
  EXPECT_EQ(*read_time_min("MaxTime", "90"), 90u);
  EXPECT_EQ(*read_time_min("MaxTime", "UNLIMITED"), kInfinite);
  EXPECT_EQ(*read_time_s("PriorityCalcPeriod", "1"), 60u);
  EXPECT_EQ(read_time_min("MaxTime", "soon").error().message, "Bad value \"soon\" for MaxTime");
}

TEST(ConfigValues, ReadsAndFoldsExitCodes) {
  EXPECT_EQ(*read_exit_codes("RequeueExit", "1-3,7"), (std::vector<int>{1, 2, 3, 7}));
  EXPECT_EQ(show_exit_codes({1, 2, 3, 7}), "1-3,7");
  EXPECT_EQ(show_exit_codes({3, 1, 2}), "3,1-2");
  EXPECT_FALSE(read_exit_codes("RequeueExit", "3-1"));
  EXPECT_FALSE(read_exit_codes("RequeueExit", "256"));
}

TEST(ConfigValues, ReadsBillingWeightsPerMegabyte) {
  auto weights = read_tres_weights("TRESBillingWeights", "CPU=1.0,Mem=0.25G,GRES/gpu:a100=2.5");
  ASSERT_TRUE(weights);
  EXPECT_EQ(*weights,
            (std::vector<TresWeight>{{"cpu", 1.0}, {"mem", 0.25 / 1024}, {"gres/gpu:a100", 2.5}}));
  EXPECT_EQ((*read_tres_weights("K", "mem=1M"))[0].weight, 1.0);
  EXPECT_EQ((*read_tres_weights("K", "mem=1K"))[0].weight, 1024.0);
  EXPECT_EQ((*read_tres_weights("K", "cpu=-1"))[0].weight, -1.0);
  EXPECT_FALSE(read_tres_weights("K", "cpu"));
  EXPECT_FALSE(read_tres_weights("K", "cpu=x"));
  EXPECT_FALSE(read_tres_weights("K", "cpu=nan"));
  EXPECT_EQ(read_tres_weights("PriorityWeightTRES", "gpus=1").error().message,
            "PriorityWeightTRES: TRES weight 'gpus=1' is not a configured TRES type.");
}

TEST(ConfigValues, ReadsLicensesWithBothMarks) {
  EXPECT_EQ(*read_licenses("Licenses", "matlab:5,ansys*3,single"),
            (std::vector<LicenseConfig>{{"matlab", 5}, {"ansys", 3}, {"single", 1}}));
  EXPECT_FALSE(read_licenses("Licenses", "matlab:x"));
  EXPECT_FALSE(read_licenses("Licenses", ":5"));
}

TEST(ConfigValues, WritesSelectParametersInSlurmsOrder) {
  auto select = read_select("SelectTypeParameters", "CR_Pack_Nodes,CR_Core_Memory,CR_LLN");
  ASSERT_TRUE(select);
  EXPECT_EQ(show_select(*select), "CR_CORE_MEMORY,CR_LLN,CR_PACK_NODES");
  EXPECT_EQ(show_select(*read_select("S", "cr_cpu")), "CR_CPU");
  EXPECT_EQ(show_select(*read_select("S", "CR_Memory")), "CR_MEMORY");
  EXPECT_FALSE(read_select("S", "CR_GPU"));
  EXPECT_FALSE(read_select("S", "CR_CPU,CR_ONE_TASK_PER_CORE"));
}

TEST(ConfigValues, WritesPreemptModesInSlurmsOrder) {
  EXPECT_EQ(show_preempt_mode(*read_preempt_mode("P", "SUSPEND,GANG")), "GANG,SUSPEND");
  EXPECT_EQ(show_preempt_mode(*read_preempt_mode("P", "off")), "OFF");
  EXPECT_EQ(show_preempt_mode(*read_preempt_mode("P", "GANG")), "GANG");
  EXPECT_FALSE(read_preempt_mode("P", "CANCEL,REQUEUE"));
  EXPECT_FALSE(read_preempt_mode("P", "later"));
}

TEST(ConfigValues, ReadsCpuBindInBothNumbers) {
  EXPECT_EQ(*read_cpu_bind("CpuBind", "core"), CpuBindDefault::kCore);
  EXPECT_EQ(*read_cpu_bind("CpuBind", "Cores"), CpuBindDefault::kCore);
  EXPECT_EQ(show_cpu_bind(CpuBindDefault::kLdom), "ldoms");
  EXPECT_FALSE(read_cpu_bind("CpuBind", "die"));
}

}  // namespace
}  // namespace grappe
