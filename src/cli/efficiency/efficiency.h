// What a job used of what it was given, for seff, `grappe job` and `grappe jobs`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grappe/v1/history.pb.h"

namespace grappe {

// Amounts of the whole job. What is not known is 0.
struct JobUse {
  int64_t wall_s = 0;   // without suspensions
  int64_t limit_s = 0;  // 0: unlimited
  uint32_t cpus = 0;
  uint64_t cpu_us = 0;
  uint64_t memory = 0, memory_given = 0;  // bytes; the most at a time
  uint32_t gpus = 0;
  bool gpus_measured = false;
  double gpu_percent = 0;  // the mean of all GPUs over the time that was measured
  uint64_t gpu_memory = 0;
  bool measured = false;  // one of its steps was

  double busy_cpus() const {
    return wall_s ? static_cast<double>(cpu_us) / 1e6 / double(wall_s) : 0;
  }
  // Percent; none where there is nothing to compare with.
  std::optional<double> time_percent() const;
  std::optional<double> cpu_percent() const;
  std::optional<double> memory_percent() const;
  std::optional<double> gpus_percent() const;
};

JobUse use_of(const v1::JobRecord& job, int64_t now);

// What to ask for next time: "--mem=6G would have been enough: 5.1G of 64G used". Empty: all was
// used well, or there is too little to judge by.
std::vector<std::string> advice_of(const v1::JobRecord& job, const JobUse& use);

// "5.1G", "120M".
std::string short_bytes(uint64_t bytes);

}  // namespace grappe
