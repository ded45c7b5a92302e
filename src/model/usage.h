// What the reports count: how long who had how much of what, to the second.
//
// Spans of time go in with `UsageSpans`, then everything that happened around them, in any order
// but jobs last; out come sums of seconds, each multiplied by the amount of the resource. A span is
// an hour in the books, and may be any other. The rules are Slurm's:
//  - a job uses its allocation from its start to its end, but for when it was suspended;
//  - what a reservation leaves idle is shared out evenly among those who may use it, and for the
//    cluster a reserved resource is an allocated one, or in a reservation for maintenance one that
//    is down as planned; reservations that ignore jobs count for nothing;
//  - planned is what eligible jobs waited for, in CPUs, as far as there was anything left;
//  - of what is more than there was, allocated time counts before down and planned-down time.
// A job whose end is before its start (the clock was set back) has used nothing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grappe {

// Trackable resources by name: "cpu", "mem" (MB), "node", "billing", "gres/gpu", "gres/gpu:a100".
using TresCounts = std::map<std::string, uint64_t>;

// "cpu=8,mem=1000", as the store keeps them.
std::string format_tres_counts(const TresCounts& counts);
TresCounts parse_tres_counts(std::string_view text);

// A node that could not be used; without a name the cluster, and what it has.
struct NodeEvent {
  std::string node;
  int64_t start = 0, end = 0;  // 0: it still is so
  uint32_t state = 0;          // model/node_state.h
  std::string reason;
  uid_t uid = 0;
  std::string user;
  std::string nodes;  // of the cluster
  TresCounts tres;

  bool operator==(const NodeEvent&) const = default;
};

struct ReservationWindow {
  uint32_t id = 0;
  std::string name;
  int64_t start = 0, end = 0;
  uint32_t flags = 0;  // model/reservation_flags.h
  std::string nodes;
  TresCounts tres;
  std::vector<uint32_t> associations;  // who may use it

  bool operator==(const ReservationWindow&) const = default;
};

// What a job had from then on.
struct JobShare {
  uint32_t job_id = 0, restarts = 0;
  int64_t since = 0;
  TresCounts tres;
};

struct UsageJob {
  uint32_t assoc_id = 0;
  std::string user, wckey;
  std::string reservations;                  // as asked for: "a,b"
  int64_t eligible = 0, start = 0, end = 0;  // 0: not yet
  uint64_t waiting = 1;                      // of an array so many tasks wait
  uint64_t asked_cpus = 0;
  TresCounts tres;
  std::vector<JobShare> shares;  // by time; empty: `tres` all the time
};

// Seconds of each resource in a span of time.
struct ClusterUse {
  uint64_t amount = 0;  // the most that there was
  uint64_t allocated = 0, down = 0, planned_down = 0, idle = 0, planned = 0, overcommitted = 0;

  uint64_t reported() const { return allocated + down + planned_down + idle + planned; }
  ClusterUse& operator+=(const ClusterUse& other);
  bool operator==(const ClusterUse&) const = default;
};

struct UsageSums {
  std::map<uint32_t, TresCounts> by_association;
  std::map<std::pair<std::string, std::string>, TresCounts> by_wckey;  // key and user
  std::map<std::string, ClusterUse> cluster;                           // by resource

  UsageSums& operator+=(const UsageSums& other);
  bool operator==(const UsageSums&) const = default;
};

class UsageSpans {
 public:
  // `bounds`: ascending, the end of each span is the start of the next.
  explicit UsageSpans(std::vector<int64_t> bounds);

  void add(const NodeEvent& event);
  void add(const ReservationWindow& window);
  void add(const UsageJob& job);
  // In the order of the spans. Call it once.
  std::vector<UsageSums> finish();

 private:
  struct Capacity {
    uint64_t total = 0;  // seconds
    ClusterUse use;
  };
  struct Span {
    UsageSums sums;
    std::map<std::string, Capacity> cluster;
    std::map<size_t, TresCounts> used_of_window;  // by its place in windows_
  };

  // Calls visit(span, seconds) for each span that [start, end) meets.
  template <class Visit>
  void each_span(int64_t start, int64_t end, Visit visit);
  void add_use(const UsageJob& job, int64_t start, int64_t end, const TresCounts& tres);
  void add_cluster_use(const UsageJob& job, int64_t start, int64_t end, const TresCounts& tres);
  void share_out_idle(size_t window);

  std::vector<int64_t> bounds_;
  std::vector<Span> spans_;
  std::vector<ReservationWindow> windows_;  // those that count
};

}  // namespace grappe
