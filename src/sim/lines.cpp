#include "sim/lines.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>

namespace grappe::sim {
namespace {

constexpr unsigned kBuffer = 256 * 1024;

gzFile as_gz(void* file) {
  return static_cast<gzFile>(file);
}

}  // namespace

void Lines::Close::operator()(void* file) const {
  gzclose(as_gz(file));
}

Result<Lines> Lines::open(const std::string& path) {
  errno = 0;
  gzFile file = gzopen(path.c_str(), "rb");
  if (!file) return fail_errno(path, errno ? errno : ENOMEM);
  gzbuffer(file, kBuffer);
  return Lines(path, file);
}

std::string Lines::place() const {
  return fmt::format("{}:{}: ", path_, number_);
}

Result<bool> Lines::next(std::string& line) {
  line.clear();
  char piece[4096];
  while (gzgets(as_gz(file_.get()), piece, sizeof piece)) {
    line += piece;
    if (line.back() != '\n') continue;
    line.pop_back();
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++number_;
    return true;
  }
  int code = Z_OK;
  const char* text = gzerror(as_gz(file_.get()), &code);
  if (code == Z_ERRNO) return fail_errno(path_, errno);
  if (code != Z_OK && code != Z_STREAM_END) {
    return fail(fmt::format("{}after this line the file is broken: {}", place(), text));
  }
  if (line.empty()) return false;
  ++number_;  // the last line has no end
  return true;
}

}  // namespace grappe::sim
