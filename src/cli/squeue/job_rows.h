// From the jobs of the service to the lines of squeue: filtered, arrays joined or split.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cli/squeue/job_filter.h"
#include "cli/squeue/job_row.h"

namespace grappe {

struct RowOptions {
  bool split_arrays = false;      // -r
  bool join_pending = true;       // --array-unique clears it
  bool split_partitions = false;  // -P
};

struct JobRows {
  std::vector<JobRow> rows;
  std::deque<std::string> texts;  // what rows point to that is not in the messages
};

JobRows job_rows(const v1::ListJobsResponse& jobs, const JobFilter& filter,
                 const RowOptions& options);

// -r: the tasks of a line, split after the lines were put in order. Calls visit(row) for each.
template <class Visit>
void visit_tasks(const JobRow& row, Visit&& visit) {
  if (row.task || row.tasks.empty()) return visit(row);
  JobRow one = row;
  read_tasks(row.tasks).tasks.for_each([&](uint32_t task) {
    one.task = task;
    visit(one);
  });
}

}  // namespace grappe
