#include "daemon/config/load.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "daemon/config/slices.h"
#include "model/config_parse.h"
#include "model/node_state.h"

namespace grappe {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<std::uint32_t>;
using Strings = std::vector<std::string>;

// 2 sockets of 4 cores of 2 threads, 64 GB.
Hardware box(int gpus = 0) {
  Hardware hardware;
  hardware.cpus = 16;
  hardware.sockets = 2;
  hardware.cores_per_socket = 4;
  hardware.threads_per_core = 2;
  hardware.cpu_ids.clear();
  for (std::uint32_t i = 0; i < 16; ++i) hardware.cpu_ids.push_back(i);
  hardware.memory_mb = 64000;
  hardware.tmp_mb = 1000;
  for (int i = 0; i < gpus; ++i) {
    GpuDevice gpu;
    gpu.index = gpu.minor = i;
    gpu.device_path = "/dev/nvidia" + std::to_string(i);
    gpu.type = "nvidia_a100-sxm4-40gb";
    gpu.cpus =
        i < gpus / 2 ? Numbers{0, 1, 2, 3, 4, 5, 6, 7} : Numbers{8, 9, 10, 11, 12, 13, 14, 15};
    hardware.gpus.push_back(gpu);
  }
  return hardware;
}

Result<LoadedConfig> try_load(const std::string& conf, const Hardware& hardware,
                              const std::string& gres = "") {
  auto parsed = parse_slurm_conf(conf, gres, "");
  if (!parsed) return tl::unexpected(parsed.error());
  return build_cluster(parsed->config, hardware, "Box");
}

LoadedConfig load(const std::string& conf, const Hardware& hardware, const std::string& gres = "") {
  auto loaded = try_load(conf, hardware, gres);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? *loaded : LoadedConfig();
}

std::string error_of(const std::string& conf) {
  auto loaded = try_load(conf, box());
  return loaded ? "no error" : loaded.error().message;
}

TEST(LoadConfig, MakesOneNodeOfTheMachineWithoutFiles) {
  auto loaded = load_config("/nonexistent", box(), "Box");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->warnings.empty());
  ASSERT_EQ(loaded->nodes.size(), 1u);
  const ConfiguredNode& node = loaded->nodes[0];
  EXPECT_EQ(node.name, "Box");
  EXPECT_EQ(node.topology, (NodeTopology{1, 2, 4, 2, 16}));
  EXPECT_EQ(node.memory_mb, 60800u);
  EXPECT_EQ(node.tmp_mb, 1000u);
  EXPECT_EQ(node.state, static_cast<std::uint32_t>(NodeBase::kIdle));
  ASSERT_EQ(node.real_cpus.size(), 16u);
  EXPECT_EQ(node.real_cpus[5], (Numbers{5}));
  EXPECT_EQ(loaded->cluster.service.cluster_name, "box");
  EXPECT_EQ(loaded->cluster.scheduling.memory.default_per_cpu_mb, 3800u);
  EXPECT_TRUE(loaded->cluster.gres_types.empty());
  ASSERT_EQ(loaded->partitions.size(), 1u);
  const PartitionConfig& partition = loaded->partitions[0].config;
  EXPECT_EQ(partition.name, "batch");
  EXPECT_TRUE(partition.is_default);
  EXPECT_EQ(partition.default_time_min, 60u);
  EXPECT_EQ(partition.max_time_min, 7u * 24 * 60);
  EXPECT_EQ(loaded->partitions[0].nodes, (Numbers{0}));
}

