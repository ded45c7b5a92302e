#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <future>
#include <thread>

#include "base/hostlist.h"
#include "base/text.h"
#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/run_command.h"
#include "cli/sacct/json.h"
#include "cli/sacct/sacct.h"
#include "grappe/v1/history_records.pb.h"
#include "grappe/v1/jobs.pb.h"
#include "model/job_state.h"
#include "model/message_arena.h"

namespace grappe {
namespace {

struct Shown {
  std::vector<const SacctField*> fields;
  std::vector<ReportColumn> columns;

  bool brief() const {
    return std::none_of(fields.begin(), fields.end(), [](auto* field) { return field->whole; });
  }
  bool needs_ids() const {
    return std::any_of(fields.begin(), fields.end(), [](auto* field) { return field->ids; });
  }
};

Result<Shown> chosen_fields(const std::string& format) {
  const std::span<const SacctField> all = sacct_fields();
  Shown shown;
  auto add = [&](const SacctField& field, const ReportWord& word) {
    shown.fields.push_back(&field);
    shown.columns.push_back({std::string(field.name),
                             word.has_width ? word.width : field.width.columns,
                             field.width.overflow});
  };
  for (const ReportWord& word : parse_record_format(format)) {
    if (iequals(word.name, "ALL")) {
      for (const SacctField& field : all) {
        if (field.listed) add(field, word);
      }
      continue;
    }
    const int found =
        find_report_field(word.name, all.size(), [&](size_t i) { return all[i].name; });
    if (found < 0) return fail(fmt::format("Invalid field requested: \"{}\"", word.name));
    add(all[static_cast<size_t>(found)], word);
  }
  return shown;
}

void append_row(std::string& out, const Shown& shown, const SacctRow& row,
                const SacctContext& context, const ReportStyle& style) {
  std::vector<std::string> values(shown.fields.size());
  for (size_t i = 0; i < values.size(); ++i) shown.fields[i]->value(values[i], row, context);
  append_report_row(out, shown.columns, values, style);
}

// The lines of the records [first, last).
std::string lines_of(const SacctOptions& options, const v1::HistoryRecords& found, int first,
                     int last, const Shown& shown, const SacctContext& context) {
  std::string out;
  MessageArena arena;
  for (int i = first; i < last; ++i) {
    v1::JobRecord& job = arena.next<v1::JobRecord>();
    if (!job.ParseFromString(found.jobs(i))) continue;
    if (sacct_shows(options, job, nullptr)) {
      append_row(out, shown, {job, nullptr}, context, options.style);
    }
    for (const v1::StepRecord& step : job.steps()) {
      if (sacct_shows(options, job, &step)) {
        append_row(out, shown, {job, &step}, context, options.style);
      }
    }
  }
  return out;
}

void print_rows(const SacctOptions& options, const v1::HistoryRecords& found, const Shown& shown,
                const SacctContext& context) {
  constexpr int kWorthAThread = 1000;  // records
  const int cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
  const int parts = std::clamp(found.jobs_size() / kWorthAThread, 1, std::min(cores, 8));
  const auto begin_of = [&](int64_t part) {
    return static_cast<int>(found.jobs_size() * part / parts);
  };
  std::vector<std::future<std::string>> others;
  for (int part = 1; part < parts; ++part) {
    others.push_back(std::async(std::launch::async, [&, part] {
      return lines_of(options, found, begin_of(part), begin_of(part + 1), shown, context);
    }));
  }
  Output output;
  if (!options.no_header) append_report_titles(output.text(), shown.columns, options.style);
  output.text() += lines_of(options, found, 0, begin_of(1), shown, context);
  for (auto& other : others) output.text() += other.get();
}

// "Epoch 0" or "Mon Nov 16 09:12:09 2026".
std::string moment(int64_t time) {
  if (!time) return "Epoch 0";
  std::string line;
  append_date_line(line, time);
  return line.substr(0, line.size() - 1);
}

std::string describe(const SacctOptions& options, const SacctWindow& window) {
  std::vector<std::string> states;
  for (uint32_t state : options.filter.states()) states.emplace_back(job_state_name(state));
  return fmt::format("Jobs {} in the time window from {} to {}",
                     states.empty() ? "Eligible" : join(states, ","), moment(window.start),
                     moment(window.end));
}

// The script, or the environment with its NULs as line ends.
void print_texts(const SacctOptions& options, Calls& calls, const v1::HistoryResponse& found) {
  Output output;
  for (const v1::JobRecord& job : found.jobs()) {
    v1::ScriptRequest request;
    request.set_job_id(job.info().job_id());
    request.set_past(true);
    auto kept = calls.call<v1::ScriptResponse>("Jobs/Script", request);
    const std::string id = sacct_job_id({job, nullptr});
    std::string text;
    if (kept) text = options.batch_script ? kept->script() : kept->environment();
    if (options.environment) std::replace(text.begin(), text.end(), '\0', '\n');
    output.text() += options.batch_script
                         ? "Batch Script for " + id + "\n"
                         : "Environment used for " + id + " (must be batch to display)\n";
    output.text() += std::string(80, '-') + "\n" + (text.empty() ? "NONE\n" : text) + "\n";
  }
}

Status print_json(Calls& calls, const v1::HistoryResponse& found) {
  v1::BooksRequest request;
  request.set_tres(true);
  auto books = calls.call<v1::BooksResponse>("Books/List", request);
  if (!books) return tl::unexpected<Error>(books.error());
  auto numbers = RecordIds::ask(calls);
  if (!numbers) return tl::unexpected<Error>(numbers.error());
  Output output;
  append_history_json(output.text(), found, *books, *numbers);
  return {};
}

v1::HistoryRequest request_of(const SacctOptions& options, const SacctWindow& window) {
  v1::HistoryRequest request = options.filter;
  request.set_start_time(window.start);
  // The end is not part of the window, but this very second is where nobody named one.
  request.set_end_time(window.end + (options.end ? 0 : 1));
  request.set_steps(!options.allocations_only);
  const bool everybody = options.all_users || !request.jobs().empty() || geteuid() == 0;
  if (request.uids().empty() && !everybody) request.add_uids(geteuid());
  return request;
}

SacctContext context_of(const SacctOptions& options, const SacctWindow& window, int64_t now) {
  SacctContext context;
  context.now = now;
  context.time = TimestampFormat::from_environment(now);
  context.truncate = options.truncate;
  context.window_start = window.start;
  context.window_end = window.end;
  context.convert = options.convert;
  context.unit = options.unit;
  return context;
}

constexpr char kHistory[] = "History/Jobs";

// Of another cluster nothing is known, which is no error.
template <class Response>
Result<Response> ask(Calls& calls, const SacctOptions& options, const v1::HistoryRequest& request) {
  if (options.clusters && !check_cluster_name(calls, *options.clusters)) return Response();
  return calls.call<Response>(kHistory, request);
}

// A table is read record by record: it may be long.
Status print_table(const SacctOptions& options, Calls& calls, v1::HistoryRequest request,
                   const Shown& shown, SacctContext context) {
  if (shown.needs_ids()) {
    auto ids = RecordIds::ask(calls);
    if (!ids) return tl::unexpected<Error>(ids.error());
    context.ids = std::move(*ids);
  }
  request.set_brief(shown.brief());
  auto found = ask<v1::HistoryRecords>(calls, options, request);
  if (!found) return tl::unexpected<Error>(found.error());
  print_rows(options, *found, shown, context);
  return {};
}

Status print_whole(const SacctOptions& options, Calls& calls, const v1::HistoryRequest& request) {
  auto found = ask<v1::HistoryResponse>(calls, options, request);
  if (!found) return tl::unexpected<Error>(found.error());
  if (options.json) return print_json(calls, *found);
  print_texts(options, calls, *found);
  return {};
}

}  // namespace

bool sacct_shows(const SacctOptions& options, const v1::JobRecord& job,
                 const v1::StepRecord* step) {
  if (options.wishes.empty() || options.allocations_only) return true;
  return std::any_of(options.wishes.begin(), options.wishes.end(), [&](const SacctWish& wish) {
    const v1::JobInfo& info = job.info();
    const bool its_task =
        wish.job.has_array_task_id()
            ? wish.job.job_id() == info.array_job_id() &&
                  wish.job.array_task_id() == info.array_task_id()
            : wish.job.job_id() == info.job_id() || wish.job.job_id() == info.array_job_id();
    if (!its_task) return false;
    return wish.step.empty() || (step && step->info().step_id() == wish.step);
  });
}

int sacct(const SacctOptions& options, Calls& calls) {
  Report report("sacct");
  report.verbosity = options.verbosity;
  const int64_t now = std::time(nullptr);
  auto window = sacct_window(options, now);
  if (!window) {
    std::fprintf(stderr, "%s\n", window.error().message.c_str());
    return 1;
  }
  auto shown = chosen_fields(options.format);
  if (!shown) {
    report.error(shown.error());
    return 1;
  }
  report.verbose(describe(options, *window));
  report.verbose("accounting_storage/slurmdbd: init: Accounting storage SLURMDBD plugin loaded");
  v1::HistoryRequest request = request_of(options, *window);
  if (options.node_list) {
    auto names = expand_hostlist(*options.node_list);
    if (!names) {
      report.fatal("Invalid node list: " + *options.node_list);
      return 1;
    }
    for (const std::string& name : *names) request.add_nodes(name);
  }
  if (options.json) request.set_duplicates(true);  // always all runs
  const bool whole = options.json || options.batch_script || options.environment;
  const Status printed =
      whole ? print_whole(options, calls, request)
            : print_table(options, calls, request, *shown, context_of(options, *window, now));
  if (printed) return 0;
  report.error(printed.error());
  return 1;
}

int run_sacct(int argc, char** argv) {
  return run_command(argc, argv, read_sacct_options, sacct);
}

}  // namespace grappe
