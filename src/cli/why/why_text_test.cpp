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

v1::WhyResponse limited() {
  v1::WhyResponse why;
  why.set_now(1'000'000);
  why.mutable_job()->set_job_id(42);
  why.mutable_job()->set_name("train");
  why.set_reason("AssocGrpCpuLimit");
  v1::PartitionReason& row = *why.add_partitions();
  row.set_partition("batch");
  row.set_reason("AssocGrpCpuLimit");
  v1::BrokenLimit& limit = *row.mutable_limit();
  limit.set_name("GrpTRES");
  limit.set_tres("cpu");
  limit.set_account("lab");
  limit.set_limit(16);
  limit.set_used(14);
  limit.set_asked(4);
  limit.set_job_count(2);
  limit.set_frees_at(1'000'600);
  v1::CountedJob& taker = *limit.add_jobs();
  taker.set_job_id("37");
  taker.set_user("carol");
  taker.set_amount(8);
  taker.set_end_time(1'000'600);
  return why;
}

TEST(WhyText, SaysWhoseLimitItIsAndWhoHasIt) {
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_EQ(why_text(limited(), Language::kEnglish),
            "Job 42 (train) waits: AssocGrpCpuLimit\n"
            "  Limit GrpTRES=16 cpu of account lab.\n"
            "  In use: 14 cpu by 2 jobs; this one asks for 4 cpu.\n"
            "  It is taken by 37 of carol (8 cpu, until 1970-01-12T13:56:40), and 1 more.\n"
            "  Enough of it is free at 1970-01-12T13:56:40 (in about 10 min) at the latest, if "
            "nobody else comes first.\n");
  EXPECT_EQ(why_text(limited(), Language::kFrench),
            "Le job 42 (train) attend : AssocGrpCpuLimit\n"
            "  Limite GrpTRES=16 cpu (compte lab).\n"
            "  En usage : 14 cpu par 2 jobs ; celui-ci demande 4 cpu.\n"
            "  Elle est prise par 37 (carol, 8 cpu, jusqu'à 1970-01-12T13:56:40), et un autre.\n"
            "  Il y en aura assez à 1970-01-12T13:56:40 (dans environ 10 min) au plus tard, si "
            "personne ne passe avant.\n");
}

TEST(WhyText, NamesTheQosOfThePartitionAndEachPartition) {
  v1::WhyResponse why = limited();
  v1::BrokenLimit& limit = *why.mutable_partitions(0)->mutable_limit();
  limit = {};
  limit.set_name("MaxJobsPerUser");
  limit.set_qos("few");
  limit.set_of_partition(true);
  limit.set_user("alice");
  limit.set_limit(1);
  limit.set_used(1);
  limit.set_asked(1);
  limit.set_job_count(1);
  v1::PartitionReason& other = *why.add_partitions();
  other.set_partition("long");
  other.set_reason("Resources");
  EXPECT_EQ(why_text(why, Language::kEnglish),
            "Job 42 (train) waits: AssocGrpCpuLimit\n"
            "  In partition batch: AssocGrpCpuLimit\n"
            "    Limit MaxJobsPerUser=1 of QoS few of the partition, for each user (alice).\n"
            "    In use: 1 by one job; this one asks for 1.\n"
            "    When enough of it is free is not in sight.\n"
            "  In partition long: Resources. What it asks for is not free.\n");
}

}  // namespace
}  // namespace grappe
