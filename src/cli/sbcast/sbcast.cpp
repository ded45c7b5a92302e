// sbcast: a file to every node of a job. Nodes are slices of one machine, so it is copied once.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "base/hostlist.h"
#include "base/text.h"
#include "cli/calls.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/sbcast/copy_file.h"
#include "cli/sbcast/sbcast_options.h"
#include "cli/sbcast/shared_objects.h"
#include "grappe/v1/cluster.pb.h"
#include "grappe/v1/jobs.pb.h"
#include "model/job_state.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

// Slurm's exit code after the command line, where no system error is one.
constexpr int kFailed = 255;

// The nodes of the job, which must be the caller's affair and run.
Result<std::vector<std::string>> check_job(Calls& calls, const SbcastOptions& options) {
  std::string id = options.job.substr(0, options.job.find('.'));
  v1::ListJobsRequest request;
  request.add_job_ids(id);
  request.set_all_states(true);
  auto jobs = calls.call<v1::ListJobsResponse>("Jobs/List", request);
  auto lookup_error = [&](std::string_view text) {
    return fail(fmt::format("Slurm job {} lookup error: {}", options.job, text));
  };
  if (!jobs) return lookup_error(jobs.error().message);
  if (jobs->jobs().empty()) return lookup_error(slurm_error_text(kErrInvalidJobId));
  const v1::JobInfo& job = jobs->jobs(0);
  if (getuid() != 0 && job.uid() != getuid())
    return lookup_error(slurm_error_text(kErrAccessDenied));
  JobState state = base_state(job.state());
  if (state == JobState::kPending) return lookup_error(slurm_error_text(kErrJobPending));
  if (is_finished(state)) return lookup_error(slurm_error_text(kErrAlreadyDone));
  return expand_hostlist(job.nodes());
}

// Folders that a job may have for itself (JobContainerType=job_container/tmpfs).
bool is_private(std::string_view path) {
  for (std::string_view folder : {"/tmp", "/var/tmp", "/dev/shm"}) {
    if (path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/')) {
      return true;
    }
  }
  return false;
}

bool jobs_have_private_tmp(Calls& calls) {
  auto config = calls.call<v1::ConfigResponse>("Cluster/Config", v1::ConfigRequest());
  if (!config) return false;
  for (const v1::Setting& setting : config->settings()) {
    if (setting.key() == "JobContainerType") return setting.value() == "job_container/tmpfs";
  }
  return false;
}

// What is to go into the job's own /tmp can only be copied from within the job: by a step of it.
// Only returns when that can't be.
Status copy_in_job(const SbcastOptions& options, int argc, char** argv) {
  char source[PATH_MAX], here[PATH_MAX];
  if (!realpath(options.source.c_str(), source) || !getcwd(here, sizeof here)) {
    return fail(fmt::format("{}: {}", options.source, std::strerror(errno)));
  }
  if (is_private(source)) {
    return fail(fmt::format(
        "{} can't be copied to {}: the job has a /tmp of its own and does not see this file",
        options.source, options.destination));
  }
  std::vector<std::string> words{"srun",
                                 "-Q",
                                 "--overlap",
                                 "-N1",
                                 "-n1",
                                 "--mem=0",
                                 "--jobid=" + options.job.substr(0, options.job.find('.')),
                                 "-D",
                                 here,
                                 "--",
                                 "sbcast"};
  words.insert(words.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  setenv("SLURM_JOB_ID", options.job.substr(0, options.job.find('.')).c_str(), 1);
  execvp(pointers[0], pointers.data());
  return fail(fmt::format("srun: {}", std::strerror(errno)));
}

bool is_outside(Calls& calls, const SbcastOptions& options) {
  if (!is_private(options.destination)) return false;
  const char* inside = std::getenv("GRAPPE_PRIVATE_TMP");
  if (inside && options.job.substr(0, options.job.find('.')) == inside) return false;
  return jobs_have_private_tmp(calls);
}

Status copy_libraries(const SbcastOptions& options, const std::string& destination,
                      const CopyOptions& how, const Report& report) {
  auto libraries = shared_objects(options.source, options.exclude);
  if (!libraries) return tl::unexpected<Error>(libraries.error());
  if (libraries->empty()) return {};
  std::string folder = destination + "_libs";
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return fail(fmt::format("mkdir {}: {}", folder, std::strerror(errno)));
  for (const std::string& library : *libraries) {
    report.verbose(fmt::format("{} -> {}", library, folder));
    Status copied = copy_file(library, destination_path(library, folder + "/"), how);
    if (!copied) return copied;
  }
  return {};
}

void list_options(const SbcastOptions& options, const Report& report) {
  if (report.verbosity < 1) return;
  constexpr std::string_view kRule = "-----------------------------";
  auto say = [&](std::string_view name, const std::string& value) {
    report.verbose(fmt::format("{:<10} = {}", name, value));
  };
  auto flag = [](bool on) { return std::string(on ? "true" : "false"); };
  report.verbose(kRule);
  say("block_size", std::to_string(options.block_size));
  say("exclude", join(options.exclude, ","));
  say("force", flag(options.force));
  say("preserve", flag(options.preserve));
  say("send_libs", flag(options.send_libs));
  say("verbose", std::to_string(options.verbose));
  say("source", options.source);
  say("dest", options.destination);
  report.verbose(kRule);
  struct stat file {};
  if (stat(options.source.c_str(), &file) == 0) {
    say("modes", fmt::format("{:o}", file.st_mode));
    say("size", std::to_string(file.st_size));
  }
  say("jobid", options.job);
}

int broadcast(Calls& calls, const SbcastOptions& options, int argc, char** argv) {
  Report report("sbcast");
  report.verbosity = options.verbose;
  auto failed = [&](const Status& status) {
    report.error(status.error());
    return status.error().code ? status.error().code : kFailed;
  };
  int error = access(options.source.c_str(), R_OK) == 0 ? 0 : errno;
  if (error) {
    return failed(fail(fmt::format("Can't open `{}`: {}", options.source, std::strerror(error))));
  }
  list_options(options, report);
  auto nodes = check_job(calls, options);
  if (!nodes) return failed(tl::unexpected(nodes.error()));
  if (is_outside(calls, options)) return failed(copy_in_job(options, argc, argv));
  CopyOptions how{options.force, options.preserve, options.block_size};
  std::string destination = destination_path(options.source, options.destination);
  report.verbose(fmt::format("{} -> {}", options.source, destination));
  Status copied = copy_file(options.source, destination, how);
  if (copied && options.send_libs) copied = copy_libraries(options, destination, how, report);
  if (copied || !copied.error().code) return copied ? 0 : failed(copied);
  // What the system refused, each node of a real cluster would say for itself.
  for (const std::string& node : *nodes) {
    report.error(
        fmt::format("REQUEST_FILE_BCAST({}): {}", node, std::strerror(copied.error().code)));
  }
  return copied.error().code;
}

}  // namespace

int run_sbcast(int argc, char** argv) {
  SbcastOptions options;
  if (auto code = read_sbcast_options(argc, argv, options)) return *code;
  ServiceCalls calls;
  return broadcast(calls, options, argc, argv);
}

}  // namespace grappe
