#include "cli/srun/launch.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/cpu_bind.h"
#include "base/hostlist.h"
#include "base/index_set.h"
#include "cli/accounts.h"
#include "cli/options/job_request.h"
#include "cli/srun/broadcast.h"
#include "cli/srun/hooks.h"
#include "cli/srun/step_files.h"
#include "cli/srun/step_request.h"
#include "cli/srun/step_session.h"
#include "cli/srun/terminal.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

// In an allocation -J names the step; the job has a name of its own.
std::string job_name(const JobOptions& options) {
  const char* around = options.jobid ? std::getenv("SLURM_JOB_NAME") : nullptr;
  return around ? around : options.spec.name();
}

using std::chrono::milliseconds;

// Only looked up for a file name that holds it: that costs a reading of the password file.
std::string user_name(const FilesPlan& files) {
  const std::string names = files.in.file + files.out.file + files.err.file;
  if (names.find('u') == std::string::npos) return "";
  const auto account = find_account(getuid());
  return account ? account->name : std::to_string(getuid());
}

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

StepFace face_of(uint32_t job_id, const v1::CreateStepResponse& step, bool interactive) {
  StepFace face;
  face.job_id = job_id;
  face.step = interactive ? "interactive" : std::to_string(step.step_id());
  if (auto names = expand_hostlist(step.nodes())) face.nodes = std::move(*names);
  face.task_node.assign(step.task_node().begin(), step.task_node().end());
  face.task_node.resize(step.ntasks());
  return face;
}

bool step_is_running(Calls& calls, const StepFace& face) {
  v1::ListJobsRequest request;
  request.add_job_ids(std::to_string(face.job_id));
  request.set_steps(true);
  auto answer = calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!answer) return false;
  return std::any_of(answer->steps().begin(), answer->steps().end(), [&](const v1::StepInfo& step) {
    return step.job_id() == face.job_id && step.step_id() == face.step;
  });
}

// One step of one job, and everything that must be put right when it fails half-way.
class Launch {
 public:
  Launch(const JobOptions& options, Service service, Signals& signals, const Report& report,
         int error_exit, FilesPlan files)
      : options_(options),
        service_(service),
        signals_(signals),
        report_(report),
        error_exit_(error_exit),
        files_(std::move(files)) {}

  SessionEnd run(uint32_t job_id, std::optional<uint32_t> own_nodes) {
    v1::CreateStepRequest request;
    request.set_job_id(job_id);
    request.set_srun_pid(static_cast<uint32_t>(getpid()));
    request.set_srun_host(options_.spec.submit_host());
    *request.mutable_spec() = make_step_spec(options_, files_, own_nodes);
    std::optional<uint32_t> immediate_s;
    if (options_.spec.has_immediate_s() && !own_nodes) immediate_s = options_.spec.immediate_s();
    Allocator allocator(service_, signals_, report_, error_exit_);
    auto step = allocator.create_step(std::move(request), immediate_s);
    if (!step) return failure(step.error());
    face_ = face_of(job_id, *step, options_.step.interactive());
    say_launching();
    return attend(*step);
  }

 private:
  static SessionEnd failure(int exit_code) { return {exit_code, exit_code << 8}; }

  SessionEnd give_up(const Error& error) {
    cancel();
    if (!error.message.empty()) report_.error(error);
    return failure(error_exit_);
  }

  SessionEnd not_launched(int error) {
    cancel();
    if (error == EINTR) {
      report_.info("forcing job termination");
      report_.info(fmt::format(
          "launch/slurm: launch_p_step_launch: {} aborted before step completely launched.",
          face_.id()));
    } else {
      report_.error(fmt::format("Task launch for {} failed on node {}: {}", face_.id(),
                                face_.nodes.empty() ? "" : face_.nodes[0], std::strerror(error)));
    }
    return failure(error_exit_);
  }

  bool cancel() {
    return cancel_by_id(service_.calls, fmt::format("{}.{}", face_.job_id, face_.step));
  }

