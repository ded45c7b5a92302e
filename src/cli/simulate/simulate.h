// grappe simulate: a workload run through the scheduler, several ways side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/report.h"

namespace grappe {

struct SimulateOptions {
  std::vector<std::string> policies = {"easy", "fcfs", "sjf", "grappe"};
  std::string machine;                // empty: the one of the trace
  std::vector<std::string> what_ifs;  // "add=1x32:gpu=4", "max-time=24:00:00"
  std::string trace;
  uint64_t generate = 0;  // jobs to make up when there is no trace
  uint64_t seed = 1;
  double load = 0.8;
  std::string html;  // file to write
  bool progress = true;
};

// One policy on one machine.
struct Scenario {
  std::string name;
  sim::Trial trial;
};

// A change of the configuration, applied to a trial: "add=1x32:gpu=4,max-time=24:00:00".
Status apply_what_if(const std::string& text, sim::Trial& trial);

Result<std::vector<Scenario>> scenarios_of(const SimulateOptions& options,
                                           const sim::Machine& machine);

// The exit code.
int simulate(const SimulateOptions& options);

}  // namespace grappe
