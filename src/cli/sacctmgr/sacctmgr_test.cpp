#include <gtest/gtest.h>

#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/commands.h"
#include "cli/sacctmgr/fields.h"
#include "cli/sacctmgr/flat_file.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/sample_books.h"

namespace grappe::sacctmgr {
namespace {

struct Answer {
  std::string out, err;
  int exit_code;
};

// One line of sacctmgr against the sample books; a question is answered with yes.
struct Fixture : SampleBooks {
  Session session{calls};
  bool yes = true;
  std::vector<std::string> questions;

  Fixture() {
    session.ask = [this](std::string_view question) {
      questions.emplace_back(question);
      return yes;
    };
  }

  Answer run(std::vector<std::string> words) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    run_line(session, words);
    std::fflush(stdout);
    const std::string err = testing::internal::GetCapturedStderr();
    return {testing::internal::GetCapturedStdout(), err, session.exit_code};
  }

  // What the service was told to do, not only asked whether it would.
  std::vector<v1::BooksOp> done() const {
    std::vector<v1::BooksOp> ops;
    for (const auto& request : calls.asked<v1::ChangeBooksRequest>("Books/Change")) {
      if (!request.check_only()) ops.insert(ops.end(), request.ops().begin(), request.ops().end());
    }
    return ops;
  }
};

TEST(Sacctmgr, ShowsColumnsWithTheirWidths) {
  Fixture f;
  EXPECT_EQ(f.run({"show", "qos", "format=name,maxtresperuser%20,MaxWall"}).out,
            "      Name            MaxTRESPU     MaxWall \n"
            "---------- -------------------- ----------- \n"
            "    normal                       7-00:00:00 \n"
            "     short           gres/gpu=8             \n"
            "      long                                  \n");
}

TEST(Sacctmgr, WritesBarsForPrograms) {
  Fixture f;
  f.session.no_header = true;
  f.session.style.kind = ReportStyle::kBarsBetween;
  EXPECT_EQ(f.run({"list", "qos", "short", "format=name,maxtrespu"}).out, "short|gres/gpu=8\n");
}

TEST(Sacctmgr, PutsAssociationsInTheOrderOfTheTree) {
  Fixture f;
  f.session.no_header = true;
  f.session.style.kind = ReportStyle::kBarsBetween;
  EXPECT_EQ(f.run({"show", "assoc", "tree", "format=account,user,share,maxj"}).out,
            "root||1|\n root|root|1|\n cs||50|\n  cs|alice|1|4\n  cs|bob|1|\n  cs.sub||1|\n");
}

TEST(Sacctmgr, ChoosesAssociationsByCondition) {
  Fixture f;
  f.session.no_header = true;
  f.session.style.kind = ReportStyle::kBarsBetween;
  EXPECT_EQ(f.run({"show", "assoc", "where", "user=ALICE", "format=account,user"}).out,
            "cs|alice\n");
  EXPECT_EQ(f.run({"show", "assoc", "account=cs", "withsub", "format=account,user"}).out,
            "cs|\ncs|alice\ncs|bob\ncs.sub|\n");
}

TEST(Sacctmgr, FindsAFieldByWhatSlurmTakesForIt) {
  struct Row {
    const char* typed;
    const char* title;
  };
  for (const Row& row : {Row{"al", "% Allowed"},
                         {"allocat", "% Allocated"},
                         {"r", "Reason"},
                         {"rg", "RGT"},
                         {"p", "Problem"},
                         {"st", "State"},
                         {"star", "TimeStart"},
                         {"maxtresrunminsp", "MaxTRESRunMinsPA"},
                         {"maxtresr", "MaxTRESRunMinsPU"},
                         {"maxsubmitp", "MaxSubmitPU"},
                         {"FAIR", "Share"}}) {
    ASSERT_TRUE(find_field(row.typed)) << row.typed;
    EXPECT_EQ(find_field(row.typed)->title, row.title) << row.typed;
  }
  for (const char* typed : {"a", "alloc", "maxtresp", "percentallowed", "de", "timee"}) {
    EXPECT_FALSE(find_field(typed)) << typed;
  }
}

TEST(Sacctmgr, ReadsAmountsWithTheirUnits) {
  SampleBooks sample;
  auto change = parse_tres_limit(F::kGrpTres, "cpu=1K,mem=10G,node=-1,1001=3", sample.books);
  ASSERT_TRUE(change);
  EXPECT_EQ(change_text(*change), "cpu=1024,gres/gpu=3,mem=10G,node=NONE");
  EXPECT_FALSE(parse_tres_limit(F::kGrpTres, "cpu", sample.books));
  EXPECT_FALSE(parse_tres_limit(F::kGrpTres, "nosuch=3", sample.books));
  EXPECT_FALSE(parse_tres_limit(F::kGrpTres, "cpu=99999999999999999999", sample.books));
}

TEST(Sacctmgr, TellsTheUsersWhoInheritAChange) {
  Fixture f;
  f.session.immediate = true;
  EXPECT_EQ(f.run({"modify", "account", "cs", "set", "maxjobs=9"}).out,
            " Modified account associations...\n  C = mine       A = cs of root\n"
            "  C = mine       A = cs                   U = bob      \n");
}

TEST(Sacctmgr, RefusesADefaultQosThatIsNotAllowed) {
  Fixture f;
  f.session.immediate = true;
  const Answer answer = f.run({"modify", "user", "alice", "set", "defaultqos=short"});
  EXPECT_NE(answer.err.find("  DefQOS = short      C = mine       A = cs                   U = "
                            "alice    \n"),
            std::string::npos);
  EXPECT_TRUE(f.done().empty());
}

TEST(Sacctmgr, NamesAnUnknownField) {
  Fixture f;
  const Answer answer = f.run({"show", "qos", "format=nosuch"});
  EXPECT_EQ(answer.err.substr(0, 23), "Unknown field 'nosuch'\n");
  EXPECT_EQ(answer.exit_code, 1);
}

TEST(Sacctmgr, NamesAnUnknownCommandAndEntity) {
  Fixture f;
  EXPECT_EQ(f.run({"shov"}).err.substr(0, 22), "invalid keyword: shov\n");
  EXPECT_EQ(f.run({"show", "nothing"}).err.substr(0, 32), "No valid entity in list command\n");
}

TEST(Sacctmgr, AddsAnAccountWithItsAssociation) {
  Fixture f;
  const Answer answer = f.run({"add", "account", "New", "parent=cs", "fairshare=7"});
  EXPECT_EQ(answer.out,
            " Adding Account(s)\n  new\n Settings\n"
            "  Description     = Account Name\n  Organization    = Parent/Account Name\n"
            " Associations\n  A = new        C = mine      \n"
            " Settings\n  Fairshare     = 7\n  Parent        = cs\n");
  const auto ops = f.done();
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].account().organization(), "cs");
  EXPECT_EQ(ops[1].association().parent(), "cs");
  EXPECT_EQ(ops[1].association().shares(), 7u);
  EXPECT_EQ(f.questions, std::vector<std::string>{"Would you like to commit changes?"});
}

