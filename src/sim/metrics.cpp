#include "sim/metrics.h"

#include <algorithm>

namespace grappe::sim {
namespace {

template <class T>
T& at(std::vector<T>& list, uint32_t index) {
  if (index >= list.size()) list.resize(index + 1);
  return list[index];
}

constexpr double kHourSeconds = 3600;

}  // namespace

double bounded_slowdown(Time wait, Time run) {
  constexpr Time kShort = 10;
  double slowdown = static_cast<double>(wait + run) / static_cast<double>(std::max(run, kShort));
  return std::max(slowdown, 1.0);
}

Metrics::Metrics(const Machine& machine)
    : by_gpu_(machine.gpus() > 0),
      has_links_(machine.has_links()),
      cpus_(static_cast<double>(machine.cpus())),
      gpus_(static_cast<double>(machine.gpus())) {}

void Metrics::advance(Time now) {
  if (now <= now_) return;
  auto seconds = static_cast<double>(now - now_);
  used_.cpu_s += seconds * static_cast<double>(busy_cpus_);
  used_.gpu_s += seconds * static_cast<double>(busy_gpus_);
  if (!demanding_.empty()) share_out(seconds);
  now_ = now;
}

// At every instant each account is entitled to an equal part of the machine; what one has no jobs
// for is divided among the others.
void Metrics::share_out(double seconds) {
  std::erase_if(demanding_, [&](uint32_t a) { return demand_[a].total() == 0; });
  auto less = [&](uint32_t a, uint32_t b) {
    return std::pair(demand_[a].total(), a) < std::pair(demand_[b].total(), b);
  };
  std::sort(demanding_.begin(), demanding_.end(), less);
  double left = by_gpu_ ? gpus_ : cpus_;
  std::size_t others = demanding_.size();
  for (uint32_t a : demanding_) {
    auto running = static_cast<double>(demand_[a].running);
    double entitled =
        std::min(static_cast<double>(demand_[a].total()), left / static_cast<double>(others--));
    left -= entitled;
    AccountFigures& account = at(sums_.accounts, a);
    account.used += seconds * running;
    account.entitled += seconds * entitled;
    account.missing += seconds * std::max(entitled - running, 0.0);
  }
}

void Metrics::submitted(const TraceJob& job, Time now) {
  if (started_ + waiting_ == 0) sums_.first = now_ = now;
  advance(now);
  last_submit_ = now;
  used_at_last_submit_ = used_;
  sums_.most_waiting = std::max(sums_.most_waiting, ++waiting_);
  Demand& demand = at(demand_, job.account);
  if (demand.total() == 0 &&
      std::find(demanding_.begin(), demanding_.end(), job.account) == demanding_.end()) {
    demanding_.push_back(job.account);
  }
  demand.waiting += units(job);
}

void Metrics::refused(const TraceJob&) {
  ++sums_.refused;
}

void Metrics::started(const TraceJob& job, Time now) {
  advance(now);
  --waiting_;
  ++started_;
  busy_cpus_ += job.cpus;
  busy_gpus_ += job.gpus;
  demand_[job.account].waiting -= units(job);
  demand_[job.account].running += units(job);
  Time wait = now - job.submit;
  wait_s_ += static_cast<double>(wait);
  slowdown_ += bounded_slowdown(wait, job.run);
  sums_.waits.add(wait);
  sums_.worst_wait = std::max(sums_.worst_wait, wait);
  UserFigures& user = at(sums_.users, job.user);
  ++user.jobs;
  user.worst_wait = std::max(user.worst_wait, wait);
}

void Metrics::placed(const TraceJob& job, const sched::RunningJob& running,
                     const sched::Snapshot& snapshot) {
  if (!has_links_ || job.gpus < 2) return;
  bool could = true, split = false;
  for (const sched::NodeShare& share : running.shares) {
    const std::vector<sched::GresDevice>& devices = snapshot.nodes[share.node].devices;
    std::vector<uint32_t> sizes;
    for (const sched::GresDevice& device : devices) ++at(sizes, device.link_group);
    could = could && *std::max_element(sizes.begin(), sizes.end()) >= share.devices.size();
    for (uint32_t d : share.devices) {
      split = split || devices[d].link_group != devices[share.devices[0]].link_group;
    }
  }
  sums_.linkable += could;
  sums_.split += could && split;
}

void Metrics::ended(const TraceJob& job, Time, Time now) {
  advance(now);
  ++ended_;
  busy_cpus_ -= job.cpus;
  busy_gpus_ -= job.gpus;
  demand_[job.account].running -= units(job);
}

Figures Metrics::figures() const {
  Figures out = sums_;
  out.jobs = started_;
  out.last = now_;
  double jobs = std::max(static_cast<double>(started_), 1.0);
  out.mean_wait = wait_s_ / jobs;
  out.mean_slowdown = slowdown_ / jobs;
  out.cpu_hours = used_at_last_submit_.cpu_s / kHourSeconds;
  out.gpu_hours = used_at_last_submit_.gpu_s / kHourSeconds;
  double used = by_gpu_ ? used_at_last_submit_.gpu_s : used_at_last_submit_.cpu_s;
  auto window = static_cast<double>(last_submit_ - sums_.first);
  double capacity = window * (by_gpu_ ? gpus_ : cpus_);
  out.utilisation = capacity > 0 ? used / capacity : 0;
  double entitled = 0, missing = 0;
  for (const AccountFigures& account : out.accounts) {
    entitled += account.entitled;
    missing += account.missing;
  }
  out.fairness = entitled > 0 ? 1 - missing / entitled : 1;
  return out;
}

}  // namespace grappe::sim
