// The limit that no scheduler can pass: fork, become the user, execute the script, wait.
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

[[noreturn]] void become_and_execute(const passwd& user, const char* script) {
  const bool became = getuid() != 0 || (initgroups(user.pw_name, user.pw_gid) == 0 &&
                                        setgid(user.pw_gid) == 0 && setuid(user.pw_uid) == 0);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; ++fd) dup2(null, fd);
  if (became) execl(script, script, static_cast<char*>(nullptr));
  _exit(127);
}

bool reap_one() {
  int status = 0;
  return wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: bare_loop USER SCRIPT COUNT AT_ONCE\n");
    return 2;
  }
  const passwd* user = getpwnam(argv[1]);
  const int count = std::atoi(argv[3]);
  const int at_once = std::atoi(argv[4]);
  if (user == nullptr || count < 1 || at_once < 1) return 2;

  const auto begin = std::chrono::steady_clock::now();
  int running = 0;
  bool all_ran = true;
  for (int i = 0; i < count; ++i) {
    if (running == at_once) {
      all_ran &= reap_one();
      --running;
    }
    if (const pid_t child = fork(); child == 0) become_and_execute(*user, argv[2]);
    ++running;
  }
  while (running-- > 0) all_ran &= reap_one();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%.1f\n", count / seconds.count());
  return all_ran ? 0 : 1;
}
