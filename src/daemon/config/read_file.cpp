#include "daemon/config/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "base/unique_fd.h"

namespace grappe {

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail_errno(path.string(), errno);
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno(path.string(), errno);
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > max_bytes) {
      return fail(path.string() + ": longer than " + std::to_string(max_bytes) + " bytes");
    }
  }
}

std::optional<std::string> read_kernel_file(const std::filesystem::path& path) {
  auto text = read_file(path, 65536);
  if (!text) return std::nullopt;
  return std::string(trim(*text));
}

}  // namespace grappe
