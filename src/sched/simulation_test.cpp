// Many plans in a row on a machine whose jobs come and go: what one plan promises must hold up.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>

#include "sched/remedies.h"
#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// Runs a queue to its end. Jobs end at `part` of their limit.
class World {
 public:
  explicit World(Cluster& c) : c_(c) {}

  // Until nothing is left or `plans` were made.
  void run(double part, int plans) {
    Snapshot& s = c_.snapshot;
    for (int i = 0; i < plans && (!s.pending.empty() || !s.running.empty()); ++i) {
      Plan p = c_.plan();
      for (const Start& start : p.starts) begin(start, part);
      for (const Waiting& w : p.waiting) note(w);
      if (!advance()) return;
    }
  }

  std::map<uint64_t, Time> started;
  std::map<uint64_t, Time> first_promise;

 private:
  void note(const Waiting& w) {
    if (w.expected_start) first_promise.emplace(w.tag, w.expected_start);
  }

  void begin(const Start& start, double part) {
    Snapshot& s = c_.snapshot;
    started[start.tag] = s.now;
    RunningJob job;
    job.tag = start.tag;
    job.end = s.now + start.time_limit;
    ends_[start.tag] =
        s.now + std::max<Time>(1, static_cast<Time>(static_cast<double>(start.time_limit) * part));
    job.shares = start.shares;
    for (const NodeShare& share : start.shares) {
      Node& n = s.nodes[share.node];
      ASSERT_FALSE(n.used_cpus.intersects(share.cpus));
      n.used_cpus |= share.cpus;
      n.used_memory_mb += share.memory_mb;
      ASSERT_LE(n.used_memory_mb, n.memory_mb);
      for (uint32_t d : share.devices) {
        ASSERT_FALSE(n.used_devices.test(d));
        n.used_devices.set(d);
      }
    }
    s.running.push_back(std::move(job));
    std::erase_if(s.pending, [&](const PendingJob& j) { return j.tag == start.tag; });
  }

  // Those that ran before end by their limit.
  Time end_of(const RunningJob& job) const {
    const auto known = ends_.find(job.tag);
    return known == ends_.end() ? job.end : known->second;
  }

  // To the next end; false when nothing runs.
  bool advance() {
    Snapshot& s = c_.snapshot;
    Time next = kForever;
    for (const RunningJob& job : s.running) next = std::min(next, end_of(job));
    if (next == kForever) return false;
    s.now = next;
    for (const RunningJob& job : s.running) {
      if (end_of(job) > s.now) continue;
      for (const NodeShare& share : job.shares) {
        Node& n = s.nodes[share.node];
        n.used_cpus -= share.cpus;
        n.used_memory_mb -= share.memory_mb;
        for (uint32_t d : share.devices) n.used_devices.clear(d);
      }
    }
    std::erase_if(s.running, [&](const RunningJob& job) { return end_of(job) <= s.now; });
    return true;
  }

  Cluster& c_;
  std::map<uint64_t, Time> ends_;
};

// 300 jobs of every size on three GPU nodes.
void crowd(Cluster& c, uint32_t seed) {
  std::mt19937 random(seed);
  c.nodes(3, node(1).geometry(2, 8, 1).gpus(4).linked(2).memory(64000));
  for (uint64_t tag = 1; tag <= 300; ++tag) {
    JobSpec spec = tasks(1 + static_cast<uint32_t>(random() % 24)).mem_per_cpu(random() % 3000);
    if (random() % 3 == 0) spec = tasks(1).cpus(4).gpus_per_node(1 + random() % 4);
    if (random() % 10 == 0) spec = job().nodes(2).exclusive();
    c.job(tag, spec.time(60 * (1 + static_cast<Time>(random() % 300))));
  }
}

TEST(Simulation, EveryJobRunsInTheEnd) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    Cluster c;
    crowd(c, seed);
    World world(c);
    world.run(0.4, 5000);
    EXPECT_EQ(world.started.size(), 300u) << seed;
  }
}

TEST(Simulation, WhenLimitsAreTrueTheFirstInLineStartsAsPromised) {
  Cluster c;
  crowd(c, 7);
  Plan p = c.plan();
  auto planned = [](const Waiting& w) { return w.expected_start != 0; };
  auto first = std::find_if(p.waiting.begin(), p.waiting.end(), planned);
  ASSERT_NE(first, p.waiting.end());
  uint64_t tag = first->tag;
  Time promised = first->expected_start;
  World world(c);
  world.run(1.0, 5000);
  EXPECT_LE(world.started[tag], promised);
}

