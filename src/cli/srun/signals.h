// The signals that srun answers itself, read from a descriptor so that one loop waits for
// everything.
#pragma once

#include <signal.h>

#include <optional>

#include "base/unique_fd.h"

namespace grappe {

class Signals {
 public:
  // From here on they are blocked; those that came before are not lost.
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  int fd() const { return fd_.get(); }
  // The next one that has come.
  std::optional<int> next();
  // In a child, before it becomes another program.
  void restore_in_child() const;

 private:
  UniqueFd fd_;
  sigset_t before_;
};

// A signal that asks srun itself to stop.
bool asks_to_stop(int number);

}  // namespace grappe
