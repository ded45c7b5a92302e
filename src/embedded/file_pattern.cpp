#include "embedded/file_pattern.h"

#include <fmt/core.h>

#include "base/text.h"

namespace grappe::embedded {
namespace {

// The value of one sign; nothing when there is no such sign (it then stays as written).
std::optional<std::string> sign_value(char sign, const PatternValues& v, int width) {
  const Job& job = *v.job;
  auto number = [width](uint64_t n) { return fmt::format("{:0{}}", n, width); };
  switch (sign) {
    case 'A':
      return number(job.array_job_id ? job.array_job_id : job.id);
    case 'a':
      return number(job.array_task_id.value_or(4294967294u));
    case 'j':
      return number(job.id);
    case 'J':
      return v.batch ? number(job.id) : fmt::format("{}.{}", number(job.id), v.step_id);
    case 's':
      return v.batch ? "batch" : number(v.step_id);
    case 'N':
      return v.node;
    case 'n':
      return number(v.node_index);
    case 't':
      return number(v.task);
    case 'u':
      return job.user;
    case 'x':
      return job.spec->name();
    case '%':
      return "%";
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string expand_pattern(const std::string& pattern, const PatternValues& values,
                           const std::string& work_dir) {
  std::string name;
  if (pattern.find('\\') != std::string::npos) {
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == '\\' && ++i == pattern.size()) break;
      name += pattern[i];
    }
  } else {
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '%') {
        name += pattern[i];
        continue;
      }
      size_t at = i + 1;
      int width = 0;
      // A number between % and the sign pads with zeros, at most ten places.
      while (at < pattern.size() && is_digit(pattern[at])) {
        width = std::min(width * 10 + (pattern[at] - '0'), 10);
        ++at;
      }
      auto value = at < pattern.size() ? sign_value(pattern[at], values, width) : std::nullopt;
      if (value) {
        name += *value;
        i = at;
      } else {
        name += '%';
      }
    }
  }
  if (name.empty() || name.front() == '/') return name;
  return work_dir + (work_dir.ends_with('/') ? "" : "/") + name;
}

JobFiles batch_files(const Job& job) {
  const v1::JobSpec& spec = *job.spec;
  PatternValues values{&job};
  if (!job.allocation.empty()) values.node = job.allocation.front().name;
  std::string standard = job.array_job_id ? "slurm-%A_%a.out" : "slurm-%j.out";
  JobFiles files;
  files.in =
      spec.std_in().empty() ? "/dev/null" : expand_pattern(spec.std_in(), values, spec.work_dir());
  files.out =
      expand_pattern(spec.std_out().empty() ? standard : spec.std_out(), values, spec.work_dir());
  files.err =
      spec.std_err().empty() ? files.out : expand_pattern(spec.std_err(), values, spec.work_dir());
  return files;
}

}  // namespace grappe::embedded
