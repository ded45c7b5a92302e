// What the user of squeue wants to see.
//
// The service gets the same wishes in the request and trims most of it; the filter here is what
// decides, because Slurm's rules of matching live in the command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/array_spec.h"
#include "base/result.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe {

// -j: "12", "12_3" or, more than Slurm takes, "12_[1-4]".
struct JobWish {
  uint32_t job_id = 0;
  bool by_task = false;
  TaskSet tasks;
};

// -s: "12.0", "12_3.batch"; a step id that is no number and no name is 0.
struct StepWish {
  uint32_t job_id = 0;
  std::optional<uint32_t> task;
  std::string step_id;
};

// A list that was given and is empty matches nothing; one that was not given, everything.
template <class T>
struct Wish {
  bool given = false;
  std::vector<T> values;
};

struct JobFilter {
  Wish<JobWish> jobs;
  Wish<StepWish> steps;
  Wish<uint32_t> uids;
  Wish<std::string> accounts;
  Wish<std::string> partitions;
  Wish<std::string> qos;
  Wish<std::string> names;
  Wish<uint32_t> states;
  bool all_states = false;
  std::optional<std::unordered_set<std::string>> nodes;
  Wish<std::string> licenses;
  Wish<std::string> reservations;

  // Everything but the tasks of -j 12_3, which only split a line.
  bool matches(const v1::JobInfo& job) const;
  bool matches(const v1::StepInfo& step) const;
  // Nothing can match: the service need not be asked.
  bool impossible() const;
  // Puts the wishes into a request. A single job is asked for in any state, so that a job that
  // is over can be told from one that does not exist.
  void ask(v1::ListJobsRequest& request) const;
  // The same for steps, which only jobs, users, partitions and nodes select.
  void ask_steps(v1::ListJobsRequest& request) const;
};

// Split at commas that are not in brackets, without empty parts.
std::vector<std::string_view> split_ids(std::string_view text);
Result<JobWish> parse_job_wish(std::string_view text);
Result<StepWish> parse_step_wish(std::string_view text);

// The tasks of an array as the service writes them; none if the text is malformed.
ArraySpec read_tasks(std::string_view text);

}  // namespace grappe
