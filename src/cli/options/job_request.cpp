#include "cli/options/job_request.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "cli/options/values.h"
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
    std::string value = s->text.empty() ? "set" : s->text;
    if (name == "verbose") value = std::to_string(options.verbose);
    name.resize(std::max<size_t>(name.size(), 20), ' ');
    report.verbose(name + ": " + value);
  }
  report.verbose(kRule);
  report.verbose("end of defined options");
}

}  // namespace grappe
