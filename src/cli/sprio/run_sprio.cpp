#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/run_command.h"
#include "cli/sprio/sprio.h"

namespace grappe {
namespace {

using PriorityRow = v1::PriorityInfo;

// Below zero, zero or above: where one stands to the other by this letter.
struct SortKey {
  const SprioField* field;
  bool descending;
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.-+ ") == std::string_view::npos;
}

int compare(const SprioField& field, const SprioContext& context, const PriorityRow& a,
            const PriorityRow& b) {
  std::string left, right;
  field.value(left, a, context);
  field.value(right, b, context);
  if (is_number(left) && is_number(right)) {
    const double x = std::stod(left), y = std::stod(right);
    return x < y ? -1 : x > y;
  }
  return left.compare(right);
}

Result<std::vector<SortKey>> sort_keys(const std::string& text) {
  std::vector<SortKey> keys;
  bool descending = false;
  for (char letter : text) {
    if (letter == '-' || letter == '+' || letter == ',') {
      descending = letter == '-';
      continue;
    }
    // One that was set by hand has its place by its number, too.
    if (letter == 'y') letter = 'Y';
    const auto fields = sprio_fields();
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const SprioField& f) { return f.letter == letter; });
    if (found == fields.end()) return fail(fmt::format("Invalid sort specification: {}", letter));
    keys.push_back({&*found, descending});
    descending = false;
  }
  return keys;
}

std::string or_null(const std::string& text) {
  return text.empty() ? "(null)" : text;
}

std::string what_was_understood(const SprioOptions& o) {
  return fmt::format(
      "-----------------------------\n"
      "format     = {}\njob_flag   = {}\njobs       = {}\npartition  = {}\nusers      = {}\n"
      "verbose    = {}\n-----------------------------\n\n\n",
      or_null(o.format), o.jobs.empty() ? 0 : 1, or_null(o.jobs), or_null(o.partitions),
      or_null(o.users), o.verbosity);
}

// Columns that there are; the others are said.
Format known_columns(const Report& report, const std::string& text) {
  Format format = parse_letter_format(text);
  std::erase_if(format.columns, [&](const Column& column) {
    const auto fields = sprio_fields();
    const bool known = std::any_of(fields.begin(), fields.end(), [&](const SprioField& field) {
      return column.key.size() == 1 && column.key[0] == field.letter;
    });
    if (!known) {
      report.error(fmt::format("Invalid job format specification: {}", column.key));
    }
    return !known;
  });
  return format;
}

}  // namespace

int sprio(const SprioOptions& options, Calls& calls) {
  const Report report("sprio");
  if (!knows_clusters(calls, options.clusters, report)) return 1;
  auto answer = calls.call<v1::PrioritiesResponse>("Shares/Priorities", options.request);
  if (!answer) {
    report.error(answer.error());
    return 1;
  }
  if (!answer->multifactor()) {
    fmt::print(stderr,
               "You are not running a supported priority plugin\n({}).\n"
               "Only 'priority/multifactor' is supported.\n",
               answer->priority_type());
    return 1;
  }
  Output output;
  if (options.verbosity) output.text() += what_was_understood(options);
  if (!options.weights && !options.request.job_ids().empty() && answer->jobs().empty()) {
    output.text() += "Unable to find jobs matching user/id(s) specified\n";
    return 0;
  }
  const std::string format =
      options.format.empty() ? sprio_format(options, answer->weights()) : options.format;
  const Table<PriorityRow, SprioContext> table(known_columns(report, format), sprio_fields(), true,
                                               [](const std::string&) {});
  if (!options.no_header) table.append_header(output.text());
  if (options.weights) {
    table.append_row(output.text(), answer->weights(), SprioContext{*answer, true});
    return 0;
  }
  const SprioContext context{*answer, false};
  auto keys = sort_keys(options.sort);
  if (!keys) {
    output.flush();
    report.error(keys.error());
    return 1;
  }
  std::stable_sort(answer->mutable_jobs()->begin(), answer->mutable_jobs()->end(),
                   [&](const PriorityRow& a, const PriorityRow& b) {
                     for (const SortKey& key : *keys) {
                       const int order = compare(*key.field, context, a, b);
                       if (order != 0) return key.descending ? order > 0 : order < 0;
                     }
                     return false;
                   });
  for (const PriorityRow& job : answer->jobs()) table.append_row(output.text(), job, context);
  return 0;
}

int run_sprio(int argc, char** argv) {
  return run_command(argc, argv, read_sprio_options, sprio);
}

}  // namespace grappe
