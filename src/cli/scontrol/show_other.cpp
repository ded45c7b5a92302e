#include <fmt/core.h>

#include "base/duration.h"
#include "base/text.h"
#include "cli/scontrol/show_cluster.h"
#include "model/job_state.h"

namespace grappe::scontrol {
namespace {

std::string step_name(const v1::StepInfo& step) {
  std::string job = std::to_string(step.job_id());
  if (step.array_job_id() && step.has_array_task_id())
    job = fmt::format("{}_{}", step.array_job_id(), step.array_task_id());
  return job + "." + step.step_id();
}

// Slurm counts a step without a limit of its own as unlimited.
std::string step_limit(const v1::StepInfo& step) {
  return step.time_limit() ? format_minutes(step.time_limit()) : "UNLIMITED";
}

void step_resources(Record& record, const v1::StepInfo& step) {
  struct Line {
    std::string_view name;
    const std::string& value;
  };
  for (const Line& line :
       {Line{"CpusPerTres", step.cpus_per_tres()}, Line{"MemPerTres", step.mem_per_tres()},
        Line{"TresBind", step.tres_bind()}, Line{"TresFreq", step.tres_freq()},
        Line{"TresPerStep", step.tres_per_step()}, Line{"TresPerNode", step.gres()},
        Line{"TresPerSocket", step.tres_per_socket()}, Line{"TresPerTask", step.tres_per_task()},
        Line{"Container", step.container()}}) {
    if (!line.value.empty()) record.line(fmt::format("{}={}", line.name, line.value));
  }
}

std::string setting_line(const v1::Setting& setting) {
  return fmt::format("{:<23} = {}\n", setting.key(), setting.value());
}

}  // namespace

std::string format_step(const v1::StepInfo& step, const Style& style) {
  Record record;
  record.line(fmt::format("StepId={} UserId={} StartTime={} TimeLimit={}", step_name(step),
                          step.uid(), moment(style, step.start_time(), "Unknown"),
                          step_limit(step)));
  record.line(fmt::format("State={} Partition={} NodeList={}", job_state_name(step.state()),
                          step.partition(), or_null(step.nodes())));
  record.line(fmt::format("Nodes={} CPUs={} Tasks={} Name={} Network={}", step.num_nodes(),
                          step.num_cpus(), step.num_tasks(), step.name(), or_null(step.network())));
  record.line(fmt::format("TRES={}", or_null(step.tres())));
  record.line(fmt::format("ResvPorts={}", or_null(step.resv_ports())));
  std::string frequency =
      fmt::format("CPUFreqReq={}", step.cpu_freq().empty() ? "Default" : step.cpu_freq());
  if (!step.distribution().empty()) frequency += " Dist=" + step.distribution();
  record.line(frequency);
  record.line(fmt::format("SrunHost:Pid={}:{}", or_null(step.host()), step.srun_pid()));
  step_resources(record, step);
  return record.text(style);
}

std::string format_reservation(const v1::ReservationInfo& r, const Style& style) {
  Record record;
  record.line(fmt::format("ReservationName={} StartTime={} EndTime={} Duration={}", r.name(),
                          moment(style, r.start_time(), "Unknown"),
                          moment(style, r.end_time(), "Unknown"),
                          format_duration(r.end_time() - r.start_time())));
  std::vector<std::string> flags(r.flags().begin(), r.flags().end());
  record.line(fmt::format("Nodes={} NodeCnt={} CoreCnt={} Features={} PartitionName={} Flags={}",
                          or_null(r.nodes()), r.node_count(), r.core_count(), or_null(r.features()),
                          or_null(r.partition()), join(flags, ",")));
  record.line(fmt::format("TRES={}", or_null(r.tres())));
  record.line(
      fmt::format("Users={} Groups={} Accounts={} Licenses={} State={} BurstBuffer={} Watts=n/a",
                  or_null(r.users()), or_null(r.groups()), or_null(r.accounts()),
                  or_null(r.licenses()), r.state(), or_null(r.burst_buffer())));
  record.line("MaxStartDelay=" +
              (r.max_start_delay() ? format_duration(r.max_start_delay()) : "(null)"));
  return record.text(style);
}

std::string format_license(const v1::LicenseInfo& license, const Style& style) {
  return fmt::format("LicenseName={}{}Total={} Used={} Free={} Reserved={} Remote={}\n",
                     license.name(), style.one_line ? " " : "\n    ", license.total(),
                     license.used(), license.total() - license.used(), license.reserved(),
                     license.remote() ? "yes" : "no");
}

std::string format_config(const v1::ConfigResponse& config, const Style& style) {
  std::string text = "Configuration data as of " + moment(style, config.now(), "Unknown") + "\n";
  for (const v1::Setting& setting : config.settings()) text += setting_line(setting);
  text += "\n";
  if (config.cgroup_size()) {
    text += "Cgroup Support Configuration:\n";
    for (const v1::Setting& setting : config.cgroup()) text += setting_line(setting);
    text += "\n";
  }
  return text + config.controller() + "\n";
}

}  // namespace grappe::scontrol
