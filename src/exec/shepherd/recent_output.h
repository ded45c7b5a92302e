// The last output of a step's tasks, for whoever attaches late.
//
// As Slurm does, each node keeps its last 128 messages, and of them what 128 messages of Slurm's
// can hold: the past that sattach shows is that of Slurm, and a step that prints much costs no
// more.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace grappe::exec {

class RecentOutput {
 public:
  static constexpr size_t kMostMessages = 128;
  static constexpr size_t kMostBytes = kMostMessages * 1024;

  void add(uint32_t node, std::string frame) {
    Cache& cache = nodes_[node];
    cache.bytes += frame.size();
    cache.frames.push_back(std::move(frame));
    // The newest stays, however long it is: a read of a pipe is not longer than kMostBytes.
    while (cache.frames.size() > kMostMessages ||
           (cache.bytes > kMostBytes && cache.frames.size() > 1)) {
      cache.bytes -= cache.frames.front().size();
      cache.frames.pop_front();
    }
  }

  // One after the other; node after node.
  std::string frames() const {
    std::string all;
    for (const auto& [node, cache] : nodes_) {
      for (const std::string& frame : cache.frames) all += frame;
    }
    return all;
  }

 private:
  struct Cache {
    std::deque<std::string> frames;
    size_t bytes = 0;
  };
  std::map<uint32_t, Cache> nodes_;
};

}  // namespace grappe::exec
