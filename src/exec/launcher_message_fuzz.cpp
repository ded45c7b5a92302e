// Any bytes may arrive as a launcher's message: none may crash it, and what is accepted must
// encode to the bytes it was decoded from.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "exec/protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace exec = grappe::exec;
  exec::FrameSplitter splitter;
  splitter.append(reinterpret_cast<const char*>(data), size);
  size_t consumed = 0;
  while (true) {
    auto frame = splitter.next();
    if (!frame || !*frame) return 0;
    const size_t frame_size = 8 + (*frame)->payload.size();
    if (auto request = exec::decode_request((*frame)->type, (*frame)->payload)) {
      const std::string again = exec::encode_request(*request);
      if (again.size() != frame_size || std::memcmp(again.data(), data + consumed, frame_size)) {
        std::abort();
      }
    }
    (void)exec::decode_event((*frame)->type, (*frame)->payload);
    (void)exec::decode_step_ended((*frame)->payload);
    (void)exec::decode_job_record((*frame)->payload);
    consumed += frame_size;
  }
}