TEST(Sacctmgr, DiscardsWhatIsNotConfirmed) {
  Fixture f;
  f.yes = false;
  const Answer answer = f.run({"add", "account", "new"});
  EXPECT_NE(answer.out.find(" Changes Discarded\n"), std::string::npos);
  EXPECT_TRUE(f.done().empty());
}

TEST(Sacctmgr, TellsWhyTheServiceRefuses) {
  Fixture f;
  f.session.immediate = true;
  f.calls.refuse("Books/Change", 2002);
  const Answer answer = f.run({"add", "account", "new"});
  EXPECT_EQ(answer.err, " Problem adding accounts: Access/permission denied\n");
  EXPECT_EQ(answer.exit_code, 1);
}

TEST(Sacctmgr, AddsNothingThatIsThere) {
  Fixture f;
  EXPECT_EQ(f.run({"add", "account", "cs"}).out, " Nothing new added.\n");
  EXPECT_EQ(f.run({"add", "qos", "normal"}).out, " Nothing new added.\n");
}

TEST(Sacctmgr, AddsAUserToSeveralAccounts) {
  Fixture f;
  f.session.immediate = true;
  f.run({"add", "user", "root", "account=cs,cs.sub", "maxjobs=3"});
  const auto ops = f.done();
  ASSERT_EQ(ops.size(), 2u);
  // The tree has the newest first: so that they stand in this order, the last comes first.
  EXPECT_EQ(ops[0].association().account(), "cs.sub");
  EXPECT_EQ(ops[1].association().account(), "cs");
  EXPECT_EQ(ops[1].association().limits().max_jobs(), 3u);
}

