// The timeline against the plainest way of finding the same.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "sched/feasible/feasible.h"
#include "sched/testing/random.h"
#include "sched/timeline.h"

namespace grappe::sched::testing {
namespace {

// One value for each instant.
struct Plain {
  std::array<int64_t, 60> at{};

  void add(Time from, Time to, int64_t delta) {
    for (Time t = from; t < to && t < 60; ++t) at[static_cast<std::size_t>(t)] += delta;
  }
  int64_t lowest(Time from, Time to) const {
    int64_t least = at[static_cast<std::size_t>(from)];
    for (Time t = from; t < to; ++t) least = std::min(least, at[static_cast<std::size_t>(t)]);
    return least;
  }
};

RC_GTEST_PROP(StepTableProp, IsWhatAValueForEachInstantWouldBe, ()) {
  StepTable table(0, {5});
  Plain plain;
  plain.add(0, 60, 5);
  for (uint32_t i = number(0, 12); i > 0; --i) {
    Time from = number(0, 58), to = number(0, 59);
    int64_t delta = static_cast<int64_t>(number(0, 8)) - 4;
    table.add(from, to, {&delta, 1});
    plain.add(from, to, delta);
  }
  std::size_t hint = 0;
  const int64_t floor = static_cast<int64_t>(number(0, 8)) - 2;
  Time to = 0;
  for (Time from = 0; from < 59; ++from) {
    RC_ASSERT(table.at(from)[0] == plain.at[static_cast<std::size_t>(from)]);
    to = std::max(to, from + 1 + number(0, std::min(5u, static_cast<uint32_t>(58 - from))));
    int64_t least = 0, hinted = 0;
    table.lowest(from, to, {&least, 1});
    RC_ASSERT(least == plain.lowest(from, to));
    bool above = table.lowest(from, to, {&floor, 1}, {&hinted, 1}, hint);
    RC_ASSERT(above == (least >= floor));
    if (above) RC_ASSERT(hinted == least);
  }
}

// A job's wish with everything it points to.
struct Wish {
  Wish(const Cluster& c, const Timeline& t, const JobSpec& spec, PartitionIndex partition)
      : shape(spec.shape), licenses(spec.job.licenses), needs(needs_of(c.snapshot, shape)) {
    nodes = suitable_nodes(c.snapshot, t.facts(), needs, partition);
    request = {&needs, &nodes, {partition, spec.job.user}, &licenses, spec.job.time_limit};
  }

  Shape shape;
  std::vector<LicenseNeed> licenses;
  Needs needs;
  Bitmap nodes;
  Request request;
};

RC_GTEST_PROP(TimelineProp, TheEarliestStartIsTheFirstInstantAtWhichItFits, ()) {
  Cluster c;
  fill_randomly(c);
  for (RunningJob& job : c.snapshot.running) job.end = kNow + (job.end - kNow) / 20;
  Timeline t(c.snapshot);
  for (uint32_t i = number(1, 5); i > 0; --i) {
    uint32_t partitions = static_cast<uint32_t>(c.snapshot.partitions.size());
    JobSpec spec = random_job(c).time(number(1, 60));
    Wish wish(c, t, spec, number(0, partitions - 1));
    std::optional<Slot> slot = t.earliest(wish.request, kNow, kNow + 300);
    Time first = kNow;
    for (; first <= kNow + 300; ++first) {
      if (t.licenses_at(wish.request, first) && t.place_at(wish.request, first)) break;
    }
    RC_ASSERT(slot.has_value() == (first <= kNow + 300));
    if (!slot) continue;
    RC_ASSERT(slot->start == first);
    t.keep(wish.request, slot->placement, slot->start, false);
  }
}

RC_GTEST_PROP(TimelineProp, GivingBackRestoresEverything, ()) {
  Cluster c;
  fill_randomly(c);
  Timeline t(c.snapshot);
  Wish other(c, t, random_job(c), 0);
  std::optional<Slot> before = t.earliest(other.request, kNow, kNow + 5000);
  Wish wish(c, t, random_job(c), 0);
  if (std::optional<Slot> slot = t.earliest(wish.request, kNow, kNow + 5000)) {
    t.give_back(t.keep(wish.request, slot->placement, slot->start, coin(2)));
  }
  std::optional<Slot> after = t.earliest(other.request, kNow, kNow + 5000);
  RC_ASSERT(before.has_value() == after.has_value());
  if (before) RC_ASSERT(before->start == after->start);
}

}  // namespace
}  // namespace grappe::sched::testing
