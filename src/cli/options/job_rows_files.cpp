// Files, folder, environment and limits of the job, and mail about it.
#include "base/text.h"
#include "cli/options/job_rows.h"
#include "cli/options/values.h"
#include "model/mail.h"

namespace grappe {
namespace {

using v1::JobSpec;

Status set_open_mode(JobOptions& o, Value v) {
  // Slurm accepts the first letter; the environment of a job holds "a" or "t".
  if (!v.text.empty() && istarts_with("append", v.text)) {
    o.spec.set_open_mode("append");
  } else if (!v.text.empty() && istarts_with("truncate", v.text)) {
    o.spec.set_open_mode("truncate");
  } else {
    return invalid_specification("--open-mode");
  }
  return {};
}

// "none" is no file.
template <auto Mutable>
Status set_file(JobOptions& o, Value v) {
  *(o.spec.*Mutable)() = iequals(v.text, "none") ? "/dev/null" : v.text;
  return {};
}

// [timeout][S|L]
Status set_get_user_env(JobOptions& o, Value v) {
  std::string_view digits = v.text;
  if (!digits.empty() && (digits.back() == 'S' || digits.back() == 's' || digits.back() == 'L' ||
                          digits.back() == 'l')) {
    digits.remove_suffix(1);
  }
  if (!digits.empty() && !parse_uint(digits, 0xffff)) {
    return invalid_specification("--get-user-env");
  }
  o.spec.set_get_user_env(v.text.empty() ? "1" : std::string(v.text));
  return {};
}

Status set_mail_type(JobOptions& o, Value v) {
  auto events = parse_mail_type(v.text);
  if (!events) return invalid_specification("--mail-type");
  o.spec.set_mail_type(*events);
  return {};
}

Status set_umask(JobOptions& o, Value v) {
  uint32_t mask = 0;
  for (char c : v.text) {
    if (c < '0' || c > '7' || mask > 077) return invalid_specification("SLURM_UMASK");
    mask = mask * 8 + static_cast<uint32_t>(c - '0');
  }
  o.spec.set_umask(mask);
  return {};
}

constexpr JobOption kRows[] = {
    {"chdir", 'D', Arg::required, kAllThree, "", "", "SLURM_REMOTE_CWD SLURM_WORKING_DIR", "path",
     "set the working directory",
     [](JobOptions& o, Value v) {
       o.spec.set_work_dir(absolute_path(v.text));
       return Status();
     }},
    {"error", 'e', Arg::required, kSbatch | kSrun, "SBATCH_ERROR", "", "SLURM_STDERRMODE", "err",
     "file for standard error", set_file<&JobSpec::mutable_std_err>},
    {"export", 0, Arg::required, kSbatch | kSrun, "SBATCH_EXPORT", "",
     "SRUN_EXPORT_ENV SLURM_EXPORT_ENV", "names", "environment variables to export, or ALL or NONE",
     [](JobOptions& o, Value v) {
       o.export_env = std::string(v.text);
       return Status();
     }},
    {"export-file", 0, Arg::required, kSbatch, "", "", "", "file|fd",
     "file or descriptor with the environment, NUL separated",
     [](JobOptions& o, Value v) {
       o.export_file = std::string(v.text);
       return Status();
     }},
    {"get-user-env", 0, Arg::optional, kAllocators, "SBATCH_GET_USER_ENV", "", "", "timeout][mode",
     "load the environment of a login", set_get_user_env},
    {"input", 'i', Arg::required, kSbatch | kSrun, "SBATCH_INPUT", "", "SLURM_STDINMODE", "in",
     "file for standard input", set_file<&JobSpec::mutable_std_in>},
    {"mail-type", 0, Arg::required, kAllThree, "", "", "", "type",
     "send mail at BEGIN, END, FAIL, ... or ALL", set_mail_type},
    {"mail-user", 0, Arg::required, kAllThree, "", "", "", "user", "who receives the notifications",
     set_text<&JobSpec::mutable_mail_user>},
    {"open-mode", 0, Arg::required, kSbatch | kSrun, "SBATCH_OPEN_MODE", "", "SLURM_OPEN_MODE",
     "append|truncate", "how output files are opened", set_open_mode},
    {"output", 'o', Arg::required, kSbatch | kSrun, "SBATCH_OUTPUT", "", "SLURM_STDOUTMODE", "out",
     "file for standard output", set_file<&JobSpec::mutable_std_out>},
    {"propagate", 0, Arg::optional, kSbatch | kSrun, "", "", "", "rlimits",
     "propagate all or the listed resource limits",
     [](JobOptions& o, Value v) {
       o.propagate = std::string(v.text);
       return Status();
     }},
    {"", 0, Arg::required, kAllThree, "SLURM_UMASK", "SLURM_UMASK", "SLURM_UMASK", "",
     "umask of the output files", set_umask},
    {"wrap", 0, Arg::required, kSbatch, "", "", "", "command",
     "submit the command in a shell script",
     [](JobOptions& o, Value v) {
       o.wrap = std::string(v.text);
       return Status();
     }},
};

}  // namespace

std::span<const JobOption> file_rows() {
  return kRows;
}

}  // namespace grappe
