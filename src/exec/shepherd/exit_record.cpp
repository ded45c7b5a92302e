#include "exec/shepherd/exit_record.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exec/protocol.h"

namespace grappe::exec {
namespace {

struct Begun {
  uint64_t magic;
  int64_t shepherd;
  int64_t start_time;
  uint64_t check;
};
struct EndHeader {
  uint64_t magic;
  uint64_t size;
  uint64_t check;
};
constexpr size_t kRoomForStep = 2048;  // everything but the tasks, with a long failure
constexpr uint64_t kBegunMagic = 0x6e75676562707267;  // "grpbegun"
constexpr uint64_t kEndMagic = 0x6465646e65707267;    // "grpended"

// FNV-1a: it must notice a torn write, not an adversary.
uint64_t checksum(const void* data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; ++i) {
    hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
  }
  return hash;
}

Status write_at(int fd, const void* data, size_t size, off_t offset) {
  const ssize_t n = pwrite(fd, data, size, offset);
  if (n != static_cast<ssize_t>(size)) {
    return fail_errno("write the exit record", n < 0 ? errno : ENOSPC);
  }
  return {};
}

}  // namespace

Status write_begun(int fd, pid_t shepherd, int64_t start_time, size_t tasks) {
  Begun begun{kBegunMagic, shepherd, start_time, 0};
  begun.check = checksum(&begun, offsetof(Begun, check));
  std::string bytes(reinterpret_cast<const char*>(&begun), sizeof begun);
  bytes.resize(kRoomForStep + tasks * (sizeof(TaskExit) + sizeof(TaskUse)));
  return write_at(fd, bytes.data(), bytes.size(), 0);
}

Status write_ended(int fd, const StepEnded& ended) {
  const std::string payload = encode_step_ended(ended);
  const EndHeader header{kEndMagic, payload.size(), checksum(payload.data(), payload.size())};
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes += payload;
  return write_at(fd, bytes.data(), bytes.size(), sizeof(Begun));
}

ExitRecord read_exit_record(const std::string& bytes) {
  ExitRecord record;
  Begun begun{};
  if (bytes.size() < sizeof begun) return record;
  std::memcpy(&begun, bytes.data(), sizeof begun);
  if (begun.magic != kBegunMagic || begun.check != checksum(&begun, offsetof(Begun, check))) {
    return record;
  }
  record.begun = true;
  record.shepherd = static_cast<pid_t>(begun.shepherd);
  record.start_time = begun.start_time;

  EndHeader header{};
  if (bytes.size() < sizeof begun + sizeof header) return record;
  std::memcpy(&header, bytes.data() + sizeof begun, sizeof header);
  const std::string_view rest = std::string_view(bytes).substr(sizeof begun + sizeof header);
  if (header.magic != kEndMagic || header.size > rest.size()) return record;
  const std::string_view payload = rest.substr(0, header.size);
  if (header.check != checksum(payload.data(), payload.size())) return record;
  if (auto ended = decode_step_ended(payload)) {
    record.complete = true;
    record.ended = std::move(*ended);
  }
  return record;
}

}  // namespace grappe::exec
