#include "exec/launcher/spares.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "exec/os/files.h"

namespace grappe::exec {
namespace {

class SparesTest : public ::testing::Test {
 protected:
  SparesTest() {
    char pattern[] = "/tmp/grappe-spares-XXXXXX";
    root_ = mkdtemp(pattern);
    dir_ = open_dir(AT_FDCWD, root_).value();
  }
  ~SparesTest() override { (void)remove_tree(root_); }

  void make(const std::string& name) {
    UniqueFd file(openat(dir_.get(), name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
    ASSERT_TRUE(file);
  }
  bool exists(const std::string& name) const {
    return faccessat(dir_.get(), name.c_str(), F_OK, 0) == 0;
  }
  ino_t inode(const std::string& name) const {
    struct stat info {};
    fstatat(dir_.get(), name.c_str(), &info, 0);
    return info.st_ino;
  }
  std::string path() const { return root_ + "/spare"; }

  std::string root_;
  UniqueFd dir_;
};

TEST_F(SparesTest, GivesBackWhatWasKept) {
  auto spares = Spares::open(path()).value();
  make("one");
  const ino_t kept = inode("one");
  ASSERT_TRUE(spares.keep(5, dir_.get(), "one"));
  EXPECT_FALSE(exists("one"));
  ASSERT_TRUE(spares.take(5, dir_.get(), "two"));
  EXPECT_EQ(inode("two"), kept);
  EXPECT_FALSE(spares.take(5, dir_.get(), "three"));
}

TEST_F(SparesTest, GivesNothingOfAnotherOwner) {
  auto spares = Spares::open(path()).value();
  make("one");
  ASSERT_TRUE(spares.keep(5, dir_.get(), "one"));
  EXPECT_FALSE(spares.take(6, dir_.get(), "two"));
  EXPECT_FALSE(exists("two"));
}

TEST_F(SparesTest, NeverReplacesWhatIsThere) {
  auto spares = Spares::open(path()).value();
  make("one");
  ASSERT_TRUE(spares.keep(5, dir_.get(), "one"));
  make("two");
  const ino_t before = inode("two");
  EXPECT_FALSE(spares.take(5, dir_.get(), "two"));
  EXPECT_EQ(inode("two"), before);
}

TEST_F(SparesTest, KeepsNoMoreThanAFewOfOneOwner) {
  auto spares = Spares::open(path()).value();
  int kept = 0;
  for (int i = 0; i < 200; ++i) {
    make(std::to_string(i));
    kept += spares.keep(5, dir_.get(), std::to_string(i));
  }
  EXPECT_EQ(kept, 128);
  EXPECT_TRUE(exists("199")) << "what is not kept stays where it is";
}

TEST_F(SparesTest, ForgetsWhatAnEarlierLauncherKept) {
  make("one");
  {
    auto spares = Spares::open(path()).value();
    ASSERT_TRUE(spares.keep(5, dir_.get(), "one"));
  }
  auto spares = Spares::open(path()).value();
  EXPECT_TRUE(list_dir(path()).empty());
  EXPECT_FALSE(spares.take(5, dir_.get(), "two"));
}

TEST_F(SparesTest, RefusesAFolderThatOthersCanEnter) {
  ASSERT_EQ(mkdir(path().c_str(), 0777), 0);
  ASSERT_EQ(chmod(path().c_str(), 0777), 0);
  EXPECT_FALSE(Spares::open(path()));
}

}  // namespace
}  // namespace grappe::exec
