#include "exec/shepherd/process_use.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/unique_fd.h"

namespace grappe::exec {
namespace {

TEST(ProcessUse, ReadsTheNumbersBehindAnyName) {
  const auto process = parse_process_use(
      "4711 (a) 9 9 (b) S 42 1 1 0 -1 4194560 100 200 3 4 250 50 1000 200 20 0 1 0 555 8192000 100 "
      "18446744073709551615 1 1\n");
  ASSERT_TRUE(process);
  EXPECT_EQ(process->parent, 42);
  EXPECT_EQ(process->use.cpu_us, 15'000'000u);
  EXPECT_EQ(process->use.pages, 7u);
  EXPECT_EQ(process->use.vsize_bytes, 8'192'000u);
  EXPECT_EQ(process->use.rss_bytes, 100u * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

TEST(ProcessUse, MakesNothingOfAnIncompleteLine) {
  EXPECT_FALSE(parse_process_use(""));
  EXPECT_FALSE(parse_process_use("1 (x"));
  EXPECT_FALSE(parse_process_use("1 (x) S 1 2 3"));
}

TEST(ProcessUse, CountsAProcessForTheTaskItDescendsFrom) {
  const auto process = [](pid_t pid, pid_t parent, uint64_t rss) {
    ProcessUse made{pid, parent, {}};
    made.use.rss_bytes = rss;
    return made;
  };
  const std::vector<TaskUse> tasks =
      add_up_tasks({process(10, 1, 1), process(11, 10, 2), process(12, 11, 4), process(20, 1, 8),
                    process(30, 1, 16)},
                   {{0, 10}, {1, 20}});
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].rss_bytes, 1u + 2 + 4 + 16);  // the orphan too
  EXPECT_EQ(tasks[1].rank, 1u);
  EXPECT_EQ(tasks[1].rss_bytes, 8u);
}

TEST(ProcessUse, SurvivesPidsThatFormACircle) {
  std::vector<ProcessUse> circle(2);
  circle[0].pid = circle[1].parent = 5;
  circle[1].pid = circle[0].parent = 6;
  EXPECT_EQ(add_up_tasks(circle, {{0, 10}, {1, 20}}).size(), 1u);
}

TEST(ProcessUse, ReadsALivingProcess) {
  const auto self = read_process_use(getpid(), true);
  ASSERT_TRUE(self);
  EXPECT_EQ(self->parent, getppid());
  EXPECT_GT(self->use.rss_bytes, 100'000u);
  EXPECT_GT(self->use.vsize_bytes, self->use.rss_bytes);
  EXPECT_GT(self->use.read_bytes, 0u);
}

TEST(ProcessTable, FindsWhatATaskHasStarted) {
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      pause();
      _exit(0);
    }
    pause();
    _exit(0);
  }
  std::vector<pid_t> found;
  for (int i = 0; i < 500 && found.size() < 2; ++i) {
    usleep(10'000);
    found = ProcessTable().below({{0, child}});
  }
  EXPECT_EQ(found.size(), 2u);
  for (const pid_t pid : found) kill(pid, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace grappe::exec
