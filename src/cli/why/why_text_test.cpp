#include "cli/why/why_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace grappe {
namespace {

v1::WhyResponse waiting() {
  setenv("TZ", "UTC", 1);
  tzset();
  v1::WhyResponse why;
  why.set_now(1'000'000);
  why.mutable_job()->set_job_id(42);
  why.mutable_job()->set_name("train");
  why.set_reason("Resources");
  why.set_planned(true);
  why.set_ahead_count(7);
  v1::AheadJob& ahead = *why.add_ahead();
  ahead.set_job_id("40_3");
  ahead.set_user("bob");
  ahead.set_priority(120);
  v1::NodeSupply& node = *why.add_nodes();
  node.set_node("node1");
  node.set_available(true);
  auto add = [&](const char* what, uint64_t free, uint64_t total, bool is_short) {
    v1::Supply& s = *node.add_supplies();
    s.set_what(what);
    s.set_free(free);
    s.set_total(total);
    s.set_is_short(is_short);
  };
  add("cpu", 6, 8, false);
  add("mem", 12800, 32768, true);
  add("gres/gpu", 0, 4, true);
  why.set_expected_start(1'000'000 + 2100);
  why.add_expected_nodes("node1");
  v1::EndingJob& end = *why.add_waits_for();
  end.set_job_id("37");
  end.set_user("carol");
  end.set_end_time(1'000'000 + 2100);
  v1::Remedy& now = *why.add_remedies();
  now.set_option("--mem=12G");
  now.set_start_time(1'000'000);
  v1::Remedy& drop = *why.add_remedies();
  drop.set_option("--exclusive");
  drop.set_drop(true);
  drop.set_start_time(1'000'240);
  return why;
}

TEST(WhyText, TellsTheWholeChainInEnglish) {
  EXPECT_EQ(why_text(waiting(), Language::kEnglish),
            "Job 42 (train) waits: Resources\n"
            "  What it asks for is not free.\n"
            "  7 jobs come before it: 40_3 of bob (priority 120), and 6 more\n"
            "  node1: free are 6 of 8 CPUs, 12.5G of 32G memory, 0 of 4 gres/gpu; too little: "
            "memory, gres/gpu\n"
            "  It is expected to start at 1970-01-12T14:21:40 (in about 35 min) on node1.\n"
            "  By then these will have ended: 37 (carol, 1970-01-12T14:21:40).\n"
            "What would start it sooner, each tried by planning again:\n"
            "  --mem=12G            starts now\n"
            "  without --exclusive  starts in about 4 min\n");
}

TEST(WhyText, SpeaksFrench) {
  const std::string text = why_text(waiting(), language_of("fr_CA.UTF-8"));
  EXPECT_TRUE(text.starts_with("Le job 42 (train) attend : Resources\n")) << text;
  EXPECT_NE(text.find("sans --exclusive  commence dans environ 4 min"), std::string::npos) << text;
  EXPECT_EQ(language_of("de_DE"), Language::kEnglish);
}

TEST(WhyText, OfAJobThatDoesNotWait) {
  v1::WhyResponse why = waiting();
  why.mutable_job()->set_state(1);
  EXPECT_EQ(why_text(why, Language::kEnglish), "Job 42 (train) is running.\n");
  why.mutable_job()->set_state(3);
  EXPECT_EQ(why_text(why, Language::kEnglish), "Job 42 (train) is over: COMPLETED.\n");
}

TEST(WhyText, ALimitOfTheBooksPointsThere) {
  v1::WhyResponse why = waiting();
  why.set_reason("QOSMaxGRESPerUser");
  why.set_planned(false);
  EXPECT_NE(why_text(why, Language::kEnglish).find("sacctmgr show qos"), std::string::npos);
}

}  // namespace
}  // namespace grappe
