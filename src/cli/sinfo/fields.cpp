#include "cli/sinfo/fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/duration.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "model/node_state.h"

namespace grappe {
namespace {

using Out = std::string;
using Row = NodeGroup;
using Ctx = GroupContext;

void text_or(Out& o, std::string_view text, std::string_view if_empty) {
  o += text.empty() ? if_empty : text;
}

void number(Out& o, uint64_t value) {
  fmt::format_int digits(value);
  o.append(digits.data(), digits.size());
}

// The least value of the group, "+" if there are greater ones.
template <class Get>
void least(Out& o, const Row& r, Get get) {
  uint64_t low = 0;
  uint64_t high = 0;
  for (const v1::NodeInfo* node : r.nodes) {
    uint64_t value = get(*node);
    low = node == r.nodes.front() ? value : std::min(low, value);
    high = std::max(high, value);
  }
  number(o, low);
  if (low != high) o += '+';
}

#define LEAST(member)                                                          \
  [](Out& o, const Row& r, const Ctx&) {                                       \
    least(o, r, [](const v1::NodeInfo& n) -> uint64_t { return n.member(); }); \
  }

void sockets_cores_threads(Out& o, const Row& r, const Ctx&) {
  least(o, r, [](const v1::NodeInfo& n) { return n.sockets(); });
  o += ':';
  least(o, r, [](const v1::NodeInfo& n) { return n.cores_per_socket(); });
  o += ':';
  least(o, r, [](const v1::NodeInfo& n) { return n.threads_per_core(); });
}

void load(Out& o, const Row& r, const Ctx&) {
  uint32_t low = r.empty() ? 0 : r.first().cpu_load_hundredths();
  uint32_t high = low;
  for (const v1::NodeInfo* node : r.nodes) {
    low = std::min(low, node->cpu_load_hundredths());
    high = std::max(high, node->cpu_load_hundredths());
  }
  if (low == kNoValue) {
    o += "N/A";
    return;
  }
  fmt::format_to(std::back_inserter(o), "{:.2f}", low / 100.0);
  if (high != low) fmt::format_to(std::back_inserter(o), "-{:.2f}", high / 100.0);
}

void free_memory(Out& o, const Row& r, const Ctx&) {
  uint64_t low = r.empty() ? 0 : r.first().free_memory_mb();
  uint64_t high = low;
  for (const v1::NodeInfo* node : r.nodes) {
    low = std::min(low, node->free_memory_mb());
    high = std::max(high, node->free_memory_mb());
  }
  number(o, low);
  if (high != low) {
    o += '-';
    number(o, high);
  }
}

void nodes_by_state(Out& o, const Row& r, const Ctx&) {
  Counts c = count_nodes(r);
  fmt::format_to(std::back_inserter(o), "{}/{}/{}/{}", c.allocated, c.idle, c.other, c.total);
}
void nodes_in_use(Out& o, const Row& r, const Ctx&) {
  Counts c = count_nodes(r);
  fmt::format_to(std::back_inserter(o), "{}/{}", c.allocated, c.idle);
}
void cpus_by_state(Out& o, const Row& r, const Ctx&) {
  Counts c = count_cpus(r);
  fmt::format_to(std::back_inserter(o), "{}/{}/{}/{}", c.allocated, c.idle, c.other, c.total);
}

// Host names and addresses: each once, though many nodes may share one.
template <class Get>
void unique_hosts(Out& o, const Row& r, Get get) {
  std::vector<std::string> names;
  for (const v1::NodeInfo* node : r.nodes) names.push_back(get(*node));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  o += fold_sorted_hostlist(std::move(names));
}

void state_compact(Out& o, const Row& r, const Ctx&) {
  o += r.empty() ? "n/a" : node_state_word(r.first().state(), false);
}
void state_long(Out& o, const Row& r, const Ctx&) {
  o += r.empty() ? "n/a" : node_state_word(r.first().state(), true);
}
void state_complete(Out& o, const Row& r, const Ctx&) {
  o += r.empty() ? "n/a" : to_lower(node_state_flags(shown_state(r.first())));
}

void reason(Out& o, const Row& r, const Ctx&) {
  text_or(o, r.empty() ? "" : r.first().reason(), "none");
}

std::string reason_user(const v1::NodeInfo& node) {
  return node.reason_user().empty() ? std::to_string(node.reason_uid()) : node.reason_user();
}
// A line without nodes has the user 0, as in Slurm.
void user(Out& o, const Row& r, const Ctx&) {
  if (r.empty()) {
    o += "root";
  } else {
    o += r.first().reason_time() ? reason_user(r.first()) : "Unknown";
  }
}
void user_long(Out& o, const Row& r, const Ctx&) {
  if (r.empty()) {
    o += "root(0)";
  } else if (!r.first().reason_time()) {
    o += "Unknown";
  } else {
    o += fmt::format("{}({})", reason_user(r.first()), r.first().reason_uid());
  }
}
void reason_time(Out& o, const Row& r, const Ctx& c) {
  if (r.empty() || !r.first().reason_time()) {
    o += "Unknown";
  } else {
    c.times.append(o, r.first().reason_time());
  }
}

void partition_time(Out& o, uint32_t minutes) {
  if (minutes == kInfinite) {
    o += "infinite";
  } else if (minutes == kNoValue) {
    o += "n/a";
  } else {
    o += format_minutes_short(minutes);
  }
}

void job_size(Out& o, const Row& r, const Ctx&) {
  uint32_t low = std::max(r.partition->min_nodes(), 1u);
  uint32_t high = r.partition->max_nodes();
  number(o, low);
  if (high == kInfinite) {
    o += "-infinite";
  } else if (high != low) {
    o += '-';
    number(o, high);
  }
}

// "ALL" is the default of a list, and has its own word.
void all_or(Out& o, std::string_view text) {
  o += text.empty() || iequals(text, "ALL") ? "all" : text;
}

void max_cpus(Out& o, const Row& r, const Ctx&) {
  uint32_t most = r.partition->max_cpus_per_node();
  if (most == 0 || most == kInfinite || most == kNoValue) {
    o += "UNLIMITED";
  } else {
    number(o, most);
  }
}

// Cut, the name of the default partition keeps its mark.
void partition_cut(Out& o, const Row& r, const Ctx&, unsigned width) {
  std::string name = marked_name(*r.partition);
  if (name.size() > width && name.back() == '*') {
    name.resize(width - 1);
    name += '*';
  }
  o += name;
}

#define FIRST_OR(member, if_empty)                             \
  [](Out& o, const Row& r, const Ctx&) {                       \
    text_or(o, r.empty() ? "" : r.first().member(), if_empty); \
  }
#define FIRST_NUMBER(member) \
  [](Out& o, const Row& r, const Ctx&) { number(o, r.empty() ? 0 : r.first().member()); }
#define PARTITION_NUMBER(member) \
  [](Out& o, const Row& r, const Ctx&) { number(o, r.partition->member()); }

// Empty where a node has none of those that it could have.
void active_features(Out& o, const Row& r, const Ctx&) {
  const bool none = !r.empty() && !r.first().features().empty();
  text_or(o, r.empty() ? "" : r.first().active_features(), none ? "" : "(null)");
}

constexpr NodeField kFields[] = {
    {'a', "available", "AVAIL",
     [](Out& o, const Row& r, const Ctx&) { o += to_lower(r.partition->state()); },
     match::kAvailable},
    {'b', "features_act", "ACTIVE_FEATURES", active_features, match::kActiveFeatures},
    {'c', "cpus", "CPUS", LEAST(cpus), match::kCpus},
    {'d', "disk", "TMP_DISK", LEAST(tmp_mb), match::kDisk},
    {'e', "freemem", "FREE_MEM", free_memory, match::kLoad},
    {'f', "features", "AVAIL_FEATURES", FIRST_OR(features, "(null)"), match::kFeatures},
    {'g', "groups", "GROUPS",
     [](Out& o, const Row& r, const Ctx&) { all_or(o, r.partition->allow_groups()); },
     match::kGroups},
    {'h', "oversubscribe", "OVERSUBSCRIBE",
     [](Out& o, const Row& r, const Ctx&) { text_or(o, r.partition->oversubscribe(), "NO"); },
     match::kOversubscribe},
    {0, "share", "OVERSUBSCRIBE",
     [](Out& o, const Row& r, const Ctx&) { text_or(o, r.partition->oversubscribe(), "NO"); },
     match::kOversubscribe},
    {'l', "time", "TIMELIMIT",
     [](Out& o, const Row& r, const Ctx&) { partition_time(o, r.partition->max_time()); },
     match::kMaxTime},
    {'m', "memory", "MEMORY", LEAST(memory_mb), match::kMemory},
    {'n', "nodehost", "HOSTNAMES",
     [](Out& o, const Row& r, const Ctx&) {
       unique_hosts(o, r, [](const v1::NodeInfo& n) { return n.hostname(); });
     },
     match::kHostName},
    {'o', "nodeaddr", "NODE_ADDR",
     [](Out& o, const Row& r, const Ctx&) {
       unique_hosts(o, r, [](const v1::NodeInfo& n) { return n.address(); });
     },
     match::kAddress},
    {'p', "prioritytier", "PRIO_TIER", PARTITION_NUMBER(priority_tier), match::kTier},
    {'r', "root", "ROOT",
     [](Out& o, const Row& r, const Ctx&) { o += r.partition->root_only() ? "yes" : "no"; },
     match::kRoot},
    {'s', "size", "JOB_SIZE", job_size, match::kJobSize},
    {'t', "statecompact", "STATE", state_compact, match::kState},
    {'u', "user", "USER", user, match::kReason},
    {'v', "version", "VERSION", FIRST_OR(version, "N/A"), match::kVersion},
    {'w', "weight", "WEIGHT", LEAST(weight), match::kWeight},
    {'z', "socketcorethread", "S:C:T", sockets_cores_threads, match::kTopology},
    {'A', "nodeai", "NODES(A/I)", nodes_in_use},
    {'B', "maxcpuspernode", "MAX_CPUS_PER_NODE", max_cpus, match::kMaxCpus},
    {'C', "cpusstate", "CPUS(A/I/O/T)", cpus_by_state},
    {'D', "nodes", "NODES", [](Out& o, const Row& r, const Ctx&) { number(o, r.nodes.size()); }},
    {'E', "reason", "REASON", reason, match::kReason},
    {'F', "nodeaiot", "NODES(A/I/O/T)", nodes_by_state},
    {'G', "gres", "GRES", FIRST_OR(gres, "(null)"), match::kGres},
    {'H', "timestamp", "TIMESTAMP", reason_time, match::kReason},
    {'I', "priorityjobfactor", "PRIO_JOB_FACTOR", PARTITION_NUMBER(priority_job_factor),
     match::kJobFactor},
    {'L', "defaulttime", "DEFAULTTIME",
     [](Out& o, const Row& r, const Ctx&) { partition_time(o, r.partition->default_time()); },
     match::kDefaultTime},
    {'M', "preemptmode", "PREEMPT_MODE",
     [](Out& o, const Row& r, const Ctx&) { text_or(o, r.partition->preempt_mode(), "OFF"); },
     match::kPreemptMode},
    {'N', "nodelist", "NODELIST", [](Out& o, const Row& r, const Ctx&) { o += node_names(r); }},
    {'O', "cpusload", "CPU_LOAD", load, match::kLoad},
    {'P', "partition", "PARTITION",
     [](Out& o, const Row& r, const Ctx&) { o += marked_name(*r.partition); }, match::kPartition,
     partition_cut},
    {'R', "partitionname", "PARTITION",
     [](Out& o, const Row& r, const Ctx&) { o += r.partition->name(); }, match::kPartition},
    {'S', "allocnodes", "ALLOCNODES",
     [](Out& o, const Row& r, const Ctx&) { all_or(o, r.partition->alloc_nodes()); },
     match::kAllocNodes},
    {'T', "statelong", "STATE", state_long, match::kState},
    {'U', "userlong", "USER", user_long, match::kReason},
    {'V', "cluster", "CLUSTER", [](Out& o, const Row&, const Ctx&) { o += "N/A"; }},
    {'X', "sockets", "SOCKETS", LEAST(sockets), match::kTopology},
    {'Y', "cores", "CORES", LEAST(cores_per_socket), match::kTopology},
    {'Z', "threads", "THREADS", LEAST(threads_per_core), match::kTopology},

    {0, "allocmem", "ALLOCMEM", FIRST_NUMBER(alloc_mem_mb), match::kAllocMemory},
    {0, "comment", "COMMENT", FIRST_OR(comment, "(null)"), match::kComment},
    {0, "extra", "EXTRA", FIRST_OR(extra, "(null)"), match::kExtra},
    {0, "gresused", "GRES_USED", FIRST_OR(gres_used, "(null)"), match::kGresUsed},
    {0, "port", "PORT", FIRST_NUMBER(port)},
    {0, "statecomplete", "STATECOMPLETE", state_complete, match::kStateComplete},
};

}  // namespace

std::span<const NodeField> node_fields() {
  return kFields;
}

}  // namespace grappe
