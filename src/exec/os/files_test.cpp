#include "exec/os/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cstdlib>

namespace grappe::exec {
namespace {

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/grappe-files-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    path_ = name;
    dir_.reset(open(name, O_RDONLY | O_DIRECTORY));
  }
  void TearDown() override { EXPECT_TRUE(remove_tree(path_)); }

  std::string path_;
  UniqueFd dir_;
};

TEST_F(Files, RemovesATreeButNothingBehindASymbolicLink) {
  ASSERT_TRUE(make_dirs(path_ + "/a/b/c", 0755));
  ASSERT_TRUE(make_dirs(path_ + "/keep", 0755));
  ASSERT_TRUE(replace_file(dir_.get(), "keep/file", "x", 0600));
  ASSERT_TRUE(replace_file(dir_.get(), "a/b/file", "x", 0600));
  ASSERT_EQ(symlinkat("../keep", dir_.get(), "a/link"), 0);
  ASSERT_EQ(symlinkat("../../keep/file", dir_.get(), "a/b/link"), 0);
  EXPECT_TRUE(remove_tree(dir_.get(), "a"));
  EXPECT_EQ(list_dir(path_), std::vector<std::string>{"keep"});
  EXPECT_EQ(read_file(dir_.get(), "keep/file"), "x");
}

TEST_F(Files, DoesNotFollowALinkThatStandsInPlaceOfTheTree) {
  ASSERT_TRUE(make_dirs(path_ + "/keep", 0755));
  ASSERT_TRUE(replace_file(dir_.get(), "keep/file", "x", 0600));
  ASSERT_EQ(symlinkat("keep", dir_.get(), "tree"), 0);
  EXPECT_TRUE(remove_tree(dir_.get(), "tree"));
  EXPECT_EQ(list_dir(path_), std::vector<std::string>{"keep"});
  EXPECT_TRUE(read_file(dir_.get(), "keep/file"));
}

TEST_F(Files, RemovesATreeDeeperThanAnyPathMayBeLong) {
  UniqueFd at(dup(dir_.get()));
  for (int depth = 0; depth < 700; ++depth) {
    ASSERT_EQ(mkdirat(at.get(), "deeper", 0700), 0);
    at.reset(openat(at.get(), "deeper", O_RDONLY | O_DIRECTORY));
    ASSERT_TRUE(at);
  }
  EXPECT_TRUE(remove_tree(dir_.get(), "deeper"));
  EXPECT_TRUE(list_dir(path_).empty());
}

TEST_F(Files, RemovingWhatIsNotThereIsFine) {
  EXPECT_TRUE(remove_tree(dir_.get(), "nothing"));
}

TEST_F(Files, FoldersCanBePlacedApartOnExt4) {
  constexpr auto kExt4 = 0xEF53;
  struct statfs system {};
  ASSERT_EQ(fstatfs(dir_.get(), &system), 0);
  if (system.f_type != kExt4) GTEST_SKIP() << "/tmp is not on ext4";
  int before = 0, after = 0;
  ASSERT_EQ(ioctl(dir_.get(), FS_IOC_GETFLAGS, &before), 0);
  place_apart(dir_.get());
  ASSERT_EQ(ioctl(dir_.get(), FS_IOC_GETFLAGS, &after), 0);
  EXPECT_EQ(after, before | FS_TOPDIR_FL);
}

}  // namespace
}  // namespace grappe::exec
