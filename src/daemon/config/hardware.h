// What this machine has, as far as the service may use it.
//
// Processors come from hwloc, without those that the service is not allowed to run on (cpuset
// cgroup, CPU affinity); memory is what the kernel has, or less where a memory cgroup confines the
// service. Detection cannot fail: what is not to be found counts as absent, and there is always one
// CPU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "daemon/config/gpus.h"

namespace grappe {

struct Hardware {
  std::uint32_t cpus = 1;  // sockets * cores_per_socket * threads_per_core
  std::uint32_t sockets = 1;
  std::uint32_t cores_per_socket = 1;
  std::uint32_t threads_per_core = 1;
  // The kernel's number of each CPU, ordered by socket, core and thread: position 0 is Slurm's
  // abstract CPU 0.
  std::vector<std::uint32_t> cpu_ids = {0};
  std::uint64_t memory_mb = 0;
  std::uint64_t tmp_mb = 0;  // size of the file system for temporary files
  std::vector<GpuDevice> gpus;
};

struct DetectOptions {
  std::filesystem::path root = "/";       // before /proc, /sys and /dev
  std::filesystem::path tmp_fs = "/tmp";  // TmpFS=
  std::string synthetic_topology;         // hwloc's notation ("pack:2 core:4 pu:2"), for tests
};

Hardware detect_hardware(const DetectOptions& options = {});

// The memory that cgroups leave to this process, in MB; UINT64_MAX when they set no limit.
std::uint64_t cgroup_memory_limit_mb(const std::filesystem::path& root);

}  // namespace grappe