TEST(LoadConfig, SharesTheMachineFairlyAmongItsGpus) {
  auto loaded = load_config("", box(4), "Box");
  ASSERT_TRUE(loaded);
  const ConfiguredNode& node = loaded->nodes[0];
  EXPECT_EQ(node.gres_text, "gpu:nvidia_a100-sxm4-40gb:4");
  ASSERT_EQ(node.gres.size(), 1u);
  ASSERT_EQ(node.gres[0].devices.size(), 4u);
  EXPECT_EQ(node.gres[0].devices[3].path, "/dev/nvidia3");
  EXPECT_EQ(node.gres[0].devices[3].index, 3u);
  EXPECT_EQ(node.gres[0].devices[3].cpus, (Numbers{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(node.gres[0].devices[3].environment, (GpuEnvironment{true, false, false, false}));
  EXPECT_EQ(loaded->cluster.gres_types, (Strings{"gpu"}));
  EXPECT_EQ(loaded->cluster.accounting.tres, (Strings{"gres/gpu"}));
  EXPECT_EQ(loaded->cluster.scheduling.memory.default_cpus_per_gpu, 4u);
  EXPECT_EQ(loaded->cluster.scheduling.memory.default_per_gpu_mb, 15200u);
}

TEST(LoadConfig, KeepsPlannedStartsByPoolOnlyWithoutFiles) {
  auto loaded = load_config("/nonexistent", box(), "Box");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->cluster.scheduling.parameters.bf_by_pool);
  EXPECT_EQ(loaded->cluster.scheduling.parameters.text, "bf_by_pool");

  std::string pattern = fs::temp_directory_path() / "load_test.XXXXXX";
  const fs::path folder = mkdtemp(pattern.data());
  std::ofstream(folder / "slurm.conf") << "ClusterName=lab\n";
  loaded = load_config(folder, box(), "Box");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_FALSE(loaded->cluster.scheduling.parameters.bf_by_pool);
  fs::remove_all(folder);
}

TEST(LoadConfig, ReadsTheFilesOfAFolder) {
  std::string pattern = fs::temp_directory_path() / "load_test.XXXXXX";
  const fs::path folder = mkdtemp(pattern.data());
  std::ofstream(folder / "slurm.conf") << "ClusterName=lab\nInclude nodes.conf\nFoo=1\n";
  std::ofstream(folder / "nodes.conf") << "NodeName=a CPUs=2 RealMemory=100\n";
  std::ofstream(folder / "cgroup.conf") << "ConstrainDevices=no\n";
  auto loaded = load_config(folder, box(), "Box");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->cluster.service.cluster_name, "lab");
  EXPECT_FALSE(loaded->cluster.cgroup.constrain_devices);
  EXPECT_EQ(loaded->nodes.at(0).name, "a");
  EXPECT_EQ(loaded->warnings, (Strings{"slurm.conf:3: unknown key Foo"}));

  std::ofstream(folder / "slurm.conf") << "Include gone.conf\n";
  auto broken = load_config(folder, box(), "Box");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message, "slurm.conf:1: Include " + (folder / "gone.conf").string() +
                                        ": No such file or directory");
  fs::remove_all(folder);
}

TEST(LoadConfig, CutsTheMachineIntoConsecutiveSlices) {
  auto loaded = load(
      "NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=20000\n"
      "PartitionName=p Nodes=ALL Default=YES",
      box());
  ASSERT_EQ(loaded.nodes.size(), 2u);
  EXPECT_EQ(loaded.nodes[1].name, "n2");
  EXPECT_EQ(loaded.nodes[1].real_cpus.front(), (Numbers{8}));
  EXPECT_EQ(loaded.nodes[1].real_cpus.back(), (Numbers{15}));
  EXPECT_TRUE(loaded.nodes[1].reason.empty());
  EXPECT_TRUE(loaded.warnings.empty());
}

TEST(LoadConfig, GivesAllThreadsOfACoreWhereANodeCountsCores) {
  auto loaded = load("NodeName=n Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 CPUs=4", box());
  ASSERT_EQ(loaded.nodes[0].real_cpus.size(), 4u);
  EXPECT_EQ(loaded.nodes[0].real_cpus[1], (Numbers{2, 3}));
}

TEST(LoadConfig, TakesTheMachineForWhatTheOnlyNodeDoesNotSay) {
  auto loaded = load("NodeName=n Features=fast", box());
  EXPECT_EQ(loaded.nodes[0].topology.cpus, 16u);
  EXPECT_EQ(loaded.nodes[0].memory_mb, 60800u);
  EXPECT_EQ(loaded.partitions[0].config.name, "batch");
}

