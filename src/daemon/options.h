// grapped's command line.
#pragma once

#include <string>

#include "base/result.h"

namespace grappe {

// The exit status that tells the launcher that starting again would not help.
inline constexpr int kDoNotRestart = 78;

struct DaemonOptions {
  std::string state_dir;            // --state: the database
  std::string conf_dir;             // --conf: slurm.conf, gres.conf, cgroup.conf; may be empty
  std::string socket;               // --socket
  std::string database;             // --database: a file name or postgresql://...; may be empty
  std::string log_file;             // --log
  std::string hardware_root = "/";  // --hardware-root: before /proc, /sys and /dev, for tests
  std::string gpu_library;          // --gpu-library: instead of NVIDIA's, for tests
  std::string tmp_root;             // --tmp-root: where $SLURM_TMPDIR of jobs is
  bool personal = false;            // --personal
  bool verbose = false;             // --verbose
};

Result<DaemonOptions> parse_daemon_options(int argc, char** argv);

}  // namespace grappe
