// exec_relay SOCKET: a grapped without a mind of its own. What the launcher sends goes to the
// test that listens on SOCKET, and back. Ends when either side is gone.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {

bool copy(int from, int to) {
  char buffer[65536];
  const ssize_t n = read(from, buffer, sizeof buffer);
  for (ssize_t done = 0; done < n;) {
    const ssize_t written = send(to, buffer + done, static_cast<size_t>(n - done), MSG_NOSIGNAL);
    if (written <= 0) return false;
    done += written;
  }
  return n > 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 78;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  const int test = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(test, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 0;
  const char* number = getenv("GRAPPE_LAUNCHER_FD");
  const int launcher = number != nullptr ? atoi(number) : -1;
  while (true) {
    pollfd fds[2] = {{launcher, POLLIN, 0}, {test, POLLIN, 0}};
    if (poll(fds, 2, -1) < 0) return 1;
    if (fds[0].revents != 0 && !copy(launcher, test)) return 1;
    if (fds[1].revents != 0 && !copy(test, launcher)) return 0;
  }
}
