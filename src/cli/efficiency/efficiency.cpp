#include "cli/efficiency/efficiency.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/duration.h"
#include "base/text.h"
#include "model/job_state.h"

namespace grappe {
namespace {

constexpr uint64_t kMegabyte = 1 << 20, kGigabyte = 1 << 30;
constexpr int64_t kShortJob = 10;     // seconds: less says nothing of its CPUs
constexpr double kRoom = 1.1;         // beyond what was used
constexpr double kWorthSaying = 1.5;  // asked for so many times what is enough

std::optional<double> percent_of(double part, double whole) {
  return whole > 0 ? std::optional(100 * part / whole) : std::nullopt;
}

// The most that steps which ran at the same time had together, if each had its peak then.
uint64_t memory_together(const v1::JobRecord& job, int64_t now) {
  std::map<int64_t, int64_t> changes;
  for (const v1::StepRecord& step : job.steps()) {
    const auto peak = static_cast<int64_t>(step.max_rss());
    const int64_t start = step.info().start_time();
    const int64_t end = step.info().end_time() ? step.info().end_time() : now;
    // One that began in the second in which another ended came after it.
    changes[2 * start] += peak;
    changes[std::max(2 * end - 1, 2 * start + 1)] -= peak;
  }
  int64_t together = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, together += change);
  return static_cast<uint64_t>(most);
}

uint32_t gpus_in(const std::string& tres) {
  for (std::string_view word : split_words(tres, ",")) {
    constexpr std::string_view kGpus = "gres/gpu=";
    if (word.starts_with(kGpus)) {
      return static_cast<uint32_t>(parse_uint(word.substr(kGpus.size()), UINT32_MAX).value_or(0));
    }
  }
  return 0;
}

// GPUs of the steps, weighted by how often each was looked at.
void add_gpus(const v1::JobRecord& job, JobUse& out) {
  uint64_t sum = 0, samples = 0;
  for (const v1::StepRecord& step : job.steps()) {
    sum += step.use().gpu_percent_sum();
    samples += step.use().gpu_samples();
    out.gpu_memory = std::max(out.gpu_memory, step.use().max_gpu_memory());
  }
  out.gpus = gpus_in(job.info().tres_alloc());
  out.gpus_measured = out.gpus && samples;
  if (samples) out.gpu_percent = static_cast<double>(sum) / static_cast<double>(samples);
}

// Up to the next gigabyte, or below one to the next 100 megabytes.
uint64_t rounded_up(double bytes) {
  const uint64_t step = bytes < static_cast<double>(kGigabyte) ? 100 * kMegabyte : kGigabyte;
  const auto steps = static_cast<uint64_t>(std::ceil(bytes / static_cast<double>(step)));
  return std::max<uint64_t>(steps, 1) * step;
}

std::string whole_bytes(uint64_t bytes) {
  return bytes % kGigabyte ? fmt::format("{}M", bytes / kMegabyte)
                           : fmt::format("{}G", bytes / kGigabyte);
}

std::string enough(const std::string& option, const std::string& why) {
  return option + " would have been enough: " + why;
}

std::string too_little(const std::string& option, const std::string& why) {
  return option + " may be enough: " + why;
}

void advise_memory(const v1::JobRecord& job, const JobUse& use, std::vector<std::string>& out) {
  const v1::JobInfo& info = job.info();
  if (!use.memory_given) return;
  const bool per_cpu = info.mem_per_cpu_mb() != 0;
  const double parts = per_cpu ? use.cpus : std::max(info.num_nodes(), 1u);
  const std::string option = per_cpu ? "--mem-per-cpu=" : "--mem=";
  const std::string given = short_bytes(use.memory_given);
  if (base_state(info.state()) == JobState::kOutOfMemory) {
    const double more = 1.5 * static_cast<double>(use.memory_given) / parts;
    out.push_back(too_little(option + whole_bytes(rounded_up(more)), given + " were not"));
    return;
  }
  if (!use.memory) return;
  const uint64_t needed = rounded_up(kRoom * static_cast<double>(use.memory) / parts);
  const double given_each = static_cast<double>(use.memory_given) / parts;
  if (given_each < kWorthSaying * static_cast<double>(needed)) return;
  out.push_back(enough(option + whole_bytes(needed),
                       fmt::format("{} of {} used", short_bytes(use.memory), given)));
}

// Up to the next of: minutes, five minutes, half hours, hours, by how long it is.
int64_t limit_for(int64_t seconds) {
  const int64_t step = seconds <= 600 ? 60 : seconds <= 3600 ? 300 : seconds <= 14400 ? 1800 : 3600;
  return (seconds + step - 1) / step * step;
}

void advise_time(const v1::JobRecord& job, const JobUse& use, std::vector<std::string>& out) {
  if (!use.limit_s) return;
  const std::string limit = format_duration(use.limit_s);
  if (base_state(job.info().state()) == JobState::kTimeout) {
    const int64_t more = limit_for(2 * use.limit_s);
    out.push_back(too_little("--time=" + format_duration(more), limit + " were not"));
    return;
  }
  if (base_state(job.info().state()) != JobState::kCompleted) return;
  const int64_t needed =
      limit_for(static_cast<int64_t>(kRoom * double(std::max<int64_t>(use.wall_s, 1))));
  if (static_cast<double>(use.limit_s) < kWorthSaying * static_cast<double>(needed)) return;
  out.push_back(enough("--time=" + format_duration(needed),
                       fmt::format("it ran {} of {}", format_duration(use.wall_s), limit)));
}

void advise_cpus(const v1::JobRecord& job, const JobUse& use, std::vector<std::string>& out) {
  if (use.wall_s < kShortJob || use.cpus < 2 || !use.measured) return;
  const auto needed = static_cast<uint32_t>(std::max(1.0, std::ceil(use.busy_cpus() - 0.1)));
  if (use.cpus < kWorthSaying * needed) return;
  const v1::JobInfo& info = job.info();
  const std::string why = fmt::format("{:.1f} of {} CPUs were busy", use.busy_cpus(), use.cpus);
  const uint32_t tasks = std::max(info.num_tasks(), 1u);
  const uint32_t per_task = std::max(info.cpus_per_task(), 1u);
  if (per_task == 1 && tasks > 1) {
    out.push_back(enough(fmt::format("--ntasks={}", needed), why));
  } else if (per_task > 1 && (needed + tasks - 1) / tasks < per_task) {
    out.push_back(enough(fmt::format("--cpus-per-task={}", (needed + tasks - 1) / tasks), why));
  }
}

void advise_gpus(const JobUse& use, std::vector<std::string>& out) {
  if (!use.gpus_measured) return;
  const double busy = use.gpu_percent / 100 * use.gpus;
  if (use.gpu_percent < 1) {
    out.push_back(fmt::format("without --gpus it would have run as well: {} did nothing",
                              use.gpus == 1 ? "its GPU" : fmt::format("its {} GPUs", use.gpus)));
    return;
  }
  const auto needed = static_cast<uint32_t>(std::max(1.0, std::ceil(busy - 0.1)));
  if (use.gpus < kWorthSaying * needed) return;
  out.push_back(
      enough(fmt::format("--gpus={}", needed),
             fmt::format("{} GPUs were busy {:.0f} % of the time", use.gpus, use.gpu_percent)));
}

}  // namespace

