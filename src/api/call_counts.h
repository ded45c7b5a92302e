// How often each method was called, by whom, and how long the answers took: for sdiag.
//
// Methods are shown under the names and numbers of Slurm's messages, because tools that read
// sdiag know those.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string_view>

#include "grappe/v1/cluster.pb.h"

namespace grappe::api {

struct SlurmMessage {
  std::string_view name;
  uint32_t id = 0;
};

// Any thread.
class CallCounts {
 public:
  void add(const SlurmMessage& message, uid_t uid, uint64_t micros);
  // The two tables of sdiag.
  void fill(v1::DiagResponse& diag) const;
  void reset();

 private:
  struct Count {
    std::string_view name;
    uint64_t calls = 0;
    uint64_t micros = 0;
  };
  mutable std::mutex mutex_;
  std::map<uint32_t, Count> by_message_;
  std::map<uid_t, Count> by_user_;
};

}  // namespace grappe::api
