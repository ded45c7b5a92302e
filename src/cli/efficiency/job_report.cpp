#include "cli/efficiency/job_report.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "base/datetime.h"
#include "base/duration.h"
#include "base/plain_text.h"
#include "cli/efficiency/efficiency.h"
#include "cli/efficiency/find_jobs.h"
#include "cli/format/exit_code.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/sacct/sacct.h"
#include "model/job_state.h"

namespace grappe {
namespace {

constexpr int64_t kWeek = 7 * 86400;

std::string percent_text(std::optional<double> percent) {
  return percent ? fmt::format("{:.1f}%", *percent) : "---";
}

std::string state_name_of(const v1::JobRecord& job) {
  return std::string(job_state_name(job.info().state() & kStateBaseMask));
}

void add_line(std::string& out, std::string_view what, const std::string& used,
              const std::string& given, std::optional<double> percent) {
  out += fmt::format("  {:<7} {:>12} of {:<12} {:>7}\n", what, used, given, percent_text(percent));
}

std::string title_of(const v1::JobRecord& job) {
  const v1::JobInfo& info = job.info();
  std::string name = info.name();
  hide_control_characters(name);
  std::string out = fmt::format("Job {} ({}) of {}: {}", sacct_job_id({job, nullptr}), name,
                                info.user(), state_name_of(job));
  if (is_finished(base_state(info.state())) && info.exit_code()) {
    out += ", exit code " + exit_code_text(info.exit_code());
  }
  if (!info.nodes().empty()) out += ", on " + info.nodes();
  return out + "\n";
}

void add_figures(std::string& out, const JobUse& use) {
  add_line(out, "time", format_duration(use.wall_s),
           use.limit_s ? format_duration(use.limit_s) : "UNLIMITED", use.time_percent());
  if (!use.measured) return;
  add_line(out, "CPUs", fmt::format("{:.1f} busy", use.busy_cpus()), std::to_string(use.cpus),
           use.cpu_percent());
  add_line(out, "memory", short_bytes(use.memory),
           use.memory_given ? short_bytes(use.memory_given) : "no limit", use.memory_percent());
  if (!use.gpus_measured) return;
  add_line(out, "GPUs", fmt::format("{:.1f} busy", use.gpu_percent / 100 * use.gpus),
           std::to_string(use.gpus), use.gpus_percent());
  out += "  GPU memory " + short_bytes(use.gpu_memory) + "\n";
}

std::vector<ReportColumn> table_columns(bool gpus) {
  std::vector<ReportColumn> columns = {{"JobID", -12},  {"JobName", 12}, {"State", 13},
                                       {"Elapsed", 11}, {"TimeEff", 8},  {"CPUEff", 8},
                                       {"MemEff", 8}};
  if (gpus) columns.push_back({"GPUEff", 8});
  return columns;
}

Status read_time(const std::optional<std::string>& text, int64_t now, int64_t& into) {
  if (!text) return {};
  auto time = parse_datetime(*text, now, true);
  if (!time) return tl::unexpected<Error>(time.error());
  into = *time;
  return {};
}

// A week back, unless told otherwise or asked for jobs by their ids.
Status set_window(JobsOptions& options, int64_t now) {
  int64_t since = options.ids.empty() ? now - kWeek : 0, until = now + 1;
  if (Status read = read_time(options.since, now, since); !read) return read;
  if (Status read = read_time(options.until, now, until); !read) return read;
  options.filter.set_start_time(since);
  options.filter.set_end_time(std::max(until, since + 1));
  return {};
}

}  // namespace

std::string job_report_text(const v1::JobRecord& job, int64_t now) {
  std::string out = title_of(job);
  const JobUse use = use_of(job, now);
  const bool over = is_finished(base_state(job.info().state()));
  if (!use.wall_s && !use.measured) {
    return out + (over ? "It did not run.\n" : "It has not started.\n");
  }
  add_figures(out, use);
  const std::vector<std::string> advice = advice_of(job, use);
  for (const std::string& sentence : advice) out += sentence + "\n";
  if (!over || !use.measured || !advice.empty()) return out;
  // One that failed early may need far more the next time.
  const bool completed = base_state(job.info().state()) == JobState::kCompleted;
  out += completed ? "It asked for what it needed.\n"
                   : "It did not complete, so what it needs is not known.\n";
  return out;
}

std::string jobs_report_text(const JobsOptions& options, const v1::HistoryResponse& found) {
  std::vector<JobUse> uses;
  for (const v1::JobRecord& job : found.jobs()) uses.push_back(use_of(job, found.now()));
  const bool gpus =
      std::any_of(uses.begin(), uses.end(), [](const JobUse& use) { return use.gpus_measured; });
  const std::vector<ReportColumn> columns = table_columns(gpus);
  std::string out;
  if (!options.no_header) append_report_titles(out, columns, options.style);
  for (int i = 0; i < found.jobs_size(); ++i) {
    const v1::JobRecord& job = found.jobs(i);
    const JobUse& use = uses[static_cast<size_t>(i)];
    std::string name = job.info().name();
    hide_control_characters(name);
    std::vector<std::string> values = {sacct_job_id({job, nullptr}),
                                       std::move(name),
                                       state_name_of(job),
                                       format_duration(use.wall_s),
                                       percent_text(use.time_percent()),
                                       percent_text(use.cpu_percent()),
                                       percent_text(use.memory_percent())};
    if (gpus) values.push_back(percent_text(use.gpus_percent()));
    append_report_row(out, columns, values, options.style);
  }
  return out;
}

int jobs_report(JobsOptions options, Calls& calls) {
  Report report("grappe");
  if (Status set = set_window(options, std::time(nullptr)); !set) {
    report.error(set.error());
    return 1;
  }
  for (const std::string& id : options.ids) {
    auto wish = parse_sacct_wish(id);
    if (!wish) {
      report.error(wish.error());
      return 1;
    }
    *options.filter.add_jobs() = wish->job;
  }
  const bool everybody = options.all_users || !options.ids.empty() || geteuid() == 0;
  if (options.filter.uids().empty() && !everybody) options.filter.add_uids(geteuid());
  options.filter.set_steps(true);
  auto found = calls.call<v1::HistoryResponse>("History/Jobs", options.filter);
  if (!found) {
    report.error(found.error());
    return 1;
  }
  add_running_use(calls, *found);
  Output().text() += jobs_report_text(options, *found);
  return 0;
}

}  // namespace grappe