std::optional<double> JobUse::time_percent() const {
  return percent_of(static_cast<double>(wall_s), static_cast<double>(limit_s));
}
std::optional<double> JobUse::cpu_percent() const {
  return measured ? percent_of(busy_cpus(), cpus) : std::nullopt;
}
std::optional<double> JobUse::memory_percent() const {
  return measured ? percent_of(static_cast<double>(memory), static_cast<double>(memory_given))
                  : std::nullopt;
}
std::optional<double> JobUse::gpus_percent() const {
  return gpus_measured ? std::optional(gpu_percent) : std::nullopt;
}

JobUse use_of(const v1::JobRecord& job, int64_t now) {
  const v1::JobInfo& info = job.info();
  JobUse out;
  const int64_t end = info.end_time() ? info.end_time() : now;
  if (info.start_time() && !info.nodes().empty()) {
    out.wall_s = std::max<int64_t>(end - info.start_time() - job.suspended_s(), 0);
  }
  if (info.time_limit() != kInfinite) out.limit_s = int64_t{info.time_limit()} * 60;
  out.cpus = info.num_cpus();
  out.memory_given = job.mem_mb() * kMegabyte;
  for (const v1::StepRecord& step : job.steps()) {
    out.cpu_us += step.user_us() + step.system_us();
    out.measured = out.measured || step.max_rss() != 0;
  }
  out.memory = memory_together(job, now);
  add_gpus(job, out);
  return out;
}

std::vector<std::string> advice_of(const v1::JobRecord& job, const JobUse& use) {
  std::vector<std::string> out;
  if (!is_finished(base_state(job.info().state())) || !use.measured) return out;
  advise_memory(job, use, out);
  advise_time(job, use, out);
  advise_cpus(job, use, out);
  advise_gpus(use, out);
  return out;
}

std::string short_bytes(uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  constexpr double kGiga = static_cast<double>(kGigabyte), kMega = static_cast<double>(kMegabyte);
  const bool giga = value >= kGiga;
  const double amount = value / (giga ? kGiga : kMega);
  const bool plain = !giga || amount >= 99.95 || std::abs(amount - std::round(amount)) < 0.05;
  return plain ? fmt::format("{:.0f}{}", amount, giga ? "G" : "M") : fmt::format("{:.1f}G", amount);
}

}  // namespace grappe
