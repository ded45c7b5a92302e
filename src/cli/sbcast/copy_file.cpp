#include "cli/sbcast/copy_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/unique_fd.h"

namespace grappe {
namespace {

Status copy_bytes(int from, int to, uint64_t block_size) {
  std::vector<char> block(block_size);
  for (;;) {
    ssize_t got = read(from, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(fmt::format("read: {}", std::strerror(errno)));
    if (got == 0) return {};
    for (ssize_t done = 0; done < got;) {
      ssize_t put = write(to, block.data() + done, static_cast<size_t>(got - done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return fail(fmt::format("write: {}", std::strerror(errno)));
      done += put;
    }
  }
}

void preserve_times_and_mode(int fd, const struct stat& source) {
  timespec times[2] = {source.st_atim, source.st_mtim};
  fchmod(fd, source.st_mode & 07777);
  futimens(fd, times);
}

}  // namespace

std::string destination_path(const std::string& source, const std::string& destination) {
  struct stat info {};
  bool folder = destination.ends_with('/') ||
                (stat(destination.c_str(), &info) == 0 && S_ISDIR(info.st_mode));
  if (!folder) return destination;
  std::string name = source.substr(source.rfind('/') + 1);
  return destination + (destination.ends_with('/') ? "" : "/") + name;
}

Status copy_file(const std::string& source, const std::string& destination,
                 const CopyOptions& options) {
  UniqueFd from(open(source.c_str(), O_RDONLY | O_CLOEXEC));
  if (from.get() < 0) return fail(fmt::format("Can't open `{}`: {}", source, std::strerror(errno)));
  struct stat info {};
  if (fstat(from.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return fail(fmt::format("Can't open `{}`: not a regular file", source));
  if (!options.replace && access(destination.c_str(), F_OK) == 0)
    return fail(EEXIST, fmt::format("{}: {}", destination, std::strerror(EEXIST)));
  std::string part = fmt::format("{}.sbcast.{}", destination, getpid());
  UniqueFd to(open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700));
  if (to.get() < 0) return fail(errno, fmt::format("{}: {}", destination, std::strerror(errno)));
  Status copied = copy_bytes(from.get(), to.get(), options.block_size);
  if (copied && options.preserve) preserve_times_and_mode(to.get(), info);
  // link() refuses what appeared meanwhile, rename() replaces it.
  bool named = false;
  if (copied) {
    named = options.replace ? rename(part.c_str(), destination.c_str()) == 0
                            : link(part.c_str(), destination.c_str()) == 0;
  }
  int error = errno;
  unlink(part.c_str());
  if (!copied) return fail(fmt::format("{}: {}", destination, copied.error().message));
  if (!named) return fail(error, fmt::format("{}: {}", destination, std::strerror(error)));
  return {};
}

}  // namespace grappe
