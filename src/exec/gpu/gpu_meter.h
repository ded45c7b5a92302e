// Asks the driver of the GPUs on a thread of its own: an answer may take long, and a driver in
// trouble may never give one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "exec/executor.h"

namespace grappe::exec {

class GpuMeter {
 public:
  using Listener = std::function<void(GpusMeasured)>;  // called from the thread

  // The library is loaded with the first measure(); if that fails nothing is ever measured.
  GpuMeter(std::string library, Listener listener);
  ~GpuMeter();

  // A request while another one is under way is answered by that one.
  void measure();

 private:
  class Worker;
  std::shared_ptr<Worker> worker_;  // shared with the thread, which may be held up for ever
};

}  // namespace grappe::exec