TEST(LoadConfig, DrainsNodesThatWantMoreThanThereIs) {
  auto loaded = load(
      "NodeName=n1 CPUs=16 RealMemory=60000\n"
      "NodeName=n2 CPUs=2 RealMemory=5000\n"
      "NodeName=n3 CPUs=1 RealMemory=1 TmpDisk=5000",
      box());
  const std::uint32_t invalid =
      static_cast<std::uint32_t>(NodeBase::kUnknown) | kNodeDrain | kNodeInvalid;
  EXPECT_TRUE(loaded.nodes[0].reason.empty());
  EXPECT_EQ(loaded.nodes[1].state, invalid);
  EXPECT_EQ(loaded.nodes[1].reason,
            "Low socket*core*thread count, Low CPUs, Low RealMemory (reported:4000 < 100.00% of "
            "configured:5000)");
  EXPECT_EQ(loaded.nodes[2].reason, "Low socket*core*thread count, Low CPUs, Low TmpDisk");
}

TEST(LoadConfig, PretendsHardwareWithConfigOverrides) {
  auto loaded = load(
      "SlurmdParameters=config_overrides\nGresTypes=gpu\n"
      "NodeName=n[1-4] CPUs=64 RealMemory=512000 Gres=gpu:a100:4",
      box());
  ASSERT_EQ(loaded.nodes.size(), 4u);
  const ConfiguredNode& node = loaded.nodes[3];
  EXPECT_EQ(node.topology.cpus, 64u);
  EXPECT_EQ(node.memory_mb, 512000u);
  EXPECT_TRUE(node.real_cpus.empty());
  EXPECT_TRUE(node.reason.empty());
  ASSERT_EQ(node.gres.at(0).devices.size(), 4u);
  EXPECT_EQ(node.gres[0].devices[2].index, 2u);
  EXPECT_EQ(node.gres[0].devices[2].path, "");
  EXPECT_EQ(node.gres[0].devices[2].type, "a100");
}

TEST(LoadConfig, PinsNobodyWhenOnePretendedNodeDoesNotFit) {
  auto loaded =
      load("SlurmdParameters=config_overrides\nNodeName=a CPUs=2\nNodeName=b CPUs=64", box());
  EXPECT_TRUE(loaded.nodes[0].real_cpus.empty());
  auto fits =
      load("SlurmdParameters=config_overrides\nNodeName=a CPUs=2\nNodeName=b CPUs=14", box());
  EXPECT_EQ(fits.nodes[0].real_cpus.size(), 2u);
}

