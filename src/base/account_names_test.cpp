#include "base/account_names.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

using Names = Remembered<std::string>;
using std::chrono::milliseconds;

// A database that counts how often it is asked.
struct Database {
  Names::Source source(milliseconds lifetime = std::chrono::hours(1)) {
    return {[this](uint32_t id) -> std::optional<std::string> {
              ++asked;
              if (id != 7) return std::nullopt;
              return name;
            },
            [this] {
              return Names::Version{changed, 0};
            },
            lifetime};
  }
  std::string name = "ana";
  int asked = 0;
  int64_t changed = 1;
};

TEST(AccountNames, TheDatabaseIsAskedOnce) {
  Database database;
  Names names(database.source());
  EXPECT_EQ(names.get(7), "ana");
  EXPECT_EQ(names.get(7), "ana");
  EXPECT_EQ(database.asked, 1);
}

TEST(AccountNames, AChangeOfTheFilesIsSeenAtOnce) {
  Database database;
  Names names(database.source());
  EXPECT_EQ(names.get(7), "ana");
  database.name = "eva";
  database.changed = 2;
  EXPECT_EQ(names.get(7), "eva");
  EXPECT_EQ(names.get(7), "eva");
  EXPECT_EQ(database.asked, 2);
}

TEST(AccountNames, AChangeThatNoFileShowsIsSeenAfterAWhile) {
  Database database;
  Names names(database.source(milliseconds(0)));
  EXPECT_EQ(names.get(7), "ana");
  database.name = "eva";
  EXPECT_EQ(names.get(7), "eva");
}

TEST(AccountNames, WhoIsUnknownIsAskedForAgain) {
  Database database;
  Names names(database.source());
  EXPECT_EQ(names.get(8), std::nullopt);
  EXPECT_EQ(names.get(8), std::nullopt);
  EXPECT_EQ(database.asked, 2);
}

TEST(AccountNames, RootIsRoot) {
  ASSERT_TRUE(user_of(0));
  EXPECT_EQ(user_of(0)->name, "root");
  EXPECT_EQ(user_of(0)->gid, 0u);
  EXPECT_EQ(group_of(0), "root");
  EXPECT_FALSE(user_of(3'999'999'999));
  EXPECT_FALSE(group_of(3'999'999'999));
}

}  // namespace
}  // namespace grappe
