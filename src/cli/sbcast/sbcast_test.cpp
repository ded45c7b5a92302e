#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/sbcast/copy_file.h"
#include "cli/sbcast/shared_objects.h"

namespace grappe {
namespace {

class CopyFile : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/sbcast_test.XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    folder = pattern;
    std::ofstream(folder + "/from") << "hello\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string folder;
};

TEST_F(CopyFile, MakesTheFileForItsOwnerOnly) {
  ASSERT_TRUE(copy_file(folder + "/from", folder + "/to", {}));
  EXPECT_EQ(content(folder + "/to"), "hello\n");
  struct stat info {};
  stat((folder + "/to").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0077, 0u);
}

TEST_F(CopyFile, ReplacesOnlyWhenForced) {
  std::ofstream(folder + "/to") << "old\n";
  Status kept = copy_file(folder + "/from", folder + "/to", {});
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().message, folder + "/to: File exists");
  EXPECT_EQ(kept.error().code, EEXIST) << "which sbcast exits with";
  EXPECT_EQ(content(folder + "/to"), "old\n");
  ASSERT_TRUE(copy_file(folder + "/from", folder + "/to", {.replace = true}));
  EXPECT_EQ(content(folder + "/to"), "hello\n");
}

TEST_F(CopyFile, PreservesModeAndTimes) {
  chmod((folder + "/from").c_str(), 0640);
  timespec times[2] = {{1000, 0}, {2000, 0}};
  utimensat(AT_FDCWD, (folder + "/from").c_str(), times, 0);
  ASSERT_TRUE(copy_file(folder + "/from", folder + "/to", {.preserve = true}));
  struct stat info {};
  stat((folder + "/to").c_str(), &info);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
  EXPECT_EQ(info.st_mtime, 2000);
}

TEST_F(CopyFile, LeavesNothingBehindWhenItFails) {
  EXPECT_FALSE(copy_file(folder + "/nosuch", folder + "/to", {}));
  EXPECT_FALSE(copy_file(folder + "/from", folder + "/no/such", {}));
  size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++entries;
  EXPECT_EQ(entries, 1u);
}

TEST_F(CopyFile, NamesTheCopyAfterTheSourceInAFolder) {
  EXPECT_EQ(destination_path("/a/from", folder), folder + "/from");
  EXPECT_EQ(destination_path("/a/from", "/x/"), "/x/from");
  EXPECT_EQ(destination_path("/a/from", folder + "/to"), folder + "/to");
}

TEST(SharedObjects, AreThosePathsThatAreNotExcluded) {
  constexpr std::string_view kLdd =
      "\tlinux-vdso.so.1 (0x00007ffd)\n"
      "\tlibmine.so => /opt/my/libmine.so (0x00007f1)\n"
      "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f2)\n"
      "\tlibgone.so => not found\n"
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f3)\n";
  EXPECT_EQ(parse_ldd(kLdd, {"/lib/"}), std::vector<std::string>{"/opt/my/libmine.so"});
  EXPECT_EQ(parse_ldd(kLdd, {}).size(), 2u);
  EXPECT_EQ(parse_ldd(kLdd, {"/li", "/opt/m"}).size(), 2u);
}

}  // namespace
}  // namespace grappe
