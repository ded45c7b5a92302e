// The resource limits that go with a job, by the names of --propagate.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <string_view>

namespace grappe {

struct RlimitName {
  std::string_view name;
  uint32_t resource;
};

inline constexpr RlimitName kRlimitNames[] = {
    {"CPU", RLIMIT_CPU},     {"FSIZE", RLIMIT_FSIZE},   {"DATA", RLIMIT_DATA},
    {"STACK", RLIMIT_STACK}, {"CORE", RLIMIT_CORE},     {"RSS", RLIMIT_RSS},
    {"NPROC", RLIMIT_NPROC}, {"NOFILE", RLIMIT_NOFILE}, {"MEMLOCK", RLIMIT_MEMLOCK},
    {"AS", RLIMIT_AS},
};

}  // namespace grappe
