#include "cli/efficiency/seff.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/duration.h"
#include "cli/efficiency/efficiency.h"
#include "cli/efficiency/find_jobs.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/sacct/sacct.h"
#include "model/job_state.h"

namespace grappe {
namespace {

// "876.69 MB", "28.52 GB".
std::string seff_amount(double kilobytes) {
  constexpr const char* kUnits[] = {"MB", "GB", "TB", "PB", "EB"};
  double value = kilobytes / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fmt::format("{:.2f} {}", value, kUnits[unit]);
}

// The step whose largest task had most memory stands for the job.
struct SeffFigures {
  uint64_t task_kb = 0;
  uint32_t tasks = 0;  // 0: nothing was measured
  int64_t cpu_s = 0, wall_s = 0;
  uint64_t given_kb = 0;
  bool per_node = true;
  uint32_t nodes = 0, cpus = 0;
};

SeffFigures figures_of(const v1::JobRecord& job, int64_t now) {
  const JobUse use = use_of(job, now);
  SeffFigures out;
  for (const v1::StepRecord& step : job.steps()) {
    const uint64_t kilobytes = step.use().rss().max() / 1024;
    if (kilobytes <= out.task_kb) continue;
    out.task_kb = kilobytes;
    out.tasks = step.info().num_tasks();
  }
  out.cpu_s = static_cast<int64_t>((use.cpu_us + 500'000) / 1'000'000);
  out.wall_s = use.wall_s;
  out.given_kb = use.memory_given / 1024;
  out.per_node = job.info().mem_per_cpu_mb() == 0;
  out.nodes = std::max(job.info().num_nodes(), 1u);
  out.cpus = std::max(job.info().num_cpus(), 1u);
  return out;
}

double seff_share(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

void add_use(std::string& out, const SeffFigures& f) {
  const int64_t core_time = f.wall_s * f.cpus;
  out += fmt::format("CPU Utilized: {}\n", format_duration(f.cpu_s));
  out += fmt::format("CPU Efficiency: {:.2f}% of {} core-walltime\n",
                     seff_share(double(f.cpu_s), double(core_time)), format_duration(core_time));
  out += fmt::format("Job Wall-clock time: {}\n", format_duration(f.wall_s));
  const auto used = static_cast<double>(f.task_kb) * f.tasks;
  const auto given = static_cast<double>(f.given_kb);
  const bool exact = f.tasks == 1;
  out += fmt::format("Memory Utilized: {}{}\n", seff_amount(used),
                     exact ? "" : " (estimated maximum)");
  out +=
      fmt::format("Memory Efficiency: {:.2f}% of {}", seff_share(used, given), seff_amount(given));
  if (!exact) {
    out += fmt::format(" ({}/{})", seff_amount(given / (f.per_node ? f.nodes : f.cpus)),
                       f.per_node ? "node" : "core");
  }
  out += '\n';
}

}  // namespace

std::string seff_text(const v1::JobRecord& job, int64_t now) {
  const v1::JobInfo& info = job.info();
  const JobState state = base_state(info.state());
  std::string out = fmt::format("Job ID: {}\n", info.job_id());
  if (info.array_job_id()) out += "Array Job ID: " + sacct_job_id({job, nullptr}) + "\n";
  out += "Cluster: " + info.cluster() + "\n";
  out += "User/Group: " + info.user() + "/" + info.group() + "\n";
  const std::string name(job_state_name(info.state() & kStateBaseMask));
  out += fmt::format("State: {}", name);
  if (is_finished(state)) out += fmt::format(" (exit code {})", info.exit_code() >> 8);
  out += '\n';
  const SeffFigures figures = figures_of(job, now);
  if (figures.cpus == 1) {
    out += "Cores: 1\n";
  } else {
    out +=
        fmt::format("Nodes: {}\nCores per node: {}\n", figures.nodes, figures.cpus / figures.nodes);
  }
  if (state == JobState::kPending) {
    return out + "Efficiency not available for jobs in the PENDING state.\n";
  }
  add_use(out, figures);
  if (!is_finished(state)) {
    out += "WARNING: Efficiency statistics may be misleading for " + name + " jobs.\n";
  }
  return out;
}

std::string seff_raw_text(const v1::JobRecord& job, int64_t now) {
  const v1::JobInfo& info = job.info();
  const SeffFigures f = figures_of(job, now);
  return fmt::format(
      "Slurm data: JobID ArrayJobID User Group State Clustername Ncpus Nnodes Ntasks Reqmem "
      "PerNode "
      "Cput Walltime Mem ExitStatus\n"
      "Slurm data: {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n\n",
      info.job_id(), info.array_job_id() ? sacct_job_id({job, nullptr}) : "", info.user(),
      info.group(), job_state_name(info.state() & kStateBaseMask), info.cluster(), f.cpus, f.nodes,
      f.tasks, f.given_kb, f.per_node ? 1 : 0, f.cpu_s, f.wall_s, f.task_kb * f.tasks,
      info.exit_code() >> 8);
}

int seff(const std::string& id, bool raw, Calls& calls) {
  auto found = find_jobs(calls, {id});
  if (!found) {
    Report("seff").error(found.error());
    return 1;
  }
  if (found->jobs().empty()) {
    std::fputs("Job not found.\n", stderr);
    return 2;
  }
  Output output;
  for (const v1::JobRecord& job : found->jobs()) {
    if (&job != &found->jobs(0)) output.text() += '\n';
    if (raw) output.text() += seff_raw_text(job, found->now());
    output.text() += seff_text(job, found->now());
  }
  return 0;
}

}  // namespace grappe
