#include "cli/options/job_request.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

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

// As the value was understood, where Slurm shows that and not what was written.
std::string shown_value(const JobOptions& options, const JobOptions::Setting& setting) {
  const std::string_view name = setting.row->name;
  const v1::JobSpec& spec = options.spec;
  if (name == "verbose") return std::to_string(options.verbose);
  if (name == "begin") return format_datetime(spec.begin_time());
  if (name == "deadline") return format_datetime(spec.deadline());
  if (name == "time") return format_minutes(spec.time_limit());
  if (name == "time-min") return format_minutes(spec.time_min());
  return setting.text.empty() ? "set" : setting.text;
}

}  // namespace

void list_options(const JobOptions& options, const Report& report) {
  if (report.verbosity < 1) return;
  std::vector<const JobOptions::Setting*> set;
  for (const auto& s : options.settings) {
    if (s.row->name[0]) set.push_back(&s);
  }
  std::sort(set.begin(), set.end(), [](const auto* a, const auto* b) {
    return std::strcmp(a->row->name, b->row->name) < 0;
  });
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
