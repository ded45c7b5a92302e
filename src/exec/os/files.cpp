#include "exec/os/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace grappe::exec {
namespace {

constexpr int kDirFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// Not through a link, not out of `dir`, not across a mount point (a bind mount included).
UniqueFd open_own_dir(int dir, const char* name) {
  open_how how{};
  how.flags = static_cast<uint64_t>(kDirFlags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
  return UniqueFd(static_cast<int>(syscall(SYS_openat2, dir, name, &how, sizeof how)));
}

// Empties one folder. A tree that is nested deeper than we want descriptors open is taken apart
// by moving its lower part up to the top.
class TreeRemover {
 public:
  explicit TreeRemover(int top) : top_(top) {}

  Status run() {
    do {
      moved_ = false;
      empty(top_, 0);
    } while (moved_ && result_);
    return result_;
  }

 private:
  static constexpr int kMaxDepth = 64;

  void empty(int dir, int depth) {
    for (const std::string& name : list_dir(dir)) remove(dir, name.c_str(), depth);
  }

  void remove(int dir, const char* name, int depth) {
    if (unlinkat(dir, name, 0) == 0 || errno == ENOENT) return;
    if (errno != EISDIR && errno != EPERM) return failed(name);
    if (unlinkat(dir, name, AT_REMOVEDIR) == 0) return;
    if (depth == kMaxDepth) {
      const std::string up = fmt::format(".moved.{}", ++counter_);
      if (renameat(dir, name, top_, up.c_str()) != 0) return failed(name);
      moved_ = true;
      return;
    }
    const UniqueFd child = open_own_dir(dir, name);
    if (!child) return failed(name);
    empty(child.get(), depth + 1);
    if (unlinkat(dir, name, AT_REMOVEDIR) != 0 && errno != ENOENT) failed(name);
  }

  // The first failure is the one worth telling. What somebody else has removed meanwhile is gone,
  // which is all we want.
  void failed(const std::string& what) {
    if (result_ && errno != ENOENT) result_ = fail_errno("remove " + what, errno);
  }

  int top_;
  uint64_t counter_ = 0;
  bool moved_ = false;
  Status result_;
};

}  // namespace

std::optional<std::string> read_file(int dir, const std::string& path) {
  const UniqueFd fd(openat(dir, path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return std::nullopt;
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t n = read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) return text;
    text.append(buffer, static_cast<size_t>(n));
  }
}
std::optional<std::string> read_file(const std::string& path) {
  return read_file(AT_FDCWD, path);
}

Status write_file(int dir, const std::string& path, const std::string& text) {
  const UniqueFd fd(openat(dir, path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd || write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return fail_errno(fmt::format("write '{}' to {}", text, path), errno);
  }
  return {};
}
Status write_file(const std::string& path, const std::string& text) {
  return write_file(AT_FDCWD, path, text);
}

Status replace_file(int dir, const std::string& name, const std::string& text, mode_t mode) {
  const std::string beside = name + ".new";
  UniqueFd fd(openat(dir, beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (!fd) return fail_errno("create " + beside, errno);
  if (write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return fail_errno("write " + beside, errno);
  }
  if (renameat(dir, beside.c_str(), dir, name.c_str()) != 0) {
    return fail_errno("rename " + beside, errno);
  }
  return {};
}

Status make_dirs(const std::string& path, mode_t mode) {
  for (size_t slash = 1; slash != std::string::npos;) {
    slash = path.find('/', slash + 1);
    const std::string part = path.substr(0, slash);
    if (mkdir(part.c_str(), mode) == 0) {
      // The umask must not take from the mode that was asked for.
      if (chmod(part.c_str(), mode) != 0) return fail_errno("chmod " + part, errno);
    } else if (errno != EEXIST) {
      return fail_errno("make the folder " + part, errno);
    }
  }
  return {};
}

Result<UniqueFd> open_dir(int dir, const std::string& path) {
  UniqueFd fd(openat(dir, path.c_str(), kDirFlags));
  if (!fd) return fail_errno("open " + path, errno);
  return fd;
}

void place_apart(int dir) {
  int flags = 0;
  if (ioctl(dir, FS_IOC_GETFLAGS, &flags) != 0 || (flags & FS_TOPDIR_FL) != 0) return;
  flags |= FS_TOPDIR_FL;
  ioctl(dir, FS_IOC_SETFLAGS, &flags);
}

std::vector<std::string> list_dir(int dir) {
  std::vector<std::string> names;
  const int copy = openat(dir, ".", kDirFlags);
  DIR* stream = copy < 0 ? nullptr : fdopendir(copy);
  if (stream == nullptr) {
    if (copy >= 0) close(copy);
    return names;
  }
  while (const dirent* entry = readdir(stream)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(stream);
  return names;
}
std::vector<std::string> list_dir(const std::string& path) {
  const UniqueFd fd(openat(AT_FDCWD, path.c_str(), kDirFlags));
  return fd ? list_dir(fd.get()) : std::vector<std::string>();
}

Status remove_tree(int dir, const std::string& name) {
  if (unlinkat(dir, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return {};
  if (errno == ENOTDIR) {
    if (unlinkat(dir, name.c_str(), 0) != 0) return fail_errno("remove " + name, errno);
    return {};
  }
  {
    const UniqueFd top = open_own_dir(dir, name.c_str());
    if (!top) return errno == ENOENT ? Status() : fail_errno("remove " + name, errno);
    if (auto done = TreeRemover(top.get()).run(); !done) return done;
  }
  if (unlinkat(dir, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    return fail_errno("remove " + name, errno);
  }
  return {};
}

Status remove_tree(const std::string& path) {
  const size_t slash = path.rfind('/');
  const UniqueFd parent(
      open(path.substr(0, slash + 1).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent) return errno == ENOENT ? Status() : fail_errno("remove " + path, errno);
  return remove_tree(parent.get(), path.substr(slash + 1));
}

}  // namespace grappe::exec