// A queue some minutes after it has begun to move.
void moving_crowd(Cluster& c, uint32_t seed) {
  crowd(c, seed);
  c.snapshot.pending.resize(40);
  World(c).run(1.0, 2);
}

// When the job of a moving crowd starts with the change made, if every job runs until its limit.
Time start_with(uint32_t seed, const Policy& policy, uint32_t index, const Remedy& remedy) {
  Cluster c;
  c.policy = policy;
  moving_crowd(c, seed);
  Changed change = changed(c.snapshot, c.snapshot.pending[index], remedy);
  change.job.shape = &change.shape;
  c.snapshot.pending[index] = change.job;
  World world(c);
  world.run(1.0, 500);
  const auto started = world.started.find(change.job.tag);
  return started == world.started.end() ? kForever : started->second;
}

// Tries every remedy that is suggested; how many there were.
uint32_t try_remedies(uint32_t seed, const Policy& policy) {
  uint32_t tried = 0;
  Cluster now;
  now.policy = policy;
  moving_crowd(now, seed);
  for (uint32_t index = 0; index < now.snapshot.pending.size(); index += 7) {
    const Explanation why = explain(now.snapshot, now.policy, index, {0});
    for (const Remedy& remedy : why.remedies) {
      EXPECT_LE(start_with(seed, policy, index, remedy), remedy.start) << seed << " " << index;
      EXPECT_TRUE(!why.expected_start || remedy.start < why.expected_start);
      ++tried;
    }
  }
  return tried;
}

TEST(Simulation, WhenLimitsAreTrueEveryRemedyStartsTheJobByTheTimeItSays) {
  uint32_t tried = 0, tried_in_line = 0;
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    tried += try_remedies(seed, Policy{});
    tried_in_line += try_remedies(seed, first_in_line_policy());
  }
  EXPECT_GT(tried, 20u);
  EXPECT_GT(tried_in_line, 5u);
}

// Where only the first in line keeps its start, what is said of the others is no promise.
TEST(Simulation, WhenLimitsAreTrueTheKeptStartIsKept) {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    Cluster c;
    c.policy = first_in_line_policy();
    moving_crowd(c, seed);
    const Plan p = c.plan();
    auto is_kept = [](const Waiting& w) { return w.kept; };
    ASSERT_EQ(std::count_if(p.waiting.begin(), p.waiting.end(), is_kept), 1);
    const Waiting first = *std::find_if(p.waiting.begin(), p.waiting.end(), is_kept);
    World world(c);
    world.run(1.0, 5000);
    EXPECT_LE(world.started[first.tag], first.expected_start) << seed;
  }
}

TEST(Simulation, WhenLimitsAreTrueEveryPromiseIsKept) {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    Cluster c;
    moving_crowd(c, seed);
    World world(c);
    world.run(1.0, 1);
    const auto promises = world.first_promise;
    world.run(1.0, 5000);
    EXPECT_GT(promises.size(), 20u);
    for (auto [tag, promise] : promises) EXPECT_LE(world.started[tag], promise) << seed;
  }
}

TEST(Simulation, EarlyEndsBringStartsForward) {
  Cluster c;
  crowd(c, 11);
  World world(c);
  world.run(0.3, 5000);
  uint32_t later = 0;
  for (auto [tag, promise] : world.first_promise) later += world.started[tag] > promise;
  // A promise is made on limits; jobs that end early can only disorder those far down the line.
  EXPECT_LT(later, world.first_promise.size() / 10);
}

TEST(Simulation, AWideJobIsNotStarvedByNarrowOnes) {
  Cluster c;
  c.nodes(1, node(8));
  c.running(0, 1, kNow + 100).tag = 5000;
  c.job(1, tasks(8).time(100));
  for (uint64_t tag = 2; tag < 200; ++tag) c.job(tag, tasks(1).time(150));
  Plan p = c.plan();
  EXPECT_EQ(why(p, 1), "Resources@1100");
  EXPECT_TRUE(p.starts.empty());
}

}  // namespace
}  // namespace grappe::sched::testing
