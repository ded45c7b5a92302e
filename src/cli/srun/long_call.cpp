#include "cli/srun/long_call.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <cerrno>

namespace grappe {

LongCall::LongCall(Calls& calls, std::string method, const google::protobuf::MessageLite& request,
                   google::protobuf::MessageLite& response, std::chrono::milliseconds timeout)
    : answered_(eventfd(0, EFD_CLOEXEC)),
      thread_([this, &calls, method = std::move(method), &request, &response, timeout] {
        outcome_ = calls.exchange(method, request, response, timeout);
        eventfd_write(answered_.get(), 1);
      }) {}

LongCall::~LongCall() {
  if (thread_.joinable()) thread_.join();
}

LongCall::Event LongCall::wait(int signal_fd, std::chrono::milliseconds patience) {
  pollfd waits[] = {{answered_.get(), POLLIN, 0}, {signal_fd, POLLIN, 0}};
  int ready;
  do {
    ready = poll(waits, 2, patience.count() < 0 ? -1 : static_cast<int>(patience.count()));
  } while (ready < 0 && errno == EINTR);
  if (waits[0].revents) {
    // What the thread has written is ours only after this: a poll orders nothing.
    if (thread_.joinable()) thread_.join();
    return Event::kAnswered;
  }
  return waits[1].revents ? Event::kSignal : Event::kTimeout;
}

}  // namespace grappe
