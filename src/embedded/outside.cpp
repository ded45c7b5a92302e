#include "embedded/outside.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace grappe::embedded {

void run_outside(const std::vector<std::string>& argv) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    // A grandchild, so that nobody has to wait for it.
    if (fork() != 0) _exit(0);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; ++fd) dup2(null, fd);
    setsid();
    char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
    char* environment[] = {path, nullptr};
    execve(words[0], words.data(), environment);
    _exit(127);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

}  // namespace grappe::embedded
