#include "cli/sinfo/sinfo.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <set>

#include "base/duration.h"
#include "cli/sinfo/fields.h"
#include "cli/sinfo/node_json.h"
#include "model/node_state.h"

namespace grappe {
namespace {

// Four nodes of eight CPUs and four GPUs in the partitions batch and c-iq, as they stood in a Slurm
// 22.05.8 cluster. Expected texts follow what its sinfo printed; where the recorded cluster was in
// another state at that moment (c-iq without nodes, other loads), lines were put together from
// several recordings.
constexpr int64_t kDrained = 1794772453;  // 2026-11-15T19:54:13 UTC

struct Cluster {
  v1::NodesResponse nodes;
  v1::PartitionsResponse partitions;

  v1::NodeInfo& node(int number) { return *nodes.mutable_nodes(number - 1); }
  v1::PartitionInfo& add_partition(const std::string& name, const std::string& list) {
    v1::PartitionInfo& p = *partitions.add_partitions();
    p.set_name(name);
    p.set_nodes(list);
    p.set_state("UP");
    p.set_max_time(kInfinite);
    p.set_default_time(kNoValue);
    p.set_max_nodes(kInfinite);
    p.set_max_cpus_per_node(kInfinite);
    p.set_oversubscribe("NO");
    p.set_preempt_mode("OFF");
    p.set_allow_groups("ALL");
    p.set_alloc_nodes("ALL");
    p.set_priority_tier(1);
    p.set_priority_job_factor(1);
    return p;
  }
};

Cluster idle_cluster() {
  Cluster c;
  c.nodes.set_now(kDrained + 2);
  for (int i = 1; i <= 4; ++i) {
    v1::NodeInfo& n = *c.nodes.add_nodes();
    n.set_name("node" + std::to_string(i));
    n.set_hostname("vm");
    n.set_address("127.0.0.1");
    n.set_cpus(8);
    n.set_sockets(1);
    n.set_cores_per_socket(8);
    n.set_threads_per_core(1);
    n.set_memory_mb(32000);
    n.set_free_memory_mb(23372);
    n.set_weight(1);
    n.set_gres("gpu:4");
    n.set_gres_used("gpu:0");
    n.set_state(static_cast<uint32_t>(NodeBase::kIdle));
    n.set_cpu_load_hundredths(24);
    n.set_version("22.05.8");
    n.set_port(static_cast<uint32_t>(26810 + i));
  }
  v1::PartitionInfo& batch = c.add_partition("batch", "node[1-4]");
  batch.set_is_default(true);
  batch.set_max_time(7 * 1440);
  batch.set_default_time(60);
  v1::PartitionInfo& ciq = c.add_partition("c-iq", "node4");
  ciq.set_max_time(1440);
  ciq.set_priority_tier(2);
  return c;
}

void set_busy(v1::NodeInfo& node, NodeBase base, uint32_t cpus) {
  node.set_state(static_cast<uint32_t>(base));
  node.set_alloc_cpus(cpus);
}

// node1 allocated, node2 mixed, node3 drained.
Cluster mixed_cluster() {
  Cluster c = idle_cluster();
  set_busy(c.node(1), NodeBase::kAllocated, 8);
  set_busy(c.node(2), NodeBase::kMixed, 3);
  c.node(3).set_state(static_cast<uint32_t>(NodeBase::kIdle) | kNodeDrain);
  c.node(3).set_reason("fan broken; please do not use");
  c.node(3).set_reason_user("root");
  c.node(3).set_reason_time(kDrained);
  return c;
}

SinfoOptions options_of(std::vector<std::string> words) {
  words.insert(words.begin(), "sinfo");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  SinfoOptions options;
  auto exit = read_sinfo_options(static_cast<int>(words.size()), argv.data(), options);
  EXPECT_FALSE(exit.has_value());
  return options;
}

template <class Print>
std::string captured(Print&& print) {
  setenv("TZ", "UTC", 1);
  tzset();
  FILE* file = std::tmpfile();
  {
    Output output(fileno(file));
    print(output);
  }
  std::string text(static_cast<size_t>(lseek(fileno(file), 0, SEEK_END)), '\0');
  EXPECT_EQ(pread(fileno(file), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  std::fclose(file);
  return text;
}

std::string sinfo(const Cluster& cluster, std::vector<std::string> words) {
  SinfoOptions options = options_of(std::move(words));
  return captured(
      [&](Output& output) { print_nodes(cluster.nodes, cluster.partitions, options, output); });
}

TEST(Sinfo, PrintsTheDefaultTable) {
  EXPECT_EQ(sinfo(idle_cluster(), {}),
            "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
            "batch*       up 7-00:00:00      4   idle node[1-4]\n"
            "c-iq         up 1-00:00:00      1   idle node4\n");
}

TEST(Sinfo, OrdersStatesDownwards) {
  EXPECT_EQ(sinfo(mixed_cluster(), {}),
            "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
            "batch*       up 7-00:00:00      1  drain node3\n"
            "batch*       up 7-00:00:00      1    mix node2\n"
            "batch*       up 7-00:00:00      1  alloc node1\n"
            "batch*       up 7-00:00:00      1   idle node4\n"
            "c-iq         up 1-00:00:00      1   idle node4\n");
}

TEST(Sinfo, PrintsALineForEachNode) {
  EXPECT_EQ(sinfo(mixed_cluster(), {"-N"}),
            "NODELIST   NODES PARTITION STATE \n"
            "node1          1    batch* alloc \n"
            "node2          1    batch* mix   \n"
            "node3          1    batch* drain \n"
            "node4          1    batch* idle  \n"
            "node4          1      c-iq idle  \n");
}

TEST(Sinfo, PrintsTheLongTables) {
  EXPECT_EQ(sinfo(idle_cluster(), {"-l"}),
            "PARTITION AVAIL  TIMELIMIT   JOB_SIZE ROOT OVERSUBS     GROUPS  NODES       STATE "
            "NODELIST\n"
            "batch*       up 7-00:00:00 1-infinite   no       NO        all      4        idle "
            "node[1-4]\n"
            "c-iq         up 1-00:00:00 1-infinite   no       NO        all      1        idle "
            "node4\n");
  EXPECT_EQ(sinfo(mixed_cluster(), {"-N", "-l", "-p", "batch"}),
            "NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE "
            "REASON              \n"
            "node1          1    batch*   allocated 8       1:8:1  32000        0      1   (null) "
            "none                \n"
            "node2          1    batch*       mixed 8       1:8:1  32000        0      1   (null) "
            "none                \n"
            "node3          1    batch*     drained 8       1:8:1  32000        0      1   (null) "
            "fan broken; please d\n"
            "node4          1    batch*        idle 8       1:8:1  32000        0      1   (null) "
            "none                \n");
}

TEST(Sinfo, SummarizesAndListsReasons) {
  EXPECT_EQ(sinfo(mixed_cluster(), {"-s"}),
            "PARTITION AVAIL  TIMELIMIT   NODES(A/I/O/T) NODELIST\n"
            "batch*       up 7-00:00:00          2/1/1/4 node[1-4]\n"
            "c-iq         up 1-00:00:00          0/1/0/1 node4\n");
  EXPECT_EQ(sinfo(mixed_cluster(), {"-R"}),
            "REASON               USER      TIMESTAMP           NODELIST\n"
            "fan broken; please d root      2026-11-15T19:54:13 node3\n");
  EXPECT_EQ(sinfo(mixed_cluster(), {"-Rl"}),
            "REASON               USER         TIMESTAMP           STATE  NODELIST\n"
            "fan broken; please d root(0)      2026-11-15T19:54:13 drain  node3\n");
  EXPECT_EQ(sinfo(idle_cluster(), {"-R", "-h"}), "");
}

TEST(Sinfo, WidensThePartitionColumnOfItsOwnFormats) {
  Cluster c = mixed_cluster();
  c.node(3) = c.node(4);
  c.node(3).set_name("node3");
  v1::PartitionInfo& p = c.add_partition("averylongpartition", "node[1-3]");
  p.set_state("DRAIN");
  p.set_min_nodes(2);
  p.set_max_nodes(3);
  p.set_oversubscribe("FORCE:4");
  p.set_allow_groups("alice,bob");
  p.set_root_only(true);
  p.set_max_cpus_per_node(6);
  p.set_preempt_mode("REQUEUE");
  p.set_alloc_nodes("vm");
  p.set_priority_job_factor(7);
  EXPECT_EQ(sinfo(c, {"-h", "-p", "averylongpartition,batch"}),
            "batch*                up 7-00:00:00      1    mix node2\n"
            "batch*                up 7-00:00:00      1  alloc node1\n"
            "batch*                up 7-00:00:00      2   idle node[3-4]\n"
            "averylongpartition drain   infinite      1    mix node2\n"
            "averylongpartition drain   infinite      1  alloc node1\n"
            "averylongpartition drain   infinite      1   idle node3\n");
  EXPECT_EQ(sinfo(c, {"-N", "-n", "node1"}),
            "NODELIST   NODES          PARTITION STATE \n"
            "node1          1             batch* alloc \n"
            "node1          1 averylongpartition alloc \n");
  EXPECT_EQ(
      sinfo(c, {"-o", "%P|%9P|%20P|%12R|%.10P|%l|%L|%s|%h|%g|%r|%a|%B|%M|%S|%I|%p"}),
      "PARTITION|PARTITION|PARTITION           |PARTITION   | PARTITION|TIMELIMIT|DEFAULTTIME|"
      "JOB_SIZE|OVERSUBSCRIBE|GROUPS|ROOT|AVAIL|MAX_CPUS_PER_NODE|PREEMPT_MODE|ALLOCNODES|"
      "PRIO_JOB_FACTOR|PRIO_TIER\n"
      "batch*|batch*   |batch*              |batch       |    batch*|7-00:00:00|1:00:00|"
      "1-infinite|NO|all|no|up|UNLIMITED|OFF|all|1|1\n"
      "c-iq|c-iq     |c-iq                |c-iq        |      c-iq|1-00:00:00|n/a|1-infinite|"
      "NO|all|no|up|UNLIMITED|OFF|all|1|2\n"
      "averylongpartition|averylong|averylongpartition  |averylongpar|averylongp|infinite|n/a|"
      "2-3|FORCE:4|alice,bob|yes|drain|6|REQUEUE|vm|7|1\n");
}

TEST(Sinfo, KeepsTheMarkOfACutDefaultPartition) {
  EXPECT_EQ(sinfo(idle_cluster(), {"-O", "nodelist:.,statelong:.0|x,partition:5"}),
            "NODELISTSTATE|xPARTI\n"
            "node[1-4]idle|xbatc*\n"
            "node4idle|xc-iq \n");
}

TEST(Sinfo, GroupsByWhatItShows) {
  Cluster c = mixed_cluster();
  EXPECT_EQ(sinfo(c, {"-h", "-o", "%c %m %N %G"}), "8 32000 node[1-4] gpu:4\n");
  EXPECT_EQ(sinfo(c, {"-h", "-o", "%P %C %F %A"}),
            "batch* 11/13/8/32 2/1/1/4 2/1\nc-iq 0/8/0/8 0/1/0/1 0/1\n");
  c.node(2).set_weight(5);
  EXPECT_EQ(sinfo(c, {"-h", "-o", "%w"}), "1+\n");
  EXPECT_EQ(sinfo(c, {"-h", "-e", "-o", "%D %w"}), "1 5\n3 1\n");
  c.node(3).set_cpu_load_hundredths(122);
  c.node(3).set_free_memory_mb(22426);
  EXPECT_EQ(sinfo(c, {"-h", "-o", "%O %e %N"}), "0.24-1.22 22426-23372 node[1-4]\n");
  EXPECT_EQ(sinfo(c, {"-h", "-o", "%.5O|%5e|%N"}), "0.24-|22426|node[1-4]\n");
  EXPECT_EQ(sinfo(c, {"-h", "-o", "%n %o"}), "vm 127.0.0.1\n");
}

TEST(Sinfo, CountsADrainingNodeAsAllocated) {
  Cluster c = idle_cluster();
  set_busy(c.node(2), NodeBase::kMixed, 1);
  c.node(2).set_state(c.node(2).state() | kNodeDrain);
  c.node(3).set_state(static_cast<uint32_t>(NodeBase::kDown));
  EXPECT_EQ(sinfo(c, {"-h", "-p", "batch", "-o", "%P %t %F %A %C %N"}),
            "batch* drng 1/0/0/1 1/0 1/0/7/8 node2\n"
            "batch* idle 0/2/0/2 0/2 0/16/0/16 node[1,4]\n"
            "batch* down 0/0/1/1 0/0 0/0/8/8 node3\n");
  EXPECT_EQ(sinfo(c, {"-h", "-p", "batch", "-O", "statecomplete:20,statelong:20,nodelist:0"}),
            "allocated+drain     draining            node2\n"
            "idle                idle                node[1,4]\n"
            "down                down                node3\n");
}

TEST(Sinfo, ShowsAPartitionWithoutNodes) {
  EXPECT_EQ(sinfo(idle_cluster(), {"-p", "c-iq", "-n", "node1"}),
            "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
            "c-iq         up 1-00:00:00      0    n/a \n");
  EXPECT_EQ(
      sinfo(idle_cluster(), {"-p", "c-iq", "-n", "node1", "-h", "-o", "%all"}),
      "up|(null)|0|0|0|(null)|all|NO|1-00:00:00|0|||2|no|1-infinite|n/a|root|N/A|0|0:0:0|0/0 |"
      "UNLIMITED |0/0/0/0 |0 |none |0/0/0/0 |(null) |Unknown |1 |n/a |OFF | |0.00 |c-iq |c-iq |"
      "all |n/a |root(0) |N/A |0 |0 |0 \n");
  EXPECT_EQ(sinfo(idle_cluster(), {"-p", "c-iq", "-n", "node1", "-N", "-h"}), "");
}

TEST(Sinfo, ShowsEveryLetterAsSlurm) {
  std::string shown = sinfo(idle_cluster(), {"-p", "batch", "-o", "%all"});
  EXPECT_EQ(
      shown,
      "AVAIL|ACTIVE_FEATURES|CPUS|TMP_DISK|FREE_MEM|AVAIL_FEATURES|GROUPS|OVERSUBSCRIBE|"
      "TIMELIMIT|MEMORY|HOSTNAMES|NODE_ADDR|PRIO_TIER|ROOT|JOB_SIZE|STATE|USER|VERSION|WEIGHT|"
      "S:C:T|NODES(A/I) |MAX_CPUS_PER_NODE |CPUS(A/I/O/T) |NODES |REASON |NODES(A/I/O/T) |GRES |"
      "TIMESTAMP |PRIO_JOB_FACTOR |DEFAULTTIME |PREEMPT_MODE |NODELIST |CPU_LOAD |PARTITION |"
      "PARTITION |ALLOCNODES |STATE |USER |CLUSTER |SOCKETS |CORES |THREADS \n"
      "up|(null)|8|0|23372|(null)|all|NO|7-00:00:00|32000|vm|127.0.0.1|1|no|1-infinite|idle|"
      "Unknown|22.05.8|1|1:8:1|0/4 |UNLIMITED |0/32/0/32 |4 |none |0/4/0/4 |gpu:4 |Unknown |1 |"
      "1:00:00 |OFF |node[1-4] |0.24 |batch* |batch |all |idle |Unknown |N/A |1 |8 |1 \n");
  EXPECT_EQ(sinfo(idle_cluster(), {"-p", "batch", "-O", "All"}), shown);
}

TEST(Sinfo, ShowsEveryNameAsSlurm) {
  const std::pair<const char*, const char*> cases[] = {
      {"allocmem", "0"},
      {"allocnodes", "all"},
      {"available", "up"},
      {"cluster", "N/A"},
      {"comment", "(null)"},
      {"cores", "8"},
      {"cpus", "8"},
      {"cpusload", "0.24"},
      {"cpusstate", "0/32/0/32"},
      {"defaulttime", "1:00:00"},
      {"disk", "0"},
      {"extra", "(null)"},
      {"features", "(null)"},
      {"features_act", "(null)"},
      {"freemem", "23372"},
      {"gres", "gpu:4"},
      {"gresused", "gpu:0"},
      {"groups", "all"},
      {"maxcpuspernode", "UNLIMITED"},
      {"memory", "32000"},
      {"nodeaddr", "127.0.0.1"},
      {"nodeai", "0/4"},
      {"nodeaiot", "0/4/0/4"},
      {"nodehost", "vm"},
      {"nodelist", "node[1-4]"},
      {"nodes", "4"},
      {"oversubscribe", "NO"},
      {"share", "NO"},
      {"partition", "batch*"},
      {"partitionname", "batch"},
      {"port", "26811"},
      {"preemptmode", "OFF"},
      {"priorityjobfactor", "1"},
      {"prioritytier", "1"},
      {"reason", "none"},
      {"root", "no"},
      {"size", "1-infinite"},
      {"socketcorethread", "1:8:1"},
      {"sockets", "1"},
      {"statecompact", "idle"},
      {"statelong", "idle"},
      {"statecomplete", "idle"},
      {"threads", "1"},
      {"time", "7-00:00:00"},
      {"timestamp", "Unknown"},
      {"user", "Unknown"},
      {"userlong", "Unknown"},
      {"version", "22.05.8"},
      {"weight", "1"},
  };
  for (auto [name, value] : cases) {
    std::string text = sinfo(idle_cluster(), {"-h", "-p", "batch", "-O", std::string(name) + ":0"});
    EXPECT_EQ(text, std::string(value) + "\n") << name;
  }
  EXPECT_EQ(std::size(cases), node_fields().size());
}

TEST(Sinfo, FiltersByState) {
  Cluster c = mixed_cluster();
  auto nodes = [&](const char* states) {
    return sinfo(c, {"-h", "-p", "batch", "-t", states, "-o", "%N"});
  };
  EXPECT_EQ(nodes("idle"), "node[3-4]\n");
  EXPECT_EQ(nodes("al"), "node[1-2]\n");  // mixed nodes are allocated too
  EXPECT_EQ(nodes("MIX"), "node2\n");
  EXPECT_EQ(nodes("drain"), "node3\n");
  EXPECT_EQ(nodes("idle&drain"), "node3\n");
  EXPECT_EQ(nodes("drng"), "");
  EXPECT_EQ(nodes("all"), "node[1-4]\n");
  EXPECT_EQ(nodes("power_down"), "");
  EXPECT_EQ(sinfo(c, {"-h", "-p", "batch", "-t", "drng", "-o", "%R %D"}), "batch 0\n");
  auto bad = NodeStateFilter::parse("idle,bogus");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().notes.at(0), "Bad state string: \"bogus\"");
}

TEST(Sinfo, FiltersByAnswer) {
  Cluster c = idle_cluster();
  c.node(3).set_state(c.node(3).state() | kNodeNoRespond);
  EXPECT_EQ(sinfo(c, {"-d", "-h"}),
            "batch*       up 7-00:00:00      1  idle* node3\n"
            "c-iq         up 1-00:00:00      0    n/a \n");
  EXPECT_EQ(sinfo(c, {"-r", "-h", "-p", "batch", "-o", "%N"}), "node[1-2,4]\n");
}

TEST(Sinfo, Sorts) {
  Cluster c = idle_cluster();
  set_busy(c.node(1), NodeBase::kMixed, 1);
  auto lines = [&](const char* keys) { return sinfo(c, {"-h", "-S", keys, "-o", "%N %D %t %P"}); };
  EXPECT_EQ(lines("T,N"), "node[2-4] 3 idle batch*\nnode4 1 idle c-iq\nnode1 1 mix batch*\n");
  EXPECT_EQ(lines("-N"), "node4 1 idle c-iq\nnode[2-4] 3 idle batch*\nnode1 1 mix batch*\n");
  EXPECT_EQ(lines("#P,t"), "node[2-4] 3 idle batch*\nnode1 1 mix batch*\nnode4 1 idle c-iq\n");
  EXPECT_EQ(lines("-P,-t"), "node4 1 idle c-iq\nnode1 1 mix batch*\nnode[2-4] 3 idle batch*\n");
}

TEST(Sinfo, ListsReservations) {
  v1::ReservationsResponse reservations;
  reservations.set_now(kDrained + 100);
  v1::ReservationInfo& first = *reservations.add_reservations();
  first.set_name("rtest");
  first.set_start_time(kDrained + 1);
  first.set_end_time(kDrained + 601);
  first.set_nodes("node4");
  auto shown = [&](std::vector<std::string> words) {
    SinfoOptions options = options_of(std::move(words));
    return captured([&](Output& o) { print_reservations(reservations, options, o); });
  };
  EXPECT_EQ(shown({"-T"}),
            "RESV_NAME     STATE           START_TIME             END_TIME     DURATION  NODELIST\n"
            "rtest        ACTIVE  2026-11-15T19:54:14  2026-11-15T20:04:14     00:10:00  node4\n");
  first.set_name("averylongreservationname");
  first.set_start_time(kDrained + 3600);
  first.set_end_time(kDrained + 3600 + 365 * 86400);
  EXPECT_EQ(
      shown({"-T", "-h"}),
      "averylongreservationname  INACTIVE  2026-11-15T20:54:13  2027-11-15T20:54:13  365-00:00:00"
      "  node4\n");
  reservations.clear_reservations();
  EXPECT_EQ(shown({"-T"}), "No reservations in the system\n");
}

TEST(Sinfo, WritesJsonAsSlurm) {
  v1::NodesResponse nodes;
  v1::NodeInfo& n = *nodes.add_nodes();
  n = mixed_cluster().node(3);
  n.set_arch("x86_64");
  n.set_boards(1);
  n.set_os("Linux");
  n.set_cfg_tres("cpu=8,mem=32000M,billing=8,gres/gpu=4");
  n.add_partitions("batch");
  std::string out;
  append_nodes_json(out, nodes);
  EXPECT_TRUE(
      out.starts_with("{\n  \"meta\": {\n    \"plugin\": {\n      \"type\": "
                      "\"openapi\\/v0.0.38\",\n"));
  EXPECT_NE(
      out.find("      \"state\": \"idle\",\n      \"state_flags\": [\n        \"DRAIN\"\n      "
               "],\n      \"next_state_after_reboot_flags\": [\n      ],\n"),
      std::string::npos);
  EXPECT_NE(out.find("      \"tres\": \"cpu=8,mem=32000M,billing=8,gres\\/gpu=4\",\n"),
            std::string::npos);
  EXPECT_TRUE(
      out.ends_with("      \"tres_used\": null,\n      \"tres_weighted\": 0.0\n    }\n  ]\n}"));
}

}  // namespace
}  // namespace grappe
