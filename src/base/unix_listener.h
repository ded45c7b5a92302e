// A Unix socket that is listened on, with the file that stands for it. When it goes, so does the
// file, if it is still ours.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "base/unique_fd.h"

namespace grappe {

class UnixListener {
 public:
  // The socket appears at `path` with `mode` from its first moment. What a dead server left there
  // is replaced; a socket on which somebody listens, or a file of another kind, is not (code
  // EADDRINUSE). `path`.lock decides between two that start at the same time.
  static Result<UnixListener> open(const std::string& path, mode_t mode);
  UnixListener(UnixListener&&) = default;
  UnixListener& operator=(UnixListener&&) = delete;
  ~UnixListener();

  int fd() const { return fd_.get(); }
  UniqueFd take_fd() { return std::move(fd_); }

 private:
  UnixListener(UniqueFd fd, UniqueFd lock, std::string path, dev_t device, ino_t inode);

  UniqueFd fd_;
  UniqueFd lock_;
  std::string path_;
  dev_t device_;
  ino_t inode_;
};

}  // namespace grappe
