#include "daemon/config/hardware.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>

#include <fstream>

namespace grappe {
namespace {

namespace fs = std::filesystem;

// A root folder with files of /proc and /sys in it.
class Tree {
 public:
  Tree() {
    std::string pattern = fs::temp_directory_path() / "hardware_test.XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~Tree() { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

using Numbers = std::vector<std::uint32_t>;

Hardware synthetic(const std::string& topology) {
  DetectOptions options;
  options.synthetic_topology = topology;
  return detect_hardware(options);
}

TEST(Hardware, CountsSocketsCoresAndThreads) {
  const Hardware hardware = synthetic("pack:2 core:4 pu:2");
  EXPECT_EQ(hardware.cpus, 16u);
  EXPECT_EQ(hardware.sockets, 2u);
  EXPECT_EQ(hardware.cores_per_socket, 4u);
  EXPECT_EQ(hardware.threads_per_core, 2u);
  ASSERT_EQ(hardware.cpu_ids.size(), 16u);
  EXPECT_EQ(hardware.cpu_ids[15], 15u);
}

TEST(Hardware, OrdersCpusBySocketCoreAndThread) {
  // The kernel often numbers the second threads after all first ones.
  const Hardware hardware = synthetic("pack:1 core:2 pu:2(indexes=0,2,1,3)");
  EXPECT_EQ(hardware.cpu_ids, (Numbers{0, 2, 1, 3}));
}

TEST(Hardware, SeesTheCpusOfThisProcess) {
  const Hardware hardware = detect_hardware();
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  EXPECT_EQ(hardware.cpus, static_cast<std::uint32_t>(CPU_COUNT(&allowed)));
  EXPECT_EQ(hardware.cpus, hardware.cpu_ids.size());
  EXPECT_EQ(hardware.cpus,
            hardware.sockets * hardware.cores_per_socket * hardware.threads_per_core);
  EXPECT_GT(hardware.memory_mb, 0u);
  EXPECT_GT(hardware.tmp_mb, 0u);
}

TEST(Hardware, TakesMemoryFromTheKernel) {
  Tree tree;
  tree.write("proc/meminfo", "MemTotal:       24682012 kB\nMemFree: 1 kB\n");
  EXPECT_EQ(detect_hardware({tree.root(), "/tmp", "core:1 pu:1"}).memory_mb, 24103u);
  EXPECT_EQ(cgroup_memory_limit_mb(tree.root()), UINT64_MAX);
}

TEST(Hardware, TakesLessMemoryWhereACgroupConfinesTheService) {
  Tree tree;
  tree.write("proc/meminfo", "MemTotal: 24682012 kB\n");
  tree.write("proc/self/cgroup", "0::/user.slice/grappe\n");
  tree.write("sys/fs/cgroup/user.slice/memory.max", "1073741824\n");
  tree.write("sys/fs/cgroup/user.slice/grappe/memory.max", "max\n");
  EXPECT_EQ(detect_hardware({tree.root(), "/tmp", "core:1 pu:1"}).memory_mb, 1024u);
}

TEST(Hardware, ReadsLimitsOfTheFirstCgroupVersion) {
  Tree tree;
  tree.write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/a/b\n0::/\n");
  tree.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  tree.write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2147483648\n");
  tree.write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "4294967296\n");
  EXPECT_EQ(cgroup_memory_limit_mb(tree.root()), 2048u);
}

void add_nvidia(Tree& tree, const std::string& address, int minor, const std::string& more = "") {
  tree.write("proc/driver/nvidia/gpus/" + address + "/information",
             "Model: \t\t NVIDIA A100-SXM4-40GB\nIRQ:   \t\t 121\n"
             "GPU UUID: \t GPU-4c1f-" +
                 std::to_string(minor) + "\nBus Type: \t PCIe\nBus Location: \t " + address +
                 "\nDevice Minor: \t " + std::to_string(minor) + "\n" + more);
}

TEST(Gpus, FindsNvidiaDevicesInTheOrderOfTheBus) {
  Tree tree;
  add_nvidia(tree, "0000:86:00.0", 0);
  add_nvidia(tree, "0000:3b:00.0", 1, "GPU Excluded:\t No\n");
  add_nvidia(tree, "0000:af:00.0", 2, "GPU Excluded:\t Yes\n");
  tree.write("sys/bus/pci/devices/0000:3b:00.0/local_cpulist", "0-1,4\n");
  const auto gpus = detect_gpus(tree.root());
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].index, 0);
  EXPECT_EQ(gpus[0].minor, 1);
  EXPECT_EQ(gpus[0].device_path, "/dev/nvidia1");
  EXPECT_EQ(gpus[0].type, "nvidia_a100-sxm4-40gb");
  EXPECT_EQ(gpus[0].pci_address, "0000:3b:00.0");
  EXPECT_EQ(gpus[0].uuid, "GPU-4c1f-1");
  EXPECT_EQ(gpus[0].cpus, (Numbers{0, 1, 4}));
  EXPECT_EQ(gpus[1].device_path, "/dev/nvidia0");
  EXPECT_TRUE(gpus[1].cpus.empty());
}

TEST(Gpus, KeepsOnlyCpusThatTheServiceMayUse) {
  Tree tree;
  add_nvidia(tree, "0000:3b:00.0", 0);
  tree.write("sys/bus/pci/devices/0000:3b:00.0/local_cpulist", "0-63\n");
  const Hardware hardware = detect_hardware({tree.root(), "/tmp", "core:2 pu:1"});
  ASSERT_EQ(hardware.gpus.size(), 1u);
  EXPECT_EQ(hardware.gpus[0].cpus, (Numbers{0, 1}));
}

void add_kfd(Tree& tree, int node, const std::string& id, const std::string& properties) {
  const std::string folder = "sys/class/kfd/kfd/topology/nodes/" + std::to_string(node);
  tree.write(folder + "/gpu_id", id + "\n");
  tree.write(folder + "/name", "aldebaran\n");
  tree.write(folder + "/properties", properties);
}

TEST(Gpus, FindsAmdDevicesAndTheirLinks) {
  Tree tree;
  add_kfd(tree, 0, "0", "cpu_cores_count 64\n");
  add_kfd(tree, 1, "1234", "domain 0\nlocation_id 50432\ndrm_render_minor 129\n");
  add_kfd(tree, 2, "5678", "domain 0\nlocation_id 768\ndrm_render_minor 128\n");
  const std::string links = "sys/class/kfd/kfd/topology/nodes/2/io_links/";
  tree.write(links + "0/properties", "type 2\nnode_from 2\nnode_to 0\n");
  tree.write(links + "1/properties", "type 11\nnode_from 2\nnode_to 1\n");
  tree.write("sys/class/drm/renderD128/device/product_name", "AMD Instinct MI210\n");
  tree.write("sys/bus/pci/devices/0000:03:00.0/local_cpulist", "2-3\n");
  const auto gpus = detect_gpus(tree.root());
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].device_path, "/dev/dri/renderD128");
  EXPECT_EQ(gpus[0].type, "amd_instinct_mi210");
  EXPECT_EQ(gpus[0].pci_address, "0000:03:00.0");
  EXPECT_EQ(gpus[0].vendor, GpuVendor::kAmd);
  EXPECT_EQ(gpus[0].cpus, (Numbers{2, 3}));
  EXPECT_EQ(gpus[0].links, (std::vector<int>{-1, 1}));
  EXPECT_EQ(gpus[1].type, "aldebaran");
  EXPECT_EQ(gpus[1].pci_address, "0000:c5:00.0");
  EXPECT_TRUE(gpus[1].links.empty());
}

TEST(Gpus, IgnoresWhatMakesNoSense) {
  Tree tree;
  tree.write("proc/driver/nvidia/gpus/0000:3b:00.0/information", "Model: x\n");
  tree.write("proc/driver/nvidia/gpus/0000:3c:00.0/other", "");
  add_kfd(tree, 1, "77", "location_id 768\n");
  EXPECT_TRUE(detect_gpus(tree.root()).empty());
  EXPECT_TRUE(detect_gpus("/nonexistent").empty());
}

TEST(Gpus, NamesTypesAsSlurmDoes) {
  EXPECT_EQ(gpu_type_name("NVIDIA A100-SXM4-40GB"), "nvidia_a100-sxm4-40gb");
  EXPECT_EQ(gpu_type_name("Tesla V100-PCIE-32GB "), "tesla_v100-pcie-32gb");
  EXPECT_EQ(gpu_type_name("Radeon, Pro: W7"), "radeon__pro__w7");
}

}  // namespace
}  // namespace grappe
