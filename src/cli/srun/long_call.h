// A call that the service may answer late: it runs in a thread of its own, so that srun can look
// for signals and the clock meanwhile.
#pragma once

#include <chrono>
#include <thread>

#include "base/unique_fd.h"
#include "cli/calls.h"

namespace grappe {

class LongCall {
 public:
  // `calls` and `response` belong to the call until it has been answered.
  LongCall(Calls& calls, std::string method, const google::protobuf::MessageLite& request,
           google::protobuf::MessageLite& response, std::chrono::milliseconds timeout);
  ~LongCall();  // waits for the answer
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;

  enum class Event { kAnswered, kSignal, kTimeout };
  // The first of: an answer, something to read from `signal_fd`, `patience` over (negative: none).
  Event wait(int signal_fd, std::chrono::milliseconds patience);
  // After kAnswered.
  const Status& outcome() const { return outcome_; }

 private:
  UniqueFd answered_;
  Status outcome_;
  std::thread thread_;
};

}  // namespace grappe
