// sbcast: a file to every node of a job. Nodes are slices of one machine, so it is copied once.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/calls.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/sbcast/copy_file.h"
#include "cli/sbcast/sbcast_options.h"
#include "cli/sbcast/shared_objects.h"
#include "grappe/v1/jobs.pb.h"
#include "model/job_state.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

// Slurm's exit code for everything after the command line.
constexpr int kFailed = 255;

// The job must be the caller's affair and have nodes.
Status check_job(Calls& calls, const SbcastOptions& options) {
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
  return {};
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

int broadcast(Calls& calls, const SbcastOptions& options) {
  Report report("sbcast");
  report.verbosity = options.verbose;
  auto failed = [&](const Status& status) {
    report.error(status.error());
    return kFailed;
  };
  int error = access(options.source.c_str(), R_OK) == 0 ? 0 : errno;
  if (error) {
    return failed(fail(fmt::format("Can't open `{}`: {}", options.source, std::strerror(error))));
  }
  Status job = check_job(calls, options);
  if (!job) return failed(job);
  CopyOptions how{options.force, options.preserve, options.block_size};
  std::string destination = destination_path(options.source, options.destination);
  report.verbose(fmt::format("{} -> {}", options.source, destination));
  Status copied = copy_file(options.source, destination, how);
  if (copied && options.send_libs) copied = copy_libraries(options, destination, how, report);
  return copied ? 0 : failed(copied);
}

}  // namespace

int run_sbcast(int argc, char** argv) {
  SbcastOptions options;
  if (auto code = read_sbcast_options(argc, argv, options)) return *code;
  ServiceCalls calls;
  return broadcast(calls, options);
}

}  // namespace grappe
