// A made-up workload: as many jobs as wanted, from a seed.
//
// A few users bring most jobs; each has habits (sizes, run times, how much too much time they ask
// for), more comes by day than by night, and much of it in bursts of equal jobs.
#pragma once

#include <memory>

#include "sim/machine.h"
#include "sim/trace.h"

namespace grappe::sim {

struct GeneratorOptions {
  uint64_t jobs = 10000;
  uint64_t seed = 1;
  double load = 0.8;  // of the machine, that is asked for
  uint32_t users = 60, accounts = 12;
};

std::unique_ptr<Workload> generated(const GeneratorOptions& options, const Machine& machine);

}  // namespace grappe::sim
