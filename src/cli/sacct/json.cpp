#include "cli/sacct/json.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>

#include "base/hostlist.h"
#include "base/text.h"
#include "cli/accounts.h"
#include "cli/format/json.h"
#include "model/job_state.h"

namespace grappe {
namespace {

using TresIds = std::map<std::string, uint32_t, std::less<>>;

void text_or_null(JsonWriter& json, std::string_view key, std::string_view value) {
  if (value.empty()) return json.null(key);
  json.text(key, value);
}

void write_micros(JsonWriter& json, std::string_view key, uint64_t micros) {
  json.open_object(key);
  json.number("seconds", static_cast<int64_t>(micros / 1'000'000));
  json.number("microseconds", static_cast<int64_t>(micros % 1'000'000));
  json.close_object();
}

void write_exit_code(JsonWriter& json, std::string_view key, uint32_t status) {
  const int wait = static_cast<int>(status);
  json.open_object(key);
  if (WIFSIGNALED(wait)) {
    json.text("status", "SIGNALED");
    json.number("return_code", 0);
    json.open_object("signal");
    json.number("signal_id", WTERMSIG(wait));
    const char* name = sigabbrev_np(WTERMSIG(wait));
    json.text("name", name ? name : "");
    json.close_object();
  } else {
    json.text("status", WEXITSTATUS(wait) ? "ERROR" : "SUCCESS");
    json.number("return_code", WEXITSTATUS(wait));
  }
  json.close_object();
}

void write_one_tres(JsonWriter& json, std::string_view name, int64_t count, const TresIds& ids) {
  const size_t slash = name.find('/');
  const auto id = ids.find(name);
  json.open_object();
  json.text("type", name.substr(0, slash));
  if (slash == std::string_view::npos) {
    json.null("name");
  } else {
    json.text("name", name.substr(slash + 1));
  }
  json.number("id", id == ids.end() ? 0 : id->second);
  json.number("count", count);
  json.close_object();
}

// Of "cpu=2,mem=512M,node=1", in the order of their numbers; memory is in megabytes.
void write_tres(JsonWriter& json, std::string_view key, const std::string& text, uint64_t mem_mb,
                const TresIds& ids) {
  struct Amount {
    uint32_t id;
    std::string_view name;
    int64_t count;
  };
  std::vector<Amount> amounts;
  for (std::string_view word : split_words(text, ",")) {
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = word.substr(0, equals);
    const auto id = ids.find(name);
    const int64_t count =
        name == "mem"
            ? static_cast<int64_t>(mem_mb)
            : static_cast<int64_t>(parse_uint(word.substr(equals + 1), INT64_MAX).value_or(0));
    amounts.push_back({id == ids.end() ? 0 : id->second, name, count});
  }
  std::sort(amounts.begin(), amounts.end(),
            [](const Amount& a, const Amount& b) { return a.id < b.id; });
  json.open_list(key);
  for (const Amount& amount : amounts) write_one_tres(json, amount.name, amount.count, ids);
  json.close_list();
}

// What was measured: nothing but energy has a place here, and that has no meter.
void write_measured(JsonWriter& json, std::string_view key, const TresIds& ids) {
  json.open_object(key);
  for (const char* none : {"max", "min"}) {
    json.open_list(none);
    json.close_list();
  }
  for (const char* some : {"average", "total"}) {
    json.open_list(some);
    write_one_tres(json, "energy", 0, ids);
    json.close_list();
  }
  json.close_object();
}

void write_nodes(JsonWriter& json, const v1::StepInfo& info) {
  json.open_object("nodes");
  json.open_list("list");
  if (auto names = expand_hostlist(info.nodes())) {
    for (const std::string& name : *names) json.text("", name);
  }
  json.close_list();
  json.number("count", info.num_nodes());
  json.text("range", info.nodes());
  json.close_object();
}

int64_t elapsed(int64_t start, int64_t end, int64_t now, int64_t suspended) {
  if (!start) return 0;
  return std::max<int64_t>((end ? end : now) - start - suspended, 0);
}

void write_step_time(JsonWriter& json, const v1::StepRecord& step, int64_t now) {
  const v1::StepInfo& info = step.info();
  json.open_object("time");
  json.number("elapsed", elapsed(info.start_time(), info.end_time(), now, 0));
  json.number("end", info.end_time());
  json.number("start", info.start_time());
  json.number("suspended", 0);
  write_micros(json, "system", step.system_us());
  write_micros(json, "total", step.system_us() + step.user_us());
  write_micros(json, "user", step.user_us());
  json.close_object();
}

// Slurm writes of a step that asked for no frequency all governors there are.
void write_cpu(JsonWriter& json, bool numbered) {
  json.open_object("CPU");
  json.open_object("requested_frequency");
  json.number_or_null("min", !numbered, 0);
  json.number_or_null("max", !numbered, 0);
  json.close_object();
  json.open_list("governor");
  if (numbered) {
    for (const char* name : {"Conservative", "Performance", "PowerSave", "OnDemand", "UserSpace"}) {
      json.text("", name);
    }
  }
  json.close_list();
  json.close_object();
}

void write_step_names(JsonWriter& json, const v1::StepInfo& info, bool numbered) {
  json.open_object("step");
  json.number("job_id", info.job_id());
  json.open_object("het");
  json.null("component");
  json.close_object();
  if (numbered) {
    json.number("id", static_cast<int64_t>(parse_uint(info.step_id(), UINT32_MAX).value_or(0)));
  } else {
    json.text("id", info.step_id());
  }
  json.text("name", info.name());
  json.close_object();
  json.open_object("task");
  json.text("distribution", numbered ? info.distribution() : "Unknown");
  json.close_object();
}

void write_step(JsonWriter& json, const v1::StepRecord& step, int64_t now, const TresIds& ids) {
  const v1::StepInfo& info = step.info();
  const bool numbered =
      !info.step_id().empty() && info.step_id()[0] >= '0' && info.step_id()[0] <= '9';
  json.open_object();
  write_nodes(json, info);
  json.open_object("tres");
  write_measured(json, "requested", ids);
  write_measured(json, "consumed", ids);
  write_tres(json, "allocated", step.tres(), info.mem_mb(), ids);
  json.close_object();
  write_step_time(json, step, now);
  write_exit_code(json, "exit_code", info.exit_code());
  json.open_object("tasks");
  json.number("count", info.num_tasks());
  json.close_object();
  json.null("pid");
  write_cpu(json, numbered);
  json.null("kill_request_user");
  json.text("state", job_state_name(info.state() & kStateBaseMask));
  json.open_object("statistics");
  json.open_object("CPU");
  json.number("actual_frequency", 0);
  json.close_object();
  json.open_object("energy");
  json.number("consumed", 0);
  json.close_object();
  json.close_object();
  write_step_names(json, info, numbered);
  json.close_object();
}

void write_array(JsonWriter& json, const v1::JobInfo& info) {
  json.open_object("array");
  json.number("job_id", info.array_job_id());
  json.open_object("limits");
  json.open_object("max");
  json.open_object("running");
  json.number("tasks", info.array_max_running());
  json.close_object();
  json.close_object();
  json.close_object();
  text_or_null(json, "task", info.array_tasks());
  json.number_or_null("task_id", info.has_array_task_id(), info.array_task_id());
  json.close_object();
}

void write_job_time(JsonWriter& json, const v1::JobRecord& job, int64_t now) {
  const v1::JobInfo& info = job.info();
  uint64_t user = 0, system = 0;
  for (const v1::StepRecord& step : job.steps()) {
    user += step.user_us();
    system += step.system_us();
  }
  json.open_object("time");
  json.number("elapsed", elapsed(info.start_time(), info.end_time(), now, job.suspended_s()));
  json.number("eligible", info.eligible_time());
  json.number("end", info.end_time());
  json.number("start", info.start_time());
  json.number("submission", info.submit_time());
  json.number("suspended", job.suspended_s());
  write_micros(json, "system", system);
  json.number("limit", info.time_limit());
  write_micros(json, "total", user + system);
  write_micros(json, "user", user);
  json.close_object();
}

void write_flags(JsonWriter& json, const v1::JobInfo& info) {
  json.open_list("flags");
  if (info.start_time()) {
    json.text("", "CLEAR_SCHEDULING");
    json.text("", info.scheduler() == "Backfill" ? "STARTED_ON_BACKFILL" : "STARTED_ON_SCHEDULE");
  }
  json.close_list();
}

void write_origin(JsonWriter& json, const v1::JobRecord& job) {
  const v1::JobInfo& info = job.info();
  text_or_null(json, "account", info.account());
  json.open_object("comment");
  text_or_null(json, "administrator", info.admin_comment());
  text_or_null(json, "job", info.comment());
  text_or_null(json, "system", info.system_comment());
  json.close_object();
  json.number("allocation_nodes", info.num_nodes());
  write_array(json, info);
  json.open_object("association");
  text_or_null(json, "account", info.account());
  json.text("cluster", info.cluster());
  json.null("partition");
  json.text("user", info.user());
  json.close_object();
  json.text("cluster", info.cluster());
  json.text("constraints", info.features());
  text_or_null(json, "container", job.container());
}

void write_place(JsonWriter& json, const v1::JobRecord& job, uint32_t reservation) {
  const v1::JobInfo& info = job.info();
  json.text("group", info.group());
  json.open_object("het");
  json.number("job_id", 0);
  json.null("job_offset");
  json.close_object();
  json.number("job_id", info.job_id());
  json.text("name", info.name());
  json.open_object("mcs");
  json.text("label", "");
  json.close_object();
  json.text("nodes", info.nodes().empty() ? "None assigned" : info.nodes());
  json.text("partition", info.partition());
  json.number("priority", info.priority());
  text_or_null(json, "qos", info.qos());
  json.open_object("required");
  json.number("CPUs", job.asked_cpus());
  json.number("memory", static_cast<int64_t>(info.mem_per_cpu_mb() ? info.mem_per_cpu_mb()
                                                                   : info.mem_per_node_mb()));
  json.close_object();
  std::optional<Account> killer;
  if (base_state(info.state()) == JobState::kCancelled) killer = find_account(job.cancelled_by());
  text_or_null(json, "kill_request_user", killer ? killer->name : "");
  json.open_object("reservation");
  json.number("id", reservation);
  if (info.resv_name().empty()) {
    json.number("name", 0);  // as Slurm writes it
  } else {
    json.text("name", info.resv_name());
  }
  json.close_object();
  json.open_object("state");
  json.text("current", job_state_name(info.state() & (kStateBaseMask | kStateRequeued)));
  json.text("reason", info.reason().empty() ? "None" : info.reason());
  json.close_object();
}

void write_job(JsonWriter& json, const v1::JobRecord& job, int64_t now, const TresIds& ids,
               uint32_t reservation) {
  const v1::JobInfo& info = job.info();
  json.open_object();
  write_origin(json, job);
  write_exit_code(json, "derived_exit_code", info.derived_exit_code());
  write_job_time(json, job, now);
  write_exit_code(json, "exit_code", info.exit_code());
  write_flags(json, info);
  write_place(json, job, reservation);
  json.open_list("steps");
  for (const v1::StepRecord& step : job.steps()) write_step(json, step, now, ids);
  json.close_list();
  json.open_object("tres");
  write_tres(json, "allocated", info.tres_alloc(), job.mem_mb(), ids);
  write_tres(json, "requested", info.tres_req(), job.asked_mem_mb(), ids);
  json.close_object();
  json.text("user", info.user());
  json.open_object("wckey");
  const bool by_default = info.wckey().starts_with('*');
  json.text("wckey", by_default ? info.wckey().substr(1) : info.wckey());
  json.open_list("flags");
  if (by_default) json.text("", "ASSIGNED_DEFAULT");
  json.close_list();
  json.close_object();
  json.text("working_directory", info.work_dir());
  json.close_object();
}

}  // namespace

void append_history_json(std::string& out, const v1::HistoryResponse& history,
                         const v1::BooksResponse& books, const RecordIds& numbers) {
  TresIds ids;
  for (const v1::Tres& tres : books.tres()) {
    ids[tres.name().empty() ? tres.type() : tres.type() + "/" + tres.name()] = tres.id();
  }
  JsonWriter json(out);
  json.open_object();
  write_json_meta(json, "openapi/dbv0.0.38", "Slurm OpenAPI DB v0.0.38");
  json.open_list("jobs");
  for (const v1::JobRecord& job : history.jobs()) {
    write_job(json, job, history.now(), ids, numbers.reservation(job.info()));
  }
  json.close_list();
  json.close_object();
  out += '\n';
}

}  // namespace grappe
