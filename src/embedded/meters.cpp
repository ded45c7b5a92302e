#include "embedded/meters.h"

#include <algorithm>

namespace grappe::embedded {
namespace {

void lift(uint64_t& value, uint64_t seen) {
  value = std::max(value, seen);
}

uint64_t rss_of(const std::vector<exec::TaskUse>& tasks) {
  uint64_t together = 0;
  for (const exec::TaskUse& task : tasks) together += task.rss_bytes;
  return together;
}

}  // namespace

StepMeter::StepMeter(const Step& step)
    : tasks_(step.tasks),
      user_us_(step.user_us),
      system_us_(step.system_us),
      max_rss_(step.max_rss) {
  if (step.use) known_ = *step.use;
  if (step.series) series_ = UseSeries::decode(*step.series);
}

void StepMeter::add(const exec::StepSample& sample, int64_t now) {
  UsePoint point;
  for (const exec::TaskUse& seen : sample.tasks) {
    if (seen.rank >= tasks_.size()) continue;
    TaskMeter& task = tasks_[seen.rank];
    task.rss = seen.rss_bytes;
    task.vsize = seen.vsize_bytes;
    lift(task.max_rss, seen.rss_bytes);
    lift(task.max_vsize, seen.vsize_bytes);
    // Of these a process that nobody waited for takes its own along.
    lift(task.cpu_us, seen.cpu_us);
    lift(task.pages, seen.pages);
    lift(task.read, seen.read_bytes);
    lift(task.written, seen.written_bytes);
  }
  for (const TaskMeter& task : tasks_) {
    point.read_kb += task.read / 1024;
    point.written_kb += task.written / 1024;
  }
  take_time(sample.user_us, sample.system_us);
  const uint64_t rss = rss_of(sample.tasks);
  lift(max_rss_, rss);
  pids = sample.pids;
  const auto processes = static_cast<uint32_t>(pids.size());
  known_.set_processes(std::max(known_.processes(), processes));
  known_.set_samples(known_.samples() + 1);
  point.time = now;
  point.cpu_ms = (user_us_ + system_us_) / 1000;
  point.rss_kb = rss / 1024;
  point.processes = processes;
  point.gpu_percent = known_.gpu_percent();
  point.gpu_memory_kb = known_.gpu_memory() / 1024;
  series_.add(point);
}

void StepMeter::add_gpus(const std::vector<exec::GpuUse>& all) {
  uint64_t percent = 0, memory = 0, found = 0;
  for (const exec::GpuUse& gpu : all) {
    if (!gpus.contains(gpu.minor)) continue;
    percent += gpu.percent;
    memory += gpu.memory_bytes;
    ++found;
  }
  if (!found) return;
  const auto mean = static_cast<uint32_t>(percent / found);
  known_.set_gpu_percent(mean);
  known_.set_max_gpu_percent(std::max(known_.max_gpu_percent(), mean));
  known_.set_gpu_percent_sum(known_.gpu_percent_sum() + mean);
  known_.set_gpu_samples(known_.gpu_samples() + 1);
  known_.set_gpu_memory(memory);
  known_.set_max_gpu_memory(std::max(known_.max_gpu_memory(), memory));
}

// The cgroup also knows of processes that nobody waited for.
void StepMeter::take_time(uint64_t user_us, uint64_t system_us) {
  lift(user_us_, user_us);
  lift(system_us_, system_us);
  if (tasks_.size() == 1) lift(tasks_[0].cpu_us, user_us_ + system_us_);
}

void StepMeter::finish(const exec::StepUsage& usage) {
  take_time(usage.user_us, usage.system_us);
  lift(max_rss_, usage.max_rss_bytes);
  for (const exec::TaskUse& seen : usage.tasks) {
    if (seen.rank >= tasks_.size()) continue;
    TaskMeter& task = tasks_[seen.rank];
    lift(task.max_rss, seen.rss_bytes);
    lift(task.max_vsize, seen.vsize_bytes);
    task.rss = task.max_rss;
    task.vsize = task.max_vsize;
    lift(task.cpu_us, seen.cpu_us);
    lift(task.pages, seen.pages);
    lift(task.read, seen.read_bytes);
    lift(task.written, seen.written_bytes);
  }
  if (!known_.processes() && !usage.tasks.empty()) {
    known_.set_processes(static_cast<uint32_t>(usage.tasks.size()));
  }
}

void StepMeter::fill(v1::Spread* out, uint64_t TaskMeter::*peak, uint64_t TaskMeter::*last) const {
  // What was seen before a restart of the service stays the peak.
  const v1::Spread before = *out;
  uint64_t total = 0;
  for (uint32_t rank = 0; rank < tasks_.size(); ++rank) {
    const uint64_t value = tasks_[rank].*peak;
    total += tasks_[rank].*last;
    if (rank == 0 || value > out->max()) {
      out->set_max(value);
      out->set_max_task(rank);
    }
    if (rank == 0 || value < out->min()) {
      out->set_min(value);
      out->set_min_task(rank);
    }
  }
  if (before.max() > out->max()) {
    out->set_max(before.max());
    out->set_max_task(before.max_task());
  }
  out->set_total(total);
}

v1::StepUse StepMeter::use() const {
  v1::StepUse out = known_;
  fill(out.mutable_cpu_us(), &TaskMeter::cpu_us, &TaskMeter::cpu_us);
  fill(out.mutable_rss(), &TaskMeter::max_rss, &TaskMeter::rss);
  fill(out.mutable_vsize(), &TaskMeter::max_vsize, &TaskMeter::vsize);
  fill(out.mutable_pages(), &TaskMeter::pages, &TaskMeter::pages);
  fill(out.mutable_read(), &TaskMeter::read, &TaskMeter::read);
  fill(out.mutable_written(), &TaskMeter::written, &TaskMeter::written);
  return out;
}

void StepMeter::save(Step& step) const {
  step.user_us = user_us_;
  step.system_us = system_us_;
  step.max_rss = max_rss_;
  step.use = std::make_shared<const v1::StepUse>(use());
  if (!series_.points().empty()) {
    step.series = std::make_shared<const std::string>(series_.encode());
  }
}

}  // namespace grappe::embedded
