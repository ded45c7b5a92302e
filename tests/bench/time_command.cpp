// The median wall time of a command, without a shell's or an interpreter's share in it.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern char** environ;

int main(int argc, char** argv) {
  const int count = argc > 2 ? std::atoi(argv[1]) : 0;
  if (count < 1) {
    std::fprintf(stderr, "usage: time_command COUNT COMMAND [ARGUMENT]...\n");
    return 2;
  }
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);

  std::vector<double> milliseconds;
  for (int i = 0; i < count; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    if (posix_spawnp(&child, argv[2], &quiet, nullptr, argv + 2, environ) != 0) {
      std::perror(argv[2]);
      return 1;
    }
    int status = 0;
    waitpid(child, &status, 0);
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - begin;
    if (status != 0) {
      std::fprintf(stderr, "%s failed\n", argv[2]);
      return 1;
    }
    milliseconds.push_back(took.count());
  }
  posix_spawn_file_actions_destroy(&quiet);
  const auto middle = milliseconds.begin() + count / 2;
  std::nth_element(milliseconds.begin(), middle, milliseconds.end());
  std::printf("%.3f\n", *middle);
}
