#include "exec/shepherd/oom_count.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace grappe::exec {

void OomCount::open(const std::string& file) {
  file_.reset(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
}

uint64_t OomCount::now() const {
  if (!file_) return 0;
  char text[512] = {};
  if (pread(file_.get(), text, sizeof text - 1, 0) <= 0) return 0;
  const char* found = std::strstr(text, "oom_kill ");
  return found == nullptr ? 0 : std::strtoull(found + std::strlen("oom_kill "), nullptr, 10);
}

}  // namespace grappe::exec