  void say_launching() const {
    if (report_.verbosity < 1) return;
    if (options_.spec.has_cpus_per_task() && !options_.step.exact() && !options_.whole) {
      report_.verbose("Implicitly setting --exact, because -c/--cpus-per-task given.");
    }
    const std::string& bound = options_.step.cpu_bind();
    const auto asked = parse_cpu_bind(bound);
    report_.verbose("launch/slurm: launch_p_step_launch: CpuBindType=" +
                    std::string(bound.empty() || !asked ? "(null type)" : asked->type()));
    for (uint32_t node = 0; node < face_.nodes.size(); ++node) {
      std::vector<uint32_t> tasks;
      for (uint32_t task = 0; task < face_.task_node.size(); ++task) {
        if (face_.task_node[task] == node) tasks.push_back(task);
      }
      const std::string list = format_index_set(tasks);
      report_.verbose(fmt::format("launching {} on host {}, {} tasks: {}", face_.id(),
                                  face_.nodes[node], tasks.size(),
                                  tasks.size() > 1 ? "[" + list + "]" : list));
    }
  }

  std::vector<std::string> command() const {
    return {options_.step.argv().begin(), options_.step.argv().end()};
  }

  SessionEnd attend(const v1::CreateStepResponse& step) {
    const PatternNames names{face_, user_name(files_), job_name(options_),
                             variable("SLURM_ARRAY_JOB_ID"), variable("SLURM_ARRAY_TASK_ID")};
    StepOutput output(step.ntasks(), options_.step.labelled(), options_.step.unbuffered());
    const bool append = options_.spec.open_mode() == "append";
    if (Status opened = open_outputs(files_, names, append, output); !opened) {
      return give_up(opened.error());
    }
    auto input = open_input(files_, names);
    if (!input) return give_up(input.error());
    const v1::SrunDefaults& site = step.defaults();
    const std::string& prolog = options_.prolog.empty() ? site.prolog() : options_.prolog;
    const std::string& epilog = options_.epilog.empty() ? site.epilog() : options_.epilog;
    if (int rc = run_hook(prolog, command(), face_, signals_, report_); rc != 0) {
      report_.error(fmt::format("srun prolog failed rc = {}. Aborting step.", rc));
      report_.info(fmt::format(
          "launch/slurm: launch_p_step_launch: {} aborted before step completely launched.",
          face_.id()));
      cancel();
      run_hook(epilog, command(), face_, signals_, report_);
      return failure(rc);
    }
    SessionEnd end = converse(step, *input ? input->get() : STDIN_FILENO, output);
    run_hook(epilog, command(), face_, signals_, report_);
    return end;
  }

  SessionEnd converse(const v1::CreateStepResponse& step, int input, StepOutput& output) {
    SessionSetup setup;
    setup.reconnect = [this, &step] {
      return await_step_socket(step.socket(), signals_,
                               [this] { return step_is_running(service_.calls, face_); });
    };
    setup.socket = setup.reconnect();
    if (!setup.socket) return not_launched(errno);
    const bool reads = !files_.in.none && files_.in.remote.empty();
    setup.input = reads ? input : -1;
    setup.input_task = files_.in.only_task;
    setup.pty = options_.step.pty();
    setup.quit_on_interrupt = options_.quit_on_interrupt;
    setup.disable_status = options_.disable_status;
    const v1::SrunDefaults& site = step.defaults();
    const v1::StepSpec& asked = options_.step;
    setup.kill_on_bad_exit =
        asked.has_kill_on_bad_exit() ? asked.kill_on_bad_exit() : site.kill_on_bad_exit();
    setup.wait_s = asked.has_wait_s() ? asked.wait_s() : site.wait_s();
    setup.kill_wait_s = site.kill_wait_s();
    setup.kill_step = [this] { return cancel(); };
    std::optional<RawTerminal> terminal;
    if (setup.pty) {
      terminal.emplace(STDIN_FILENO);
      setup.typed_before = terminal->typed_before();
    }
    return StepSession(std::move(setup), face_, output, signals_, report_).run();
  }