TEST(Sacctmgr, ModifiesOnlyWhatIsChosen) {
  Fixture f;
  f.session.immediate = true;
  const Answer answer =
      f.run({"modify", "user", "where", "name=alice", "set", "maxjobs=-1", "grptres=cpu=4"});
  EXPECT_EQ(answer.out,
            " Modified user associations...\n"
            "  C = mine       A = cs                   U = alice    \n");
  const auto ops = f.done();
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_FALSE(ops[0].association().limits().has_max_jobs());
  EXPECT_EQ(ops[0].association().limits().grp_tres().at("cpu"), 4u);
  EXPECT_EQ(ops[0].association().stamp().version(), 8u);
}

TEST(Sacctmgr, AsksBeforeItChangesEverything) {
  Fixture f;
  f.yes = false;
  const Answer answer = f.run({"modify", "qos", "set", "priority=3"});
  EXPECT_EQ(answer.out, "Aborted\n");
  EXPECT_EQ(f.questions[0],
            "You didn't set any conditions with 'WHERE'.\nAre you sure you want to continue?");
}

TEST(Sacctmgr, ReadonlyChangesNothing) {
  Fixture f;
  f.session.readonly = true;
  EXPECT_EQ(f.run({"add", "qos", "x"}).err, "Can't run this command in readonly mode.\n");
  EXPECT_TRUE(f.done().empty());
}

QosChange change(char operation, std::vector<std::string> names) {
  QosChange out;
  out.given = true;
  for (std::string& name : names) out.names.emplace_back(operation, std::move(name));
  return out;
}

std::vector<std::string> changed(std::vector<std::string> own, const QosChange& by) {
  google::protobuf::RepeatedPtrField<std::string> list(own.begin(), own.end());
  apply(by, list);
  return {list.begin(), list.end()};
}

TEST(Sacctmgr, ChangesAListOfQosByItsSigns) {
  using List = std::vector<std::string>;
  EXPECT_EQ(changed({"a"}, change('+', {"b"})), (List{"a", "b"}));
  EXPECT_EQ(changed({"a", "b"}, change('-', {"b"})), (List{"a"}));
  EXPECT_EQ(changed({}, change('+', {"b"})), (List{"+b"}));
  EXPECT_EQ(changed({"+b"}, change('-', {"b"})), (List{"-b"}));
  EXPECT_EQ(changed({"+b"}, change(0, {"a"})), (List{"a"}));
  EXPECT_EQ(changed({"a"}, change(0, {})), (List{}));
}

TEST(Sacctmgr, ReadsTheLinesOfAFile) {
  auto lines = parse_flat_file(
      "# a comment\nCluster - 'tux':Fairshare=1\nParent - 'root'\n"
      "Account - 'cs':Description='a: b':Organization='lc'\n");
  ASSERT_TRUE(lines);
  ASSERT_EQ(lines->size(), 3u);
  EXPECT_EQ((*lines)[2].title, "account");
  EXPECT_EQ((*lines)[2].number, 4u);
  EXPECT_EQ((*lines)[2].options[0].value, "a: b");
  EXPECT_EQ(parse_flat_file("nonsense\n").error().message, " Misformatted line(1): nonsense");
}

TEST(Sacctmgr, LoadsOnlyWhatIsNew) {
  Fixture f;
  f.session.immediate = true;
  const std::string path = testing::TempDir() + "/sacctmgr_load.cfg";
  FILE* file = std::fopen(path.c_str(), "w");
  std::fputs(
      "Cluster - 'mine'\nParent - 'root'\nAccount - 'cs':Fairshare=50\nAccount - 'new'\n"
      "Parent - 'new'\nUser - 'bob':DefaultAccount='cs':Fairshare=9\n",
      file);
  std::fclose(file);
  f.run({"load", path});
  const auto ops = f.done();
  ASSERT_EQ(ops.size(), 3u);
  EXPECT_EQ(ops[0].account().name(), "new");
  EXPECT_EQ(ops[1].association().account(), "new");
  EXPECT_EQ(ops[2].association().user(), "bob");
  EXPECT_EQ(ops[2].association().shares(), 9u);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace grappe::sacctmgr
