#include "cli/squeue/sort.h"

#include <algorithm>

#include "base/hostlist.h"
#include "base/text.h"
#include "model/job_state.h"

namespace grappe {
namespace {

template <class T>
int compare(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int text(std::string_view a, std::string_view b) {
  return a.compare(b);
}

// The first node decides.
std::string first_node(const std::string& nodes) {
  size_t end = nodes.find_first_of("[,");
  if (end == std::string::npos || nodes[end] == ',') return nodes.substr(0, end);
  auto names = expand_hostlist(nodes);
  return names && !names->empty() ? names->front() : nodes;
}

int node_list(const std::string& a, const std::string& b) {
  std::string first = first_node(a);
  std::string second = first_node(b);
  return hostname_less(first, second) ? -1 : hostname_less(second, first) ? 1 : 0;
}

// A key: how two lines compare, and which lines have no value. Those go last, and each pass
// turns their order round.
template <class Row>
struct SortKey {
  char letter;
  int (*order)(const Row& a, const Row& b, const SortContext& context);
  bool (*missing)(const Row& row) = nullptr;
  bool missing_first_when_reversed = false;
  // For a key that is one number: sorted by a copy, without going back to the jobs each time.
  uint64_t (*number)(const Row& row) = nullptr;
};

using Ctx = SortContext;
using JobKey = SortKey<JobRow>;
using StepKey = SortKey<StepRow>;

int by_id(const JobRow& a, const JobRow& b, const Ctx&) {
  auto array = [](const JobRow& r) {
    return r.job->array_job_id() ? r.job->array_job_id() : r.job->job_id();
  };
  auto task = [](const JobRow& r) -> uint64_t {
    if (r.task) return *r.task;
    return r.job->has_array_task_id() ? r.job->array_task_id() : UINT64_MAX;
  };
  if (int c = compare(array(a), array(b))) return c;
  if (int c = compare(task(a), task(b))) return c;
  return compare(a.job->job_id(), b.job->job_id());
}

int by_priority(const JobRow& a, const JobRow& b, const Ctx& context) {
  if (!context.tiers.empty()) {
    auto tier = [&](const JobRow& r) {
      auto found = context.tiers.find(std::string(r.partition));
      return found == context.tiers.end() ? 0 : found->second;
    };
    if (int c = compare(tier(a), tier(b))) return c;
  }
  return compare(a.job->priority(), b.job->priority());
}

uint64_t priority(const JobRow& row) {
  return row.job->priority();
}

int by_topology(const JobRow& a, const JobRow& b, const Ctx&) {
  const v1::JobSpec& x = a.job->spec();
  const v1::JobSpec& y = b.job->spec();
  if (int c = compare(x.sockets_per_node(), y.sockets_per_node())) return c;
  if (int c = compare(x.cores_per_socket(), y.cores_per_socket())) return c;
  return compare(x.threads_per_core(), y.threads_per_core());
}

int by_start(const JobRow& a, const JobRow& b, const Ctx&) {
  return compare(a.job->start_time(), b.job->start_time());
}
bool has_no_start(const JobRow& row) {
  return row.job->start_time() == 0;
}

#define NUMBER(member)                                \
  [](const JobRow& a, const JobRow& b, const Ctx&) {  \
    return compare(a.job->member(), b.job->member()); \
  }
#define TEXT(member)                                 \
  [](const JobRow& a, const JobRow& b, const Ctx&) { \
    return text(a.job->member(), b.job->member());   \
  }
#define SPEC(member)                                                \
  [](const JobRow& a, const JobRow& b, const Ctx&) {                \
    return compare(a.job->spec().member(), b.job->spec().member()); \
  }

template <std::string_view (*name)(uint32_t)>
int by_state(const JobRow& a, const JobRow& b, const Ctx&) {
  if (a.job->state() == b.job->state()) return 0;
  return text(name(a.job->state()), name(b.job->state()));
}

constexpr JobKey kStartKey{'S', by_start, has_no_start};

constexpr JobKey kJobKeys[] = {
    {'b', TEXT(tres_per_node)},
    {'c', NUMBER(min_cpus_per_node)},
    {'d', NUMBER(tmp_mb)},
    {'e', NUMBER(end_time)},
    {'f', TEXT(features)},
    {'g', TEXT(group)},
    {'h', TEXT(oversubscribe)},
    {'i', by_id},
    {'j', TEXT(name)},
    {'l', NUMBER(time_limit)},
    {'m', [](const JobRow& a, const JobRow& b,
             const Ctx&) { return compare(min_memory_mb(*a.job), min_memory_mb(*b.job)); }},
    {'n', SPEC(required_nodes)},
    {'p', by_priority, nullptr, false, priority},
    {'t', by_state<job_state_code>},
    {'u', TEXT(user)},
    {'v', TEXT(resv_name)},
    {'z', by_topology},
    {'B', TEXT(batch_host)},
    {'C', NUMBER(num_cpus)},
    {'D', NUMBER(num_nodes)},
    {'G', NUMBER(gid)},
    {'H', SPEC(sockets_per_node)},
    {'I', SPEC(cores_per_socket)},
    {'J', SPEC(threads_per_core)},
    {'L',
     [](const JobRow& a, const JobRow& b, const Ctx& c) {
       return compare(seconds_left(*a.job, c.now), seconds_left(*b.job, c.now));
     }},
    {'M',
     [](const JobRow& a, const JobRow& b, const Ctx& c) {
       return compare(seconds_used(*a.job, c.now), seconds_used(*b.job, c.now));
     }},
    {'N',
     [](const JobRow& a, const JobRow& b, const Ctx&) {
       return node_list(a.job->nodes(), b.job->nodes());
     },
     [](const JobRow& r) { return r.job->nodes().empty(); }, true},
    {'O', SPEC(contiguous)},
    {'P',
     [](const JobRow& a, const JobRow& b, const Ctx&) { return text(a.partition, b.partition); }},
    {'Q', by_priority, nullptr, false, priority},
    kStartKey,
    {'T', by_state<job_state_name>},
    {'U', NUMBER(uid)},
    {'V', NUMBER(submit_time)},
};

int step_number(std::string_view id) {
  if (id == "extern" || id == "interactive") return INT32_MAX - 2;
  if (id == "batch") return INT32_MAX - 1;
  return static_cast<int>(parse_uint(id, INT32_MAX - 3).value_or(0));
}

#define STEP_TEXT(member)                              \
  [](const StepRow& a, const StepRow& b, const Ctx&) { \
    return text(a.step->member(), b.step->member());   \
  }
#define STEP_NUMBER(member)                             \
  [](const StepRow& a, const StepRow& b, const Ctx&) {  \
    return compare(a.step->member(), b.step->member()); \
  }

constexpr StepKey kStepKeys[] = {
    {'b', STEP_TEXT(gres)},
    {'i',
     [](const StepRow& a, const StepRow& b, const Ctx&) {
       if (int c = compare(a.step->job_id(), b.step->job_id())) return c;
       return compare(step_number(a.step->step_id()), step_number(b.step->step_id()));
     }},
    {'j', STEP_TEXT(name)},
    {'l', STEP_NUMBER(time_limit)},
    {'u', STEP_TEXT(user)},
    {'A', STEP_NUMBER(num_tasks)},
    {'M', [](const StepRow& a, const StepRow& b,
             const Ctx&) { return compare(b.step->start_time(), a.step->start_time()); }},
    {'N', [](const StepRow& a, const StepRow& b,
             const Ctx&) { return node_list(a.step->nodes(), b.step->nodes()); }},
    {'P', STEP_TEXT(partition)},
    {'S', STEP_NUMBER(start_time)},
    {'U', STEP_NUMBER(uid)},
};

template <class Row>
void sort_by_number(std::vector<Row>& rows, uint64_t (*number)(const Row&), bool reversed) {
  struct Entry {
    uint64_t key;
    uint32_t index;
  };
  std::vector<Entry> entries;
  entries.reserve(rows.size());
  for (const Row& row : rows) {
    uint64_t key = number(row);
    entries.push_back({reversed ? ~key : key, static_cast<uint32_t>(entries.size())});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  });
  std::vector<Row> sorted;
  sorted.reserve(rows.size());
  for (const Entry& entry : entries) sorted.push_back(rows[entry.index]);
  rows = std::move(sorted);
}

template <class Row>
void sort_by(std::vector<Row>& rows, const SortKey<Row>& key, bool reversed, const Ctx& context) {
  if (key.number && context.tiers.empty()) return sort_by_number(rows, key.number, reversed);
  auto present_end = rows.end();
  auto begin = rows.begin();
  if (key.missing) {
    bool first = reversed && key.missing_first_when_reversed;
    auto split = std::stable_partition(rows.begin(), rows.end(),
                                       [&](const Row& r) { return key.missing(r) == first; });
    if (first) {
      begin = split;
    } else {
      std::reverse(split, rows.end());
      present_end = split;
    }
  }
  auto less = [&](const Row& a, const Row& b) {
    int c = key.order(a, b, context);
    return reversed ? c > 0 : c < 0;
  };
  // Most queues are in one partition and mostly in one state: then there is nothing to move.
  if (!std::is_sorted(begin, present_end, less)) std::stable_sort(begin, present_end, less);
}

template <class Row, size_t N>
const SortKey<Row>* find_key(const SortKey<Row> (&keys)[N], char letter) {
  for (const SortKey<Row>& key : keys) {
    if (key.letter == letter) return &key;
  }
  return nullptr;
}

// Calls visit(letter, reversed) from the last key to the first. "cluster" is a key by its long name
// and orders nothing on one cluster.
template <class Visit>
Status visit_keys(std::string_view keys, Visit&& visit) {
  for (size_t i = keys.size(); i-- > 0;) {
    constexpr std::string_view kCluster = "cluster";
    if (i + 1 >= kCluster.size() &&
        keys.substr(i + 1 - kCluster.size(), kCluster.size()) == kCluster) {
      i -= kCluster.size() - 1;
      continue;
    }
    char c = keys[i];
    if (c == ',' || c == '+' || c == '-' || c == '#') continue;
    bool reversed = i > 0 && keys[i - 1] == '-';
    if (Status done = visit(c, reversed); !done) return done;
  }
  return {};
}

}  // namespace

Status sort_jobs(std::vector<JobRow>& rows, std::string_view keys, const SortContext& context) {
  sort_by(rows, kStartKey, true, context);
  return visit_keys(keys, [&](char letter, bool reversed) -> Status {
    const JobKey* key = find_key(kJobKeys, letter);
    if (!key) return fail(std::string("Invalid sort specification: ") + letter);
    sort_by(rows, *key, reversed, context);
    return {};
  });
}

void sort_steps(std::vector<StepRow>& rows, std::string_view keys, const SortContext& context) {
  (void)visit_keys(keys, [&](char letter, bool reversed) -> Status {
    if (const StepKey* key = find_key(kStepKeys, letter)) sort_by(rows, *key, reversed, context);
    return {};
  });
}

}  // namespace grappe
