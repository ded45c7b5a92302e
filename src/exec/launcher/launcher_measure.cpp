// What running steps use, for grapped, which asks for all of them at once.
#include <optional>

#include "exec/launcher/launcher.h"
#include "exec/shepherd/process_use.h"

namespace grappe::exec {

void Launcher::handle(const MeasureSteps& wanted) {
  StepsMeasured measured{wanted.request, {}};
  measured.steps.reserve(wanted.keys.size());
  std::optional<ProcessTable> table;  // read once, for all steps
  for (const StepKey key : wanted.keys) {
    const auto found = steps_.find(key);
    if (found == steps_.end() || found->second.phase != StepPhase::kRunning) continue;
    const TaskPids& tasks = found->second.started.pids;
    if (tasks.empty()) continue;
    std::vector<pid_t> pids;
    if (cgroups_->tracks()) {
      pids = cgroups_->processes(key);
    } else {
      if (!table) table.emplace();
      pids = table->below(tasks);
    }
    StepSample& sample = measured.steps.emplace_back();
    sample.key = key;
    sample.tasks = measure_tasks(pids, tasks, true);
    sample.pids.assign(pids.begin(), pids.end());
    if (const auto used = cgroups_->cpu_time(key)) {
      sample.user_us = used->user_us;
      sample.system_us = used->system_us;
    } else {
      for (const TaskUse& task : sample.tasks) sample.user_us += task.cpu_us;
    }
  }
  brain_.tell(measured);
}

}  // namespace grappe::exec
