#include <fmt/core.h>

#include <algorithm>

#include "base/hostlist.h"
#include "cli/command.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/run_command.h"
#include "cli/sstat/sstat.h"

namespace grappe {
namespace {

struct SstatColumns {
  std::vector<const SstatField*> fields;
  std::vector<ReportColumn> columns;
};

Result<SstatColumns> chosen_columns(const std::string& format) {
  const std::span<const SstatField> all = sstat_fields();
  SstatColumns chosen;
  for (const ReportWord& word : parse_record_format(format)) {
    const int found =
        find_report_field(word.name, all.size(), [&](size_t i) { return all[i].name; });
    if (found < 0) return fail(fmt::format("Invalid field requested: \"{}\"", word.name));
    const SstatField& field = all[static_cast<size_t>(found)];
    chosen.fields.push_back(&field);
    chosen.columns.push_back({std::string(field.name), word.width_or(field.width)});
  }
  return chosen;
}

void append_steps(std::string& out, const v1::StepUseAnswer& answer, const SstatColumns& chosen,
                  const SstatOptions& options) {
  for (const v1::RunningStep& step : answer.steps()) {
    std::vector<std::string> values;
    for (const SstatField* field : chosen.fields) {
      values.push_back(field->value(step, options.amounts));
    }
    append_report_row(out, chosen.columns, values, options.style);
  }
}

std::string step_text(uint32_t job_id, const std::string& step_id) {
  return fmt::format("StepId={}.{}", job_id, step_id);
}

// Another user's step, in Slurm's words: each of its nodes has refused.
void explain_denied(const Report& report, const v1::RunningStep& step) {
  const auto nodes = expand_hostlist(step.nodes());
  for (const std::string& node : nodes.value_or(std::vector<std::string>())) {
    report.error(fmt::format(
        "slurm_job_step_stat: there was an error with the request to {} rc = Invalid user id",
        node));
  }
  report.error(fmt::format("problem getting step_layout for {}: Invalid user id",
                           step_text(step.job_id(), step.step_id())));
}

// Why nothing is shown of a wish. In Slurm the command does not fail for it.
void explain(const Report& report, const v1::StepWish& wish, const v1::StepUseAnswer& answer) {
  switch (answer.outcome()) {
    case v1::StepUseAnswer::NO_JOB:
      return report.error(fmt::format("couldn't get steps for job {}", wish.job_id()));
    case v1::StepUseAnswer::NO_STEP:
      return report.error(step_text(wish.job_id(), wish.step_id()) + " not found running.");
    case v1::StepUseAnswer::NO_STEPS:
      return report.info(
          fmt::format("job {0} runs no step beside its script: sstat -j {0}.batch", wish.job_id()));
    case v1::StepUseAnswer::DENIED:
      for (const v1::RunningStep& step : answer.steps()) explain_denied(report, step);
      return;
    default:
      return;
  }
}

}  // namespace

int sstat(const SstatOptions& options, Calls& calls) {
  Report report("sstat");
  report.verbosity = options.verbosity;
  auto chosen = chosen_columns(options.format);
  if (!chosen) {
    report.error(chosen.error());
    return 1;
  }
  auto found = calls.call<v1::StepUseResponse>("Steps/Use", options.request);
  if (!found) {
    report.error(found.error());
    return 1;
  }
  Output output;
  if (!options.no_header) append_report_titles(output.text(), chosen->columns, options.style);
  const int count = std::min(found->answers_size(), options.request.steps_size());
  for (int i = 0; i < count; ++i) {
    const v1::StepUseAnswer& answer = found->answers(i);
    if (answer.outcome() == v1::StepUseAnswer::FOUND) {
      append_steps(output.text(), answer, *chosen, options);
    }
    output.flush();
    explain(report, options.request.steps(i), answer);
  }
  return 0;
}

int run_sstat(int argc, char** argv) {
  return run_command(argc, argv, read_sstat_options, sstat);
}

}  // namespace grappe
