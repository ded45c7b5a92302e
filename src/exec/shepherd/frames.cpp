#include "exec/shepherd/frames.h"

#include <fmt/core.h>

#include <cstring>

namespace grappe::exec {

std::string make_frame(uint32_t type, uint32_t task, std::string_view payload) {
  const FrameHeader header{type, task, static_cast<uint32_t>(payload.size())};
  std::string frame(as_payload(header));
  return frame.append(payload);
}

Result<std::optional<FrameReader::Frame>> FrameReader::next() {
  FrameHeader header;
  if (buffer_.size() < sizeof header) return std::optional<Frame>();
  std::memcpy(&header, buffer_.data(), sizeof header);
  if (header.length > kMaxFrame) {
    return fail(fmt::format("a frame of {} bytes is beyond the limit", header.length));
  }
  if (buffer_.size() < sizeof header + header.length) return std::optional<Frame>();
  Frame frame{header.type, header.task, buffer_.substr(sizeof header, header.length)};
  buffer_.erase(0, sizeof header + header.length);
  return std::optional(std::move(frame));
}

}  // namespace grappe::exec
