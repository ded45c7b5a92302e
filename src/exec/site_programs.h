// Programs of the site that the service runs itself, as its own user: PrologSlurmctld and
// EpilogSlurmctld. One thread starts them and waits for them; what they leave running ends with
// them, and they end with the service.
#pragma once

#include <functional>
#include <memory>

#include "exec/executor.h"

namespace grappe::exec {

class SitePrograms {
 public:
  // Called from the thread, once for each program.
  using Listener = std::function<void(SiteProgramEnded)>;

  explicit SitePrograms(Listener listener);
  ~SitePrograms();

  void run(SiteProgram program);

 private:
  class Runner;
  std::unique_ptr<Runner> runner_;
};

}  // namespace grappe::exec
