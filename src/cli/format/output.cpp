#include "cli/format/output.h"

#include <unistd.h>

#include <cerrno>

namespace grappe {

void Output::flush() {
  size_t done = 0;
  while (done < text_.size()) {
    ssize_t written = write(fd_, text_.data() + done, text_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<size_t>(written);
  }
  text_.clear();
}

}  // namespace grappe
