// slurm.conf, gres.conf and cgroup.conf as text to ClusterConfig.
//
// Pure: the files are read by daemon/config/load.h, Include lines through a callback. What Slurm
// would stop at (a malformed number, a state that does not exist) is a failure that names file and
// line; an unknown key is a warning that names it, so that a file of a newer Slurm still starts;
// known keys without effect on one machine are named in one warning together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/config.h"
#include "model/config_lines.h"

namespace grappe {

struct ParsedConfig {
  ClusterConfig config;
  std::vector<std::string> warnings;
};

// Empty text: the file does not exist. `include` gets the name as written.
Result<ParsedConfig> parse_slurm_conf(std::string_view text, std::string_view gres_conf,
                                      std::string_view cgroup_conf,
                                      const ReadInclude& include = {});

}  // namespace grappe
