#include "exec/shepherd/exit_record.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace grappe::exec {
namespace {

std::string contents(int fd) {
  char buffer[4096];
  const ssize_t n = pread(fd, buffer, sizeof buffer, 0);
  return std::string(buffer, static_cast<size_t>(n));
}

TEST(ExitRecord, TellsBegunFromEnded) {
  const UniqueFd file(memfd_create("record", MFD_CLOEXEC));
  EXPECT_FALSE(read_exit_record(contents(file.get())).begun);

  ASSERT_TRUE(write_begun(file.get(), 4711, 1000, 1));
  ExitRecord record = read_exit_record(contents(file.get()));
  EXPECT_TRUE(record.begun);
  EXPECT_FALSE(record.complete);
  EXPECT_EQ(record.shepherd, 4711);

  ASSERT_TRUE(write_ended(file.get(), {{1, 2, 3}, {{0, 256}}, true, "", 1000, 2000, {}}));
  record = read_exit_record(contents(file.get()));
  ASSERT_TRUE(record.complete);
  EXPECT_EQ(record.ended.exits.at(0).status, 256);
  EXPECT_TRUE(record.ended.out_of_memory);
}

TEST(ExitRecord, TrustsNoTornOrChangedRecord) {
  const UniqueFd file(memfd_create("record", MFD_CLOEXEC));
  ASSERT_TRUE(write_begun(file.get(), 4711, 1000, 1));
  ASSERT_TRUE(write_ended(file.get(), {{1, 2, 3}, {{0, 0}}, false, "", 1000, 2000, {}}));
  const std::string whole = contents(file.get());
  const size_t end = whole.find_last_not_of('\0') + 1;  // the last fields are zeros
  for (size_t size = 0; size < end; ++size) {
    EXPECT_FALSE(read_exit_record(whole.substr(0, size)).complete) << size;
  }
  for (size_t i = 0; i < end; ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(read_exit_record(changed).complete) << i;
  }
}

TEST(ExitRecord, ALargeStepFitsIntoTheRoomItTookAtTheBeginning) {
  const UniqueFd file(memfd_create("record", MFD_CLOEXEC));
  ASSERT_TRUE(write_begun(file.get(), 4711, 1000, 3000));
  const off_t size = lseek(file.get(), 0, SEEK_END);
  StepEnded ended;
  ended.exits.resize(3000);
  ended.failure.assign(1000, 'x');
  ASSERT_TRUE(write_ended(file.get(), ended));
  EXPECT_EQ(lseek(file.get(), 0, SEEK_END), size);
}

}  // namespace
}  // namespace grappe::exec
