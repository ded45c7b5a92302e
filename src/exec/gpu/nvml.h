// What NVIDIA's driver tells of its GPUs, through the library that comes with it.
//
// It is loaded at run time, with prototypes of our own: most machines don't have it, and nobody
// needs its headers to build. Only grapped loads it, never a process of root's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/executor.h"

namespace grappe::exec {

class Nvml {
 public:
  // `library` is a name that the loader looks for, or a path.
  static Result<std::unique_ptr<Nvml>> open(const std::string& library);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // Every GPU that answers. It may take milliseconds for each.
  std::vector<GpuUse> measure() const;

 private:
  struct Functions;
  Nvml();
  Status load(const std::string& library);

  void* library_ = nullptr;
  bool begun_ = false;
  std::unique_ptr<Functions> functions_;
};

}  // namespace grappe::exec