  const JobOptions& options_;
  Service service_;
  Signals& signals_;
  const Report& report_;
  int error_exit_;
  FilesPlan files_;
  StepFace face_;
};

void say_allocated(const v1::JobInfo& job, const Report& report) {
  if (report.verbosity < 1) return;
  std::string counts;
  for (int i = 0, end = 0; i < job.shares_size(); i = end) {
    const int cpus = job.shares(i).cpu_ids_size();
    while (end < job.shares_size() && job.shares(end).cpu_ids_size() == cpus) ++end;
    counts += fmt::format("{}{}(x{})", counts.empty() ? "" : ",", cpus, end - i);
  }
  report.verbose(fmt::format("jobid {}: nodes({}):`{}', cpu counts: {}", job.job_id(),
                             job.num_nodes(), job.nodes(), counts));
}

// The end of our own allocation. A service that is being restarted must hear of it too, or the
// job would keep its resources.
void complete_job(Calls& calls, uint32_t job_id, int status, const Report& report) {
  constexpr int kTries = 30;
  v1::CompleteRequest request;
  request.set_job_id(job_id);
  request.set_exit_code(static_cast<uint32_t>(status));
  for (int i = 1;; ++i) {
    auto answer = calls.call<v1::CompleteResponse>("Jobs/Complete", request);
    if (answer) return;
    const int code = answer.error().code;
    // Any other refusal: it has been ended already.
    if (code != kErrContactConnect && code != kErrContactReceive) return;
    if (i == kTries) return report.error(answer.error());
    sleep(1);
  }
}

}  // namespace

UniqueFd await_step_socket(const std::string& path, Signals& signals,
                           const std::function<bool()>& still_there) {
  using std::chrono::microseconds;
  // Short at first: the socket is there within a millisecond or so, unless a prolog runs.
  constexpr microseconds kLongest{100'000}, kAsk{1'000'000};
  microseconds pause{100}, since_asked{0};
  bool asked = false;
  for (;;) {
    UniqueFd fd(connect_step_socket(path));
    if (fd) return fd;
    // Between its birth and its opening to us it may not be touched.
    const bool too_early =
        errno == ENOENT || errno == ECONNREFUSED || errno == EAGAIN || (errno == EACCES && !asked);
    if (!too_early) return {};
    pollfd wait{signals.fd(), POLLIN, 0};
    const timespec time{0, pause.count() * 1000};
    ppoll(&wait, 1, &time, nullptr);
    while (auto number = signals.next()) {
      if (!asks_to_stop(*number)) continue;
      errno = EINTR;
      return {};
    }
    since_asked += pause;
    pause = std::min(kLongest, pause * 5 / 4);
    if (since_asked < kAsk) continue;
    since_asked = microseconds(0);
    asked = true;
    if (still_there()) continue;
    errno = ENOENT;
    return {};
  }
}

int run_step(JobOptions& options, Service service, Signals& signals, const Report& report,
             int error_exit) {
  FilesPlan files = plan_files(options, expected_tasks(options));
  Launch launch(options, service, signals, report, error_exit, std::move(files));
  if (options.jobid) {
    if (!broadcast_program(*options.jobid, options, signals, report)) return error_exit;
    return launch.run(*options.jobid, std::nullopt).exit_code;
  }

  v1::SubmitRequest request;
  request.set_test_only(options.test_only);
  request.set_ends_with_client(true);
  *request.mutable_spec() = options.spec;
  Allocator allocator(service, signals, report, error_exit);
  auto job = allocator.allocate(request);
  if (!job) return job.error();
  say_allocated(*job, report);
  SessionEnd end{error_exit, error_exit << 8};
  if (broadcast_program(job->job_id(), options, signals, report)) {
    end = launch.run(job->job_id(), std::max(1u, job->num_nodes()));
  }
  complete_job(service.calls, job->job_id(), end.status, report);
  return end.exit_code;
}

}  // namespace grappe
