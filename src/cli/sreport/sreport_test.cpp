#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "base/datetime.h"
#include "cli/fake_calls.h"
#include "cli/sreport/session.h"
#include "cli/sreport/tres.h"
#include "grappe/v1/books.pb.h"
#include "grappe/v1/reports.pb.h"

namespace grappe::sreport {
namespace {

TEST(Sreport, TimesAreRoundedToTheirUnit) {
  EXPECT_EQ(format_time(90, 100, TimeForm::kSeconds), "90");
  EXPECT_EQ(format_time(90, 100, TimeForm::kMinutes), "2");
  EXPECT_EQ(format_time(1800, 100, TimeForm::kHours), "0");
  EXPECT_EQ(format_time(1, 3, TimeForm::kPercent), "33.33%");
  EXPECT_EQ(format_time(7200, 1712000, TimeForm::kMinPer), "120(0.42%)");
  EXPECT_EQ(format_time(5, 0, TimeForm::kSecPer), "5(0.00%)");
}

TEST(Sreport, FormsOfTimeMayBeShortened) {
  EXPECT_EQ(parse_time_form("minper"), TimeForm::kMinPer);
  EXPECT_EQ(parse_time_form("MIN"), TimeForm::kMinutes);
  EXPECT_EQ(parse_time_form("h"), TimeForm::kHours);
  EXPECT_EQ(parse_time_form("p"), TimeForm::kPercent);
  EXPECT_FALSE(parse_time_form("days"));
  EXPECT_FALSE(parse_time_form(""));
}

TEST(Sreport, WindowsAreWholeHoursAndYesterdayByDefault) {
  const int64_t now = *parse_datetime("2026-11-16T09:40:00", 0, true);
  EXPECT_EQ(window_of("", "", now)->text(), "2026-11-15T00:00:00 - 2026-11-15T23:59:59");
  EXPECT_EQ(window_of("2026-11-16T07:29:29", "now", now)->text(),
            "2026-11-16T07:00:00 - 2026-11-16T09:59:59");
  EXPECT_EQ(window_of("2026-11-16T07:29:30", "2026-11-16T08:10", now)->text(),
            "2026-11-16T08:00:00 - 2026-11-16T08:59:59");
  EXPECT_FALSE(window_of("soon", "", now));
}

// What a command prints.
class SreportCommand : public ::testing::Test {
 protected:
  SreportCommand() {
    v1::UsageResponse usage;
    usage.set_cluster("mine");
    v1::ClusterUsage& cpu = *usage.add_utilization();
    cpu.set_tres("cpu");
    cpu.set_count(4);
    cpu.set_allocated(21600);
    cpu.set_down(600);
    cpu.set_idle(323400);
    v1::AssociationUsage* root = usage.add_associations();
    root->set_account("root");
    root->add_lineage("root");
    (*root->mutable_seconds())["cpu"] = 21600;
    for (const auto& [user, seconds] : {std::pair("bob9", 7200), std::pair("alice9", 14400)}) {
      v1::AssociationUsage& leaf = *usage.add_associations();
      leaf.set_account("cs");
      leaf.set_user(user);
      leaf.set_depth(2);
      leaf.add_lineage("root");
      leaf.add_lineage("cs");
      (*leaf.mutable_seconds())["cpu"] = static_cast<uint64_t>(seconds);
    }
    calls_.answer("Reports/Usage", usage);
    session_.no_header = true;
    session_.style.kind = ReportStyle::kBarsBetween;
  }

  std::string run(const std::vector<std::string>& words) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    run_line(session_, words);
    std::fflush(stdout);
    std::string out = testing::internal::GetCapturedStdout();
    return out + testing::internal::GetCapturedStderr();
  }

