#include "cli/options/job_request.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/datetime.h"
#include "base/duration.h"
#include "base/text.h"
#include "cli/options/values.h"
#include "client/client.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

constexpr int kMostRetries = 15;

}  // namespace

Result<v1::SubmitResponse> send_submit(const v1::SubmitRequest& request, Calls& calls,
                                       const Report& report) {
  for (int retry = 0;; ++retry) {
    auto answer = calls.call<v1::SubmitResponse>("Jobs/Submit", request);
    if (answer || retry == kMostRetries || answer.error().code != kErrJobRecordFull) return answer;
    if (retry == 0) report.error("Slurm job queue full, sleeping and retrying");
    sleep(static_cast<unsigned>(retry) + 1);
  }
}

void describe_caller(int argc, char** argv, JobOptions& options) {
  v1::JobSpec& spec = options.spec;
  options.submit_dir = current_folder();
  spec.set_work_dir(options.submit_dir);
  mode_t mask = umask(0);
  umask(mask);
  spec.set_umask(mask);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  if (char* dot = std::strchr(host, '.')) *dot = '\0';
  spec.set_submit_host(host);
  spec.set_submit_sid(static_cast<uint32_t>(getsid(0)));
  std::string line;
  for (int i = 0; i < argc; ++i) {
    if (i > 0) line += ' ';
    line += argv[i];
  }
  spec.set_submit_line(line);
}

int error_exit_code(const Report& report, const char* variable) {
  const char* text = std::getenv(variable);
  if (!text) return 1;
  auto n = parse_int(text, -255, 255);
  if (!n || *n == 0) {
    report.error(std::string(variable) + " has zero value");
    return 1;
  }
  return static_cast<int>(*n & 255);
}

bool service_is_away(int code) {
  return code == kErrContactConnect || code == kErrContactReceive || code == kErrSocketTimeout;
}

namespace {

// What an option without a value stands for.
constexpr std::pair<std::string_view, std::string_view> kImplied[] = {
    {"constraint", ""},           {"exclusive", "exclusive"},         {"get-user-env", "0"},
    {"immediate", "1"},           {"kill-on-bad-exit", "1"},          {"nice", "100"},
    {"no-requeue", "no-requeue"}, {"oversubscribe", "oversubscribe"}, {"propagate", "ALL"},
    {"requeue", "requeue"},
};

std::string shown_nodes(const v1::JobSpec& spec) {
  const std::string least = std::to_string(std::max(1u, spec.min_nodes()));
  if (!spec.has_max_nodes() || spec.max_nodes() == std::max(1u, spec.min_nodes())) return least;
  return least + "-" + std::to_string(spec.max_nodes());
}

// In the largest unit that needs no fraction; megabytes have no letter.
std::string shown_memory(uint64_t megabytes) {
  std::string_view units = "GTP";
  std::string unit;
  for (; megabytes && megabytes % 1024 == 0 && !units.empty(); units.remove_prefix(1)) {
    megabytes /= 1024;
    unit = units[0];
  }
  return std::to_string(megabytes) + unit;
}

std::string shown_gres(std::string_view text) {
  if (text == "none") return "none";
  std::string out;
  for (std::string_view item : split(text, ',')) {
    out += (out.empty() ? "gres:" : ",gres:") + std::string(item);
  }
  return out;
}

// As the value was understood, where Slurm shows that and not what was written.
std::string shown_value(const JobOptions& options, const JobOptions::Setting& setting) {
  const std::string_view name = setting.row->name;
  const v1::JobSpec& spec = options.spec;
  if (name == "verbose") return std::to_string(options.verbose);
  if (name == "begin") return format_datetime(spec.begin_time());
  if (name == "deadline") return format_datetime(spec.deadline());
  if (name == "time") return format_minutes(spec.time_limit());
  if (name == "time-min") return format_minutes(spec.time_min());
  if (name == "nodes") return shown_nodes(spec);
  if (name == "mem") return shown_memory(spec.mem_per_node_mb());
  if (name == "mem-per-cpu") return shown_memory(spec.mem_per_cpu_mb());
  if (name == "mem-per-gpu") return shown_memory(spec.mem_per_gpu_mb());
  if (name == "tmp") return shown_memory(spec.tmp_mb());
  if (name == "gres") return shown_gres(setting.text);
  if (name == "open-mode") return setting.text.substr(0, 1);
  if (name == "no-kill" && !spec.no_kill()) return "unset";
  const bool is_file = name == "input" || name == "output" || name == "error";
  if (is_file && iequals(setting.text, "none")) return "/dev/null";
  if (!setting.text.empty()) return setting.text;
  for (const auto& [option, meaning] : kImplied) {
    if (option == name) return std::string(meaning);
  }
  return "set";
}

// By name; only "jobid" stands before "job-name".
bool listed_before(const JobOptions::Setting* a, const JobOptions::Setting* b) {
  const std::string_view one = a->row->name, other = b->row->name;
  if (one == "jobid" && other == "job-name") return true;
  if (one == "job-name" && other == "jobid") return false;
  return one < other;
}

}  // namespace

void list_options(const JobOptions& options, const Report& report) {
  if (report.verbosity < 1) return;
  std::vector<const JobOptions::Setting*> set;
  for (const auto& s : options.settings) {
    if (s.row->name[0]) set.push_back(&s);
  }
  std::sort(set.begin(), set.end(), listed_before);
  constexpr std::string_view kRule = "-------------------- --------------------";
  report.verbose("defined options");
  report.verbose(kRule);
  for (const auto* s : set) {
    std::string name = s->row->name;
    name.resize(std::max<size_t>(name.size(), 20), ' ');
    report.verbose(name + ": " + shown_value(options, *s));
  }
  report.verbose(kRule);
  report.verbose("end of defined options");
  report.debug("service at " + socket_path());
}

}  // namespace grappe
