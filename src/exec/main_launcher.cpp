// grappe-launcher: see exec/launcher/launcher.h.
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>

#include "base/log.h"
#include "base/unix_listener.h"
#include "exec/launcher/keeper.h"
#include "exec/launcher/launcher.h"
#include "exec/launcher/options.h"

int main(int argc, char** argv) {
  namespace exec = grappe::exec;
  auto options = exec::parse_launcher_options(argc, argv);
  if (!options) {
    fprintf(stderr, "grappe-launcher: %s\n", options.error().message.c_str());
    return exec::kDoNotRestart;
  }
  options->title = {argv[0], argv[argc - 1] + strlen(argv[argc - 1]) + 1};
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) options->program_dir = dirname(self);
  options->brain_umask = umask(022);
  // Made here, by the process that outlives all others: while grapped or the launcher is started
  // again, those who connect wait, and are not refused.
  std::optional<grappe::UnixListener> listener;
  if (!options->socket.empty()) {
    auto opened = grappe::UnixListener::open(options->socket, 0666);
    if (!opened) {
      fprintf(stderr, "grappe-launcher: %s\n", opened.error().message.c_str());
      return exec::kDoNotRestart;
    }
    options->service_fd = opened->fd();
    listener.emplace(std::move(*opened));
  }
  for (char** entry = environ; *entry != nullptr; ++entry) {
    options->brain_environment.append(*entry).push_back('\0');
  }
  return exec::keep([&](exec::KeeperPage& page) { return exec::Launcher(*options, page).run(); });
}
