// Keeps a job from the GPUs that were given to others: an eBPF program on the job's cgroup that
// refuses opening (and making) exactly those devices and lets everything else pass.
//
// It sits in the v2 hierarchy, with or without controllers, so that one way serves every host,
// and it holds inside containers that the job starts.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace grappe::exec {

struct Device {
  bool is_block = false;
  uint32_t major = 0, minor = 0;
  auto operator<=>(const Device&) const = default;
};

// The devices in `all` that are none of `allowed`. Paths that are no devices are left out, and so
// are devices that every program needs (a pretended GPU may be a second name of /dev/null).
std::set<Device> devices_to_refuse(const std::vector<std::string>& all,
                                   const std::vector<std::string>& allowed);

// The filter goes when the cgroup goes.
Status refuse_devices(const std::string& cgroup_dir, const std::set<Device>& devices);

// Whether this kernel takes such programs from us.
bool can_refuse_devices();

}  // namespace grappe::exec
