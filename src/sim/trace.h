// Jobs as a trace of a real cluster records them, and where they come from one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "sched/snapshot.h"

namespace grappe::sim {

using sched::kForever;
using sched::Time;

struct TraceJob {
  uint64_t id = 0;
  Time submit = 0;
  Time run = 0;    // never longer than the limit
  Time limit = 0;  // what the user asked for
  uint32_t cpus = 1;
  uint32_t gpus = 0;
  uint64_t memory_mb = 0;
  uint32_t user = 0;  // indexes into Names
  uint32_t account = 0;
  Time recorded_wait = -1;  // what it really was; -1: not known
  Time rest = 0;            // of its run, after a shorter greatest limit has cut it
};

// Numbers for names, in the order they are met.
class Names {
 public:
  uint32_t index(std::string_view name);
  const std::string& name(uint32_t index) const { return names_[index]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t> indexes_;
};

struct People {
  Names users, accounts;
};

// Jobs by time of submission.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::optional<TraceJob> next() = 0;
};

// What can be said of a workload before it is run.
struct WorkloadFacts {
  uint64_t jobs = 0;
  uint64_t left_out = 0;  // rows without a run, a size or a time limit
  uint32_t most_cpus = 0, most_gpus = 0;
  uint32_t machine_cpus = 0;  // as the file says of the machine; 0: it does not
  bool in_order = true;
};

// Where jobs come from, as often as they are asked for.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual const WorkloadFacts& facts() const = 0;
  virtual const People& people() const = 0;
  // From the first job on, the same each time.
  virtual std::unique_ptr<Source> jobs() = 0;
};

// A file in one of the formats of formats.h, found out by its beginning. The whole file is read
// once to check it: a row that can't be understood is an Error that names the line. Files in the
// order of submission, as they should be, are then read as they are needed; others are kept in
// memory.
Result<std::unique_ptr<Workload>> open_trace(const std::string& path);

// For tests and for what has been chosen from elsewhere.
std::unique_ptr<Workload> workload_of(std::vector<TraceJob> jobs);
// Jobs dealt out to so many machines, one after the other: what machine `which` gets.
std::unique_ptr<Workload> dealt(Workload& all, uint64_t machines, uint64_t which);

}  // namespace grappe::sim
