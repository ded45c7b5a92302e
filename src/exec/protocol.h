// What grapped and grappe-launcher say to each other over their socketpair.
//
// Both directions are a stream of frames: a 32-bit length, a 32-bit type, and `length` bytes in
// the form of exec/wire.h. The first frame from grapped is Hello. A frame that is not understood
// to the last byte ends the connection: the other side is broken, or not ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "exec/executor.h"
#include "exec/os/identity.h"

namespace grappe::exec {

inline constexpr uint32_t kLauncherProtocolVersion = 5;
inline constexpr size_t kMaxLauncherMessage = 65u << 20;  // a script and environment of 64 MB

struct Hello {
  uint32_t version = kLauncherProtocolVersion;
};
struct SignalStep {
  StepKey key;
  int32_t signal_number = 0;
  SignalTarget target = SignalTarget::kTasks;
};
struct NotifyStep {
  StepKey key;
  std::string text;
  NoticeKind kind = NoticeKind::kMessage;
};
struct FreezeJob {
  uint32_t job_id = 0;
  bool frozen = false;
};
struct ForgetStep {
  StepKey key;
};
struct CleanJob {
  uint32_t job_id = 0;
  uint32_t restart = 0;
};

struct EndNode {
  StepKey key;
  uint32_t node_index = 0;
};
struct ConfineJob {
  uint32_t job_id = 0;
  uint32_t restart = 0;
  JobConfinement confinement;
};
struct MeasureSteps {
  uint64_t request = 0;
  std::vector<StepKey> keys;
};

using LauncherRequest = std::variant<Hello, StepLaunch, SignalStep, NotifyStep, FreezeJob,
                                     ForgetStep, CleanJob, EndNode, ConfineJob, MeasureSteps>;

// A whole frame, header included.
std::string encode_request(const LauncherRequest& request);
std::string encode_event(const ExecEvent& event);

// From the type and the bytes after the header. A StepLaunch is also checked to be consistent:
// indices inside their lists, no NUL byte in anything that becomes a path or an argument.
Result<LauncherRequest> decode_request(uint32_t type, std::string_view payload);
Result<ExecEvent> decode_event(uint32_t type, std::string_view payload);

// The payload of a StepEnded alone, as the exit record keeps it.
std::string encode_step_ended(const StepEnded& ended);
std::optional<StepEnded> decode_step_ended(std::string_view payload);

// What a launcher must remember of a job to clean up after it, also after its own restart.
struct JobRecord {
  uint32_t job_id = 0;
  uint32_t restart = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  bool prolog_done = false;
  JobConfinement confinement;
};
std::string encode_job_record(const JobRecord& record);
std::optional<JobRecord> decode_job_record(std::string_view payload);

// An account, as a shepherd tells it to the launcher.
std::string encode_account(const AccountEntry& account);
std::optional<AccountEntry> decode_account(std::string_view payload);

// Cuts a stream into frames.
class FrameSplitter {
 public:
  struct Frame {
    uint32_t type;
    std::string payload;
  };
  void append(const char* data, size_t size) { buffer_.append(data, size); }
  // The next whole frame, none yet, or an error if the length is beyond the limit.
  Result<std::optional<Frame>> next();

 private:
  std::string buffer_;
  size_t start_ = 0;  // of what was not yet returned
};

}  // namespace grappe::exec
