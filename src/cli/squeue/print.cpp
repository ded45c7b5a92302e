#include <cstdlib>

#include "base/text.h"
#include "cli/report.h"
#include "cli/squeue/job_fields.h"
#include "cli/squeue/squeue.h"
#include "cli/squeue/step_fields.h"

namespace grappe {
namespace {

// Keys of --sort that look at what the brief view leaves out.
constexpr std::string_view kSortNeedsFull = "cdfhmnvzHIJO";

template <class TableType, class FieldType>
TableType make_table(const SqueueOptions& options, std::span<const FieldType> fields,
                     std::string_view all, std::string_view kind, bool tell) {
  SqueueOptions::ChosenFormat chosen = options.chosen_format();
  if (chosen.letters) {
    size_t percent = std::min(chosen.text.find('%'), chosen.text.size());
    if (iequals(std::string_view(chosen.text).substr(percent), "%all")) {
      chosen.text.replace(percent, std::string::npos, all);
    }
  }
  Format format =
      chosen.letters ? parse_letter_format(chosen.text) : parse_name_format(chosen.text);
  return TableType(format, fields, chosen.letters, [&](std::string_view key) {
    if (!tell) return;
    Report("squeue").error("Invalid " + std::string(kind) +
                           " format specification: " + std::string(key));
    if (!chosen.letters) suggest(key, field_names(fields));
  });
}

// `tell`: name the columns that do not exist.
JobTable job_table(const SqueueOptions& options, bool tell) {
  return make_table<JobTable>(options, job_fields(), kJobAllFormat, "job", tell);
}

JobContext make_context(const SqueueOptions& options, int64_t now) {
  JobContext context;
  context.now = now;
  context.times = TimestampFormat::from_environment(now);
  context.convert = options.convert;
  if (const char* size = std::getenv("SLURM_BITSTR_LEN")) {
    context.task_list_size = array_text_length(size);
    context.id_size = 0;
  }
  return context;
}

}  // namespace

v1::ListJobsRequest jobs_request(const SqueueOptions& options) {
  v1::ListJobsRequest request;
  request.set_all_partitions(options.all_partitions || options.filter.jobs.given);
  if (options.steps) {
    request.set_steps(true);
    options.filter.ask_steps(request);
    return request;
  }
  options.filter.ask(request);
  bool full = options.filter.licenses.given ||
              (job_table(options, false).needs() & kNeedsFullJob) != 0 ||
              options.chosen_sort().find_first_of(kSortNeedsFull) != std::string_view::npos;
  request.set_forecasts(options.start);
  request.set_view(full ? v1::ListJobsRequest::FULL : v1::ListJobsRequest::BRIEF);
  return request;
}

Status print_jobs(const v1::ListJobsResponse& jobs, const SqueueOptions& options,
                  const SortContext& sort, Output& output) {
  JobTable table = job_table(options, true);
  JobContext context = make_context(options, jobs.now());
  if (!options.no_header) table.append_header(output.text());
  JobRows lines = job_rows(jobs, options.filter, options.rows);
  if (Status sorted = sort_jobs(lines.rows, options.chosen_sort(), sort); !sorted) return sorted;
  auto print = [&](const JobRow& row) {
    table.append_row(output.text(), row, context);
    output.row_done();
  };
  for (const JobRow& row : lines.rows) {
    if (options.rows.split_arrays) {
      visit_tasks(row, print);
    } else {
      print(row);
    }
  }
  return {};
}

void print_steps(const v1::ListJobsResponse& jobs, const SqueueOptions& options,
                 std::string_view cluster, Output& output) {
  StepTable table = make_table<StepTable>(options, step_fields(), kStepAllFormat, "job step", true);
  JobContext context = make_context(options, jobs.now());
  if (!options.no_header) table.append_header(output.text());
  std::vector<StepRow> rows;
  for (const v1::StepInfo& step : jobs.steps()) {
    if (options.filter.matches(step)) rows.push_back({&step, cluster});
  }
  SortContext sort;
  sort.now = jobs.now();
  sort_steps(rows, options.chosen_sort(), sort);
  for (const StepRow& row : rows) {
    table.append_row(output.text(), row, context);
    output.row_done();
  }
}

}  // namespace grappe
