// The formats of traces: each turns the lines of a file into jobs.
//
//   SWF          the Standard Workload Format of the Parallel Workloads Archive, 18 columns
//   sacct        the output of `sacct -P` (with -X or not: steps are left out), by its titles
//   GPU list     CSV with the columns timestamp, duration, num_gpus and, if it has one, cluster
//
// A job that asked for no limit, as in the GPU list, gets one from a ladder of round limits, as
// generous as users are.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sim/trace.h"

namespace grappe::sim {

class Format {
 public:
  virtual ~Format() = default;
  // The job of this line; none for a comment or a row that is of no use, which is counted in
  // `facts`. An Error says what is wrong with the line.
  virtual Result<std::optional<TraceJob>> job(std::string_view line, People& people,
                                              WorkloadFacts& facts) = 0;
};

std::unique_ptr<Format> swf_format();
std::unique_ptr<Format> sacct_format();
std::unique_ptr<Format> gpu_list_format();

// By the first line that is not empty; none when it is of no format known here.
std::unique_ptr<Format> format_of(std::string_view first_line);

// A round limit that holds the run; the same for the same job.
Time usual_limit(uint64_t id, Time run);

}  // namespace grappe::sim
