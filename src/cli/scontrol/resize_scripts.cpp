#include "cli/scontrol/resize_scripts.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "cli/salloc/allocation_environment.h"

namespace grappe::scontrol {
namespace {

struct Syntax {
  const char* suffix;
  std::string (*set)(const std::string& name, const std::string& value);
  const char* unset;
};

constexpr Syntax kSyntaxes[] = {
    {"sh", [](const std::string& n, const std::string& v) { return "export " + n + "=" + v; },
     "unset"},
    {"csh", [](const std::string& n, const std::string& v) { return "setenv " + n + " " + v; },
     "unsetenv"},
};

std::string script_text(const v1::JobInfo& job, const Syntax& syntax) {
  std::vector<uint32_t> cpus;
  for (const v1::NodeShare& share : job.shares()) {
    cpus.push_back(static_cast<uint32_t>(share.cpu_ids_size()));
  }
  const std::string nodes = '"' + job.nodes() + '"', count = std::to_string(job.num_nodes());
  const std::pair<const char*, std::string> values[] = {
      {"SLURM_NODELIST", nodes},
      {"SLURM_JOB_NODELIST", nodes},
      {"SLURM_NNODES", count},
      {"SLURM_JOB_NUM_NODES", count},
      {"SLURM_JOB_CPUS_PER_NODE", '"' + repeat_counts(cpus) + '"'},
  };
  std::string text;
  for (const auto& [name, value] : values) text += syntax.set(name, value) + "\n";
  for (const char* name : {"SLURM_NPROCS", "SLURM_NTASKS", "SLURM_TASKS_PER_NODE"}) {
    text += fmt::format("{} {}\n", syntax.unset, name);
  }
  return text;
}

bool write_script(Session& session, const std::string& path, const std::string& text) {
  // A link that somebody left there is not followed.
  unlink(path.c_str());
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700));
  if (file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) {
    return true;
  }
  session.complain(fmt::format("Could not create file {}: {}", path, std::strerror(errno)));
  return false;
}

}  // namespace

void write_resize_scripts(Session& session, const std::string& job_id) {
  const char* here = std::getenv("SLURM_JOB_ID");
  if (!here || job_id != here) return;
  v1::ListJobsRequest request;
  request.add_job_ids(job_id);
  request.set_view(v1::ListJobsRequest::FULL);
  auto jobs = session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!jobs || jobs->jobs().empty()) return;
  const std::string name = "slurm_job_" + job_id + "_resize.";
  for (const Syntax& syntax : kSyntaxes) {
    if (!write_script(session, name + syntax.suffix, script_text(jobs->jobs(0), syntax))) return;
  }
  session.say("To reset Slurm environment variables, execute\n");
  session.say(fmt::format("  For bash or sh shells:  . ./{}sh\n", name));
  session.say(fmt::format("  For csh shells:         source ./{}csh\n", name));
}

}  // namespace grappe::scontrol