TEST(LoadConfig, DealsDetectedGpusToTheSlices) {
  auto loaded = load(
      "GresTypes=gpu\n"
      "NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:a100:2",
      box(4));
  EXPECT_EQ(loaded.nodes[0].gres[0].devices[1].path, "/dev/nvidia1");
  const NodeDevice& device = loaded.nodes[1].gres[0].devices[0];
  EXPECT_EQ(device.path, "/dev/nvidia2");
  EXPECT_EQ(device.index, 0u);
  EXPECT_EQ(device.machine_index, 2);
  EXPECT_EQ(device.type, "a100");
  EXPECT_EQ(device.cpus, (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(LoadConfig, CountsLinksWithinTheNode) {
  Hardware hardware = box(4);
  for (int i = 0; i < 4; ++i)
    hardware.gpus[i].links = {i == 0 ? -1 : 1, i == 1 ? -1 : 2, i == 2 ? -1 : 3, i == 3 ? -1 : 4};
  auto loaded = load("GresTypes=gpu\nNodeName=n[1-2] CPUs=2 Gres=gpu:2", hardware);
  EXPECT_EQ(loaded.nodes[1].gres[0].devices[0].links, (std::vector<int>{-1, 4}));
  EXPECT_EQ(loaded.nodes[1].gres[0].devices[1].links, (std::vector<int>{3, -1}));
}

TEST(LoadConfig, DrainsNodesWithTooFewGpus) {
  auto loaded = load("GresTypes=gpu\nNodeName=n CPUs=2 Gres=gpu:4", box(3));
  EXPECT_EQ(loaded.nodes[0].reason, "gres/gpu count reported lower than configured (3 < 4)");
  auto off = load("GresTypes=gpu\nNodeName=n CPUs=2 Gres=gpu:1", box(3), "AutoDetect=off");
  EXPECT_EQ(off.nodes[0].reason, "gres/gpu count reported lower than configured (0 < 1)");
  auto type = load("GresTypes=gpu\nNodeName=n CPUs=2 Gres=gpu:v100:1", box(3));
  EXPECT_EQ(type.nodes[0].reason, "gres/gpu count reported lower than configured (0 < 1)");
}

TEST(LoadConfig, UsesTheFilesOfGresConf) {
  auto loaded = load("GresTypes=gpu\nNodeName=n Gres=gpu:x:1,gpu:y:1", box(),
                     "NodeName=n Name=gpu Type=x File=/dev/null Cores=0-1 Flags=nvidia_gpu_env\n"
                     "NodeName=n Name=gpu Type=y File=/dev/zero\n"
                     "NodeName=m Name=gpu Type=z File=/dev/full\n");
  const ConfiguredNode& node = loaded.nodes[0];
  ASSERT_EQ(node.gres.size(), 2u);
  EXPECT_EQ(node.gres[0].devices.at(0).path, "/dev/null");
  EXPECT_EQ(node.gres[0].devices[0].cpus, (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(node.gres[0].devices[0].environment, (GpuEnvironment{true, false, false, false}));
  EXPECT_EQ(node.gres[1].devices.at(0).path, "/dev/zero");
  EXPECT_EQ(node.gres[1].devices[0].index, 1u);
  EXPECT_EQ(node.gres[1].devices[0].environment, GpuEnvironment());
  EXPECT_TRUE(node.reason.empty());
}

TEST(LoadConfig, MissesFilesOfGresConfThatDoNotExist) {
  const std::string gres = "Name=gpu File=/nonexistent/gpu[0-1]\n";
  auto loaded = load("GresTypes=gpu\nNodeName=n Gres=gpu:2", box(), gres);
  EXPECT_EQ(loaded.nodes[0].reason, "gres/gpu count reported lower than configured (0 < 2)");
  auto pretended =
      load("SlurmdParameters=config_overrides\nGresTypes=gpu\nNodeName=n Gres=gpu:2", box(), gres);
  EXPECT_TRUE(pretended.nodes[0].reason.empty());
  EXPECT_EQ(pretended.nodes[0].gres[0].devices.at(1).path, "");
}

TEST(LoadConfig, CountsOtherResourcesWithoutDevices) {
  auto loaded = load("GresTypes=bandwidth\nNodeName=n Gres=bandwidth:lustre:no_consume:4G", box());
  const NodeGres& gres = loaded.nodes[0].gres.at(0);
  EXPECT_EQ(gres.name, "bandwidth");
  EXPECT_EQ(gres.type, "lustre");
  EXPECT_EQ(gres.count, 4ull << 30);
  EXPECT_TRUE(gres.no_consume);
  EXPECT_TRUE(gres.devices.empty());
}

TEST(LoadConfig, AddsForgottenGresTypes) {
  auto loaded = load("NodeName=n Gres=gpu:1\nPartitionName=p Nodes=n Default=YES", box(1));
  EXPECT_EQ(loaded.cluster.gres_types, (Strings{"gpu"}));
  EXPECT_EQ(loaded.warnings, (Strings{"GresTypes lacks gpu, which node n has: added"}));
}

TEST(LoadConfig, KeepsSpecializedCoresFromJobs) {
  auto last = load("NodeName=n Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CoreSpecCount=3", box());
  EXPECT_EQ(last.nodes[0].spec_cpus, (Numbers{6, 7, 12, 13, 14, 15}));
  auto list = load("NodeName=n Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CpuSpecList=3", box());
  EXPECT_EQ(list.nodes[0].spec_cpus, (Numbers{2, 3}));
  EXPECT_EQ(error_of("NodeName=n CPUs=2 CoreSpecCount=2"),
            "slurm.conf:1: NodeName=n: no core is left for jobs");
}

TEST(LoadConfig, SetsTheStateThatTheFileSays) {
  auto loaded = load(
      "NodeName=a CPUs=1 State=DRAIN Reason=\"my reason\"\nNodeName=b CPUs=1\nNodeName=c CPUs=1 "
      "State=FUTURE\nDownNodes=b Reason=power",
      box());
  EXPECT_EQ(loaded.nodes[0].state, static_cast<std::uint32_t>(NodeBase::kIdle) | kNodeDrain);
  EXPECT_EQ(loaded.nodes[0].reason, "my reason");
  EXPECT_EQ(loaded.nodes[1].state, static_cast<std::uint32_t>(NodeBase::kDown));
  EXPECT_EQ(loaded.nodes[1].reason, "power");
  EXPECT_EQ(loaded.nodes[2].state, static_cast<std::uint32_t>(NodeBase::kFuture));
}

TEST(LoadConfig, SpreadsHostsAddressesAndPorts) {
  auto loaded =
      load("NodeName=n[1-2] NodeHostname=vm NodeAddr=10.0.0.[5-6] Port=[7001-7002] CPUs=1", box());
  EXPECT_EQ(loaded.nodes[1].hostname, "vm");
  EXPECT_EQ(loaded.nodes[1].address, "10.0.0.6");
  EXPECT_EQ(loaded.nodes[1].port, "7002");
  auto plain = load("NodeName=n[1-2] CPUs=1", box());
  EXPECT_EQ(plain.nodes[1].hostname, "n2");
  EXPECT_EQ(plain.nodes[1].address, "n2");
}

TEST(LoadConfig, ResolvesThePartitionsNodes) {
  auto loaded = load(
      "NodeName=n[1-3] CPUs=1\nNodeName=big CPUs=1 Features=fast\n"
      "NodeSet=quick Feature=fast Nodes=n1\n"
      "PartitionName=all Nodes=ALL Default=YES\n"
      "PartitionName=some Nodes=n[2-3]\n"
      "PartitionName=set Nodes=quick,n3\n"
      "PartitionName=none Nodes=",
      box());
  ASSERT_EQ(loaded.partitions.size(), 4u);
  EXPECT_EQ(loaded.partitions[0].nodes, (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(loaded.partitions[1].nodes, (Numbers{1, 2}));
  EXPECT_EQ(loaded.partitions[2].nodes, (Numbers{0, 2, 3}));
  EXPECT_EQ(loaded.partitions[2].node_sets, (Strings{"quick"}));
  EXPECT_TRUE(loaded.partitions[3].nodes.empty());
}

TEST(LoadConfig, NamesWhatIsWrongWithNodesAndPartitions) {
  EXPECT_EQ(error_of("NodeName=n[1-65] CPUs=1"),
            "slurm.conf:1: one machine can be cut into at most 64 nodes");
  EXPECT_EQ(error_of("NodeName=a CPUs=1\nNodeName=a CPUs=1"),
            "slurm.conf:2: Duplicated NodeName a in the config file");
  EXPECT_EQ(error_of("NodeName=a\nPartitionName=p Nodes=b"),
            "slurm.conf:2: invalid node name b in partition p");
  EXPECT_EQ(error_of("NodeName=n[1-3] NodeAddr=x[1-2]"),
            "slurm.conf:1: x[1-2] names 2 hosts for 3 nodes");
  EXPECT_EQ(error_of("NodeName=a\nDownNodes=b"), "DownNodes=b: no node is called b");
  EXPECT_EQ(error_of("NodeName=a Gres=gpu:x:y:z"), "slurm.conf:1: Invalid Gres=gpu:x:y:z");
}

TEST(LoadConfig, WarnsWhenNoPartitionIsTheDefault) {
  auto loaded = load("NodeName=a\nPartitionName=p Nodes=a", box());
  EXPECT_EQ(loaded.warnings, (Strings{"default partition not set."}));
}

TEST(LoadConfig, LeavesMemoryToTheSystem) {
  EXPECT_EQ(usable_memory_mb(0), 1u);
  EXPECT_EQ(usable_memory_mb(400), 200u);
  EXPECT_EQ(usable_memory_mb(4096), 3840u);
  EXPECT_EQ(usable_memory_mb(64000), 60800u);
  EXPECT_EQ(usable_memory_mb(1024 * 1024), 1024u * 1024 - 8192);
}

}  // namespace
}  // namespace grappe
