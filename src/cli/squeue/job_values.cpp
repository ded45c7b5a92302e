#include "cli/squeue/job_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/duration.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "cli/squeue/job_filter.h"
#include "model/job_state.h"

namespace grappe {

std::string_view shown_reason(const v1::JobInfo& job) {
  if (!job.reason_detail().empty()) return job.reason_detail();
  return job.reason().empty() ? "None" : std::string_view(job.reason());
}

int64_t seconds_used(const v1::JobInfo& job, int64_t now) {
  JobState base = base_state(job.state());
  if (base == JobState::kPending || job.start_time() == 0) return 0;
  if (base == JobState::kSuspended) return job.pre_suspend_s();
  bool ended = base != JobState::kRunning && job.end_time() != 0;
  int64_t end = ended ? job.end_time() : now;
  if (job.suspend_time()) return end - job.suspend_time() + job.pre_suspend_s();
  return end - job.start_time();
}

int64_t seconds_left(const v1::JobInfo& job, int64_t now) {
  if (job.time_limit() == kInfinite) return kUnlimitedTime;
  if (job.time_limit() == kNoValue || job.time_limit() == 0) return kNoTimeLimit;
  return int64_t{job.time_limit()} * 60 - seconds_used(job, now);
}

uint64_t min_memory_mb(const v1::JobInfo& job) {
  return job.mem_per_cpu_mb() ? job.mem_per_cpu_mb() : job.mem_per_node_mb();
}

namespace job_values {

void number(std::string& out, uint64_t value) {
  fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

void text_or(std::string& out, std::string_view text, std::string_view if_empty) {
  out += text.empty() ? if_empty : text;
}

void text_or_null(std::string& out, std::string_view text) {
  text_or(out, text, "(null)");
}

void time_or_na(std::string& out, const JobContext& context, int64_t time) {
  if (time) {
    context.times.append(out, time);
  } else {
    out += "N/A";
  }
}

void flag(std::string& out, bool set) {
  out += set ? '1' : '0';
}

void number_or_star(std::string& out, bool given, uint64_t value) {
  if (given) {
    number(out, value);
  } else {
    out += '*';
  }
}

void number_or_na(std::string& out, bool given, uint64_t value) {
  if (given) {
    number(out, value);
  } else {
    out += "N/A";
  }
}

void count(std::string& out, const JobContext& context, uint64_t value) {
  if (value < 1024 || !context.convert) return number(out, value);
  out += convert_units(static_cast<double>(value), Unit::kNone, Shorten::kExact);
}

void megabytes(std::string& out, const JobContext& context, uint64_t mb) {
  out += convert_units(static_cast<double>(mb), Unit::kMega,
                       context.convert ? Shorten::kExact : Shorten::kNever);
}

void minutes(std::string& out, uint32_t limit) {
  if (limit == kNoValue) {
    out += "NOT_SET";
  } else {
    out += format_minutes_short(limit);
  }
}

// The text of the service if it fits, else as much as does.
void task_list(std::string& out, std::string_view tasks, size_t size) {
  if (size == 0 || tasks.size() < size) {
    out += tasks;
    return;
  }
  ArraySpec array = read_tasks(tasks);
  out += format_tasks(array.tasks, array.max_running, size);
}

void id(std::string& out, const JobRow& row, const JobContext& context) {
  const v1::JobInfo& job = *row.job;
  if (!job.array_job_id()) return number(out, job.job_id());
  size_t start = out.size();
  number(out, job.array_job_id());
  out += '_';
  if (row.task) {
    number(out, *row.task);
  } else if (!row.tasks.empty()) {
    out += '[';
    task_list(out, row.tasks, context.task_list_size);
    out += ']';
  } else {
    number(out, job.array_task_id());
  }
  if (context.id_size && out.size() - start >= context.id_size) {
    out.resize(start + context.id_size - 1);
  }
}

void task_id(std::string& out, const JobRow& row, const JobContext& context) {
  if (row.task) {
    number(out, *row.task);
  } else if (!row.tasks.empty()) {
    task_list(out, row.tasks, context.task_list_size);
  } else {
    number_or_na(out, row.job->has_array_task_id(), row.job->array_task_id());
  }
}

void reason(std::string& out, const JobRow& row) {
  if (!row.reasons.empty()) {
    out += row.reasons;
  } else {
    out += shown_reason(*row.job);
  }
}

void reason_or_nodes(std::string& out, const JobRow& row) {
  const v1::JobInfo& job = *row.job;
  static constexpr std::array kShowReason{JobState::kPending, JobState::kTimeout,
                                          JobState::kOutOfMemory, JobState::kDeadline,
                                          JobState::kFailed};
  bool waits_or_failed = std::find(kShowReason.begin(), kShowReason.end(),
                                   base_state(job.state())) != kShowReason.end();
  if (!waits_or_failed || (job.state() & kStateCompleting)) {
    out += job.nodes();
    return;
  }
  out += '(';
  reason(out, row);
  out += ')';
}

void time_left(std::string& out, const v1::JobInfo& job, int64_t now) {
  int64_t left = seconds_left(job, now);
  if (left == kUnlimitedTime) {
    out += "UNLIMITED";
  } else if (left == kNoTimeLimit) {
    out += "NOT_SET";
  } else {
    out += format_duration_short(left);
  }
}

void priority_fraction(std::string& out, uint32_t priority) {
  fmt::format_to(std::back_inserter(out), "{:16.14f}", priority / double{UINT32_MAX});
}

std::string named_file(const v1::JobInfo& job, std::string_view given) {
  if (given.empty() || given.starts_with('/')) return std::string(given);
  return fmt::format("{}/{}", job.work_dir(), given);
}

void profile(std::string& out, std::string_view asked) {
  if (asked.empty()) {
    out += "NotSet";
  } else if (iequals(asked, "none")) {
    out += "None";
  } else if (iequals(asked, "all")) {
    out += "Energy,Lustre,Network,Task";
  } else {
    bool first = true;
    for (std::string_view name : {"Energy", "Lustre", "Network", "Task"}) {
      for (std::string_view word : split(asked, ',')) {
        if (!iequals(word, name)) continue;
        if (!first) out += ',';
        out += name;
        first = false;
      }
    }
  }
}

void per_gpu(std::string& out, bool given, uint64_t value) {
  if (given) {
    out += "gres:gpu:";
    number(out, value);
  } else {
    out += "N/A";
  }
}

void gpu_option(std::string& out, std::string_view text) {
  if (text.empty()) {
    out += "N/A";
  } else {
    out += "gpu:";
    out += text;
  }
}

}  // namespace job_values
}  // namespace grappe
