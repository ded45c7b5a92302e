// Usage against the slowest way of finding the same: second by second.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "model/node_state.h"
#include "model/reservation_flags.h"
#include "model/usage.h"

namespace grappe {
namespace {

constexpr int64_t kLast = 60;

int64_t below(int64_t bound) {
  return *rc::gen::inRange<int64_t>(0, bound);
}

TresCounts some_tres() {
  TresCounts tres{{"cpu", static_cast<uint64_t>(below(5))}};
  if (below(2)) tres["gres/gpu"] = static_cast<uint64_t>(below(3));
  return tres;
}

// A moment, or now and then none yet.
int64_t moment() {
  return below(4) ? 1 + below(kLast) : 0;
}

struct World {
  std::vector<NodeEvent> events;
  std::vector<ReservationWindow> windows;
  std::vector<UsageJob> jobs;
};

UsageJob some_job() {
  UsageJob job;
  job.assoc_id = static_cast<uint32_t>(below(3));
  job.user = below(2) ? "alice" : "bob";
  job.wckey = below(2) ? "key" : "";
  job.reservations = below(2) ? "" : below(2) ? "r0" : "r1,r0";
  job.eligible = moment();
  job.start = moment();
  job.end = moment();
  job.waiting = static_cast<uint64_t>(1 + below(3));
  job.asked_cpus = static_cast<uint64_t>(below(4));
  job.tres = some_tres();
  if (job.start && !below(3)) {
    job.shares.push_back({1, 0, job.start, some_tres()});
    for (int64_t t = job.start + 1 + below(20); t < kLast; t += 1 + below(20)) {
      job.shares.push_back({1, 0, t, below(2) ? TresCounts{} : some_tres()});
    }
  }
  return job;
}

World some_world() {
  World world;
  for (int64_t start = below(10); start < kLast; start += 5 + below(60)) {
    if (!world.events.empty()) world.events.back().end = start;
    NodeEvent& event = world.events.emplace_back();
    event.start = start;
    event.tres = {{"cpu", static_cast<uint64_t>(below(20))}, {"gres/gpu", 4}};
  }
  for (int64_t i = below(4); i > 0; --i) {
    NodeEvent& event = world.events.emplace_back();
    event.node = "n" + std::to_string(i);
    event.start = below(kLast);
    event.end = moment();
    event.state = static_cast<uint32_t>(below(2) ? NodeBase::kDown : NodeBase::kFuture);
    event.tres = some_tres();
  }
  constexpr uint32_t kFlags[] = {0, kResvMaint, kResvIgnoreJobs};
  for (int64_t i = below(4); i > 0; --i) {
    ReservationWindow& window = world.windows.emplace_back();
    window.name = "r" + std::to_string(below(2));
    window.start = below(kLast);
    window.end = window.start + below(30);
    window.flags = kFlags[below(3)];
    window.tres = some_tres();
    for (uint32_t id = 0; id < 3; ++id) {
      if (below(2)) window.associations.push_back(id);
    }
  }
  for (int64_t i = below(8); i > 0; --i) world.jobs.push_back(some_job());
  return world;
}

// A span, one second after the other.
class Plain {
 public:
  explicit Plain(const World& world) : world_(world), used_(world.windows.size()) {}

  void second(int64_t t) {
    for (const NodeEvent& event : world_.events) {
      if (t < event.start || (event.end && t >= event.end)) continue;
      for (const auto& [name, count] : event.tres) add_event(event, name, count);
    }
    for (size_t i = 0; i < world_.windows.size(); ++i) {
      const ReservationWindow& window = world_.windows[i];
      if (!counts(window, t)) continue;
      const bool maintenance = window.flags == kResvMaint;
      for (const auto& [name, count] : window.tres) {
        (maintenance ? use_[name].planned_down : use_[name].allocated) += count;
        reserved_[{i, name}] += count;
      }
    }
    for (const UsageJob& job : world_.jobs) add_job(job, t);
  }