  FakeCalls calls_;
  Session session_{calls_};
};

TEST_F(SreportCommand, TellsWhatTheClusterDid) {
  EXPECT_EQ(run({"cluster", "utilization"}), "mine|360|10|0|5390|0|5760\n");
  session_.time = TimeForm::kMinPer;
  EXPECT_EQ(run({"cluster", "Util", "format=cluster,alloc,report"}),
            "mine|360(6.25%)|5760(100.00%)\n");
}

TEST_F(SreportCommand, ListsUsersByWhatTheyUsed) {
  EXPECT_EQ(run({"user", "top"}), "mine|alice9||cs|240|0\nmine|bob9||cs|120|0\n");
  EXPECT_EQ(run({"user", "top", "topcount=1"}), "mine|alice9||cs|240|0\n");
  EXPECT_EQ(run({"cluster", "UserUtilizationByAccount", "users=bob9"}), "mine|bob9||cs|120|0\n");
}

TEST_F(SreportCommand, ListsAccountsAsInTheTree) {
  EXPECT_EQ(run({"cluster", "AccountUtilizationByUser", "format=account,login,used"}),
            "root||360\ncs|bob9|120\ncs|alice9|240\n");
}

// As a Slurm has printed it with these figures.
TEST_F(SreportCommand, LooksAsSlurmsDoes) {
  v1::UsageResponse usage;
  usage.set_cluster("peer");
  v1::ClusterUsage& cpu = *usage.add_utilization();
  cpu.set_tres("cpu");
  cpu.set_allocated(111660);
  cpu.set_idle(3279060);
  v1::ClusterUsage& gpu = *usage.add_utilization();
  gpu.set_tres("gres/gpu");
  gpu.set_count(16);
  gpu.set_allocated(7200);
  gpu.set_idle(1688160);
  v1::AssociationUsage& root = *usage.add_associations();
  root.set_account("root");
  (*root.mutable_seconds())["cpu"] = 111660;
  calls_.answer("Reports/Usage", usage);
  session_.no_header = false;
  session_.style.kind = ReportStyle::kTable;
  const std::string line(80, '-');
  const std::vector<std::string> window{"start=9/01/20", "end=2026-11-15"};
  EXPECT_EQ(run({"cluster", "utilization", window[0], window[1]}),
            line + "\nCluster Utilization 2020-09-01T00:00:00 - 2026-11-14T23:59:59\n" +
                "Usage reported in CPU Minutes\n" + line +
                "\n  Cluster Allocate     Down PLND Dow     Idle  Planned Reported \n"
                "--------- -------- -------- -------- -------- -------- -------- \n"
                "     peer     1861        0        0    54651        0    56512 \n");
  EXPECT_EQ(run({"cluster", "AccountUtilizationByUser", window[0], window[1]}),
            line +
                "\nCluster/Account/User Utilization 2020-09-01T00:00:00 - 2026-11-14T23:59:59 "
                "(195782400 secs)\nUsage reported in CPU Minutes\n" +
                line +
                "\n  Cluster         Account     Login     Proper Name     Used   Energy \n"
                "--------- --------------- --------- --------------- -------- -------- \n"
                "     peer            root                               1861        0 \n");
  session_.time = TimeForm::kMinPer;
  session_.tres_given = true;
  session_.tres = {"gres/gpu"};
  EXPECT_EQ(run({"cluster", "utilization", window[0], window[1]}),
            line + "\nCluster Utilization 2020-09-01T00:00:00 - 2026-11-14T23:59:59\n" +
                "Usage reported in TRES Minutes/Percentage of Total\n" + line +
                "\n  Cluster      TRES Name         Allocated              Down         PLND Down"
                "              Idle           Planned          Reported \n"
                "--------- -------------- ----------------- ----------------- -----------------"
                " ----------------- ----------------- ----------------- \n"
                "     peer       gres/gpu        120(0.42%)          0(0.00%)          0(0.00%)"
                "     28136(99.58%)          0(0.00%)      28256(0.05%) \n");
}

TEST_F(SreportCommand, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(run({"cluster", "nosuch"}),
            "Not valid report nosuch\nValid cluster reports are, \"AccountUtilizationByUser\", "
            "\"UserUtilizationByAccount\", \"UserUtilizationByWckey\", \"Utilization\", and "
            "\"WCKeyUtilizationByUser\"\n");
  EXPECT_EQ(session_.exit_code, 1);
  EXPECT_EQ(run({"cluster", "utilization", "format=nosuch"}), "\n Unknown field 'nosuch'\n");
  EXPECT_EQ(
      run({"cluster", "utilization", "nosuch=1"}),
      "mine|360|10|0|5390|0|5760\n Unknown condition: nosuch=1\nUse keyword set to modify value\n");
  EXPECT_EQ(run({"nosuch"}), "invalid keyword: nosuch\n");
}

TEST_F(SreportCommand, GroupsJobsBySize) {
  v1::JobSizesResponse sizes;
  sizes.set_cluster("mine");
  for (const auto& [account, least] : {std::pair("cs", 0), std::pair("es", 250)}) {
    v1::JobSizes& row = *sizes.add_sizes();
    row.set_account(account);
    v1::JobSize& group = *row.add_groups();
    group.set_least(static_cast<uint64_t>(least));
    group.set_jobs(3);
    group.set_seconds(600);
    v1::AccountInTree& tree = *sizes.add_accounts();
    tree.set_name(account);
    tree.set_parent("root");
  }
  calls_.answer("Reports/JobSizes", sizes);
  EXPECT_EQ(run({"job", "sizesbyaccount"}), "mine|root|10|0|10|0|0|100.00%\n");
  EXPECT_EQ(run({"job", "sizesbyaccount", "flatview", "PrintJobCount"}),
            "mine|cs|3|0|0|0|0|50.00%\nmine|es|0|0|3|0|0|50.00%\n");
  EXPECT_EQ(run({"job", "sizesbyaccount", "accounts=es"}), "mine|es|0|0|10|0|0|100.00%\n");
}

TEST_F(SreportCommand, KnowsTheResourcesOfTheBooks) {
  v1::BooksResponse books;
  for (const auto& [type, name] : {std::pair("cpu", ""), std::pair("gres", "gpu")}) {
    v1::Tres& tres = *books.add_tres();
    tres.set_type(type);
    tres.set_name(name);
  }
  calls_.answer("Books/List", books);
  EXPECT_TRUE(choose_tres(session_, "GRES/gpu,cpu"));
  EXPECT_EQ(session_.tres, (std::vector<std::string>{"gres/gpu", "cpu"}));
  EXPECT_EQ(choose_tres(session_, "nosuch").error().message, "No valid TRES given");
}

}  // namespace
}  // namespace grappe::sreport