  UsageSums sums() {
    for (const auto& [key, seconds] : reserved_) {
      const auto& [i, name] = key;
      const auto& who = world_.windows[i].associations;
      const uint64_t busy = std::min(seconds, used_[i][name]);
      for (uint32_t id : who) {
        if ((seconds - busy) / who.size()) {
          sums_.by_association[id][name] += (seconds - busy) / who.size();
        }
      }
    }
    for (const auto& [name, total] : total_) {
      if (total) sums_.cluster[name] = limited(total, use_[name]);
    }
    return sums_;
  }

 private:
  static bool counts(const ReservationWindow& window, int64_t t) {
    return window.flags != kResvIgnoreJobs && t >= window.start && t < window.end;
  }

  void add_event(const NodeEvent& event, const std::string& name, uint64_t count) {
    if (event.node.empty()) {
      total_[name] += count;
      use_[name].amount = std::max(use_[name].amount, count);
    } else if (event.state == static_cast<uint32_t>(NodeBase::kFuture)) {
      use_[name].planned_down += count;
    } else {
      use_[name].down += count;
    }
  }

  void add_job(const UsageJob& job, int64_t t) {
    const bool over = job.end && t >= job.end;
    if (job.eligible && t >= job.eligible && (job.start ? t < job.start : !over)) {
      use_["cpu"].planned += job.asked_cpus * job.waiting;
    }
    if (!job.start || t < job.start || over) return;
    TresCounts has = job.tres;
    for (const JobShare& share : job.shares) {
      if (share.since <= t) has = share.tres;
    }
    int in = -1;
    for (std::string_view name : split_words(job.reservations, ",")) {
      for (size_t i = 0; in < 0 && i < world_.windows.size(); ++i) {
        if (world_.windows[i].name == name && counts(world_.windows[i], t))
          in = static_cast<int>(i);
      }
    }
    for (const auto& [name, count] : has) {
      if (!count) continue;
      sums_.by_association[job.assoc_id][name] += count;
      if (!job.wckey.empty()) sums_.by_wckey[{job.wckey, job.user}][name] += count;
      const size_t window = static_cast<size_t>(in);
      if (in >= 0) used_[window][name] += count;
      const bool reserved = in >= 0 && world_.windows[window].tres.contains(name);
      if (!reserved) use_[name].allocated += count;
    }
  }

  static ClusterUse limited(uint64_t total, ClusterUse use) {
    use.allocated = std::min(use.allocated, total);
    use.down = std::min(use.down, total - use.allocated);
    use.planned_down = std::min(use.planned_down, total - use.allocated - use.down);
    const uint64_t left = total - use.allocated - use.down - use.planned_down;
    use.overcommitted = use.planned > left ? use.planned - left : 0;
    use.planned = std::min(use.planned, left);
    use.idle = left - use.planned;
    return use;
  }

  const World& world_;
  UsageSums sums_;
  std::map<std::string, uint64_t> total_;
  std::map<std::string, ClusterUse> use_;
  std::map<std::pair<size_t, std::string>, uint64_t> reserved_;
  std::vector<TresCounts> used_;
};

RC_GTEST_PROP(UsageProp, IsTheSumOfEachSecond, ()) {
  const World world = some_world();
  std::vector<int64_t> bounds{below(10)};
  while (bounds.back() < kLast) bounds.push_back(bounds.back() + 1 + below(25));

  UsageSpans spans(bounds);
  for (const NodeEvent& event : world.events) spans.add(event);
  for (const ReservationWindow& window : world.windows) spans.add(window);
  for (const UsageJob& job : world.jobs) spans.add(job);
  const std::vector<UsageSums> sums = spans.finish();

  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    Plain plain(world);
    for (int64_t t = bounds[i]; t < bounds[i + 1]; ++t) plain.second(t);
    const UsageSums expected = plain.sums();
    RC_ASSERT(sums[i].by_association == expected.by_association);
    RC_ASSERT(sums[i].by_wckey == expected.by_wckey);
    RC_ASSERT(sums[i].cluster == expected.cluster);
  }
}

}  // namespace
}  // namespace grappe
