// sattach: look on at a running step.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/hostlist.h"
#include "cli/calls.h"
#include "cli/command.h"
#include "cli/sattach/options.h"
#include "cli/srun/step_session.h"
#include "cli/srun/terminal.h"
#include "grappe/v1/jobs.pb.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

Result<v1::StepInfo> find_step(Calls& calls, const SattachOptions& options) {
  v1::ListJobsRequest request;
  request.add_job_ids(std::to_string(options.job_id));
  request.set_steps(true);
  request.set_view(v1::ListJobsRequest::FULL);
  auto answer = calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!answer) return tl::unexpected(answer.error());
  for (const v1::StepInfo& step : answer->steps()) {
    if (step.job_id() == options.job_id && step.step_id() == options.step) return step;
  }
  return slurm_fail(kErrInvalidJobId);
}

StepFace face_of(const v1::StepInfo& step) {
  StepFace face;
  face.job_id = step.job_id();
  face.step = step.step_id();
  if (auto names = expand_hostlist(step.nodes())) face.nodes = std::move(*names);
  face.task_node.resize(step.num_tasks());
  uint32_t task = 0;
  for (int node = 0; node < step.tasks_per_node_size(); ++node) {
    for (uint32_t i = 0; i < step.tasks_per_node(node) && task < step.num_tasks(); ++i) {
      face.task_node[task++] = static_cast<uint32_t>(node);
    }
  }
  // Where they really are, once they run: distributions other than block mix them.
  for (const v1::TaskPid& pid : step.pids()) {
    auto found = std::find(face.nodes.begin(), face.nodes.end(), pid.node());
    if (found == face.nodes.end() || pid.task() >= face.task_node.size()) continue;
    face.task_node[pid.task()] = static_cast<uint32_t>(found - face.nodes.begin());
  }
  return face;
}

void print_layout(const StepFace& face, const std::string& nodes) {
  std::printf("Job step layout:\n\t%zu tasks, %zu nodes (%s)\n\n", face.task_node.size(),
              face.nodes.size(), nodes.c_str());
  for (uint32_t node = 0; node < face.nodes.size(); ++node) {
    std::string tasks;
    size_t count = 0;
    for (uint32_t task = 0; task < face.task_node.size(); ++task) {
      if (face.task_node[task] != node) continue;
      tasks += std::to_string(task) + " ";
      ++count;
    }
    std::printf("\tNode %u (%s), %zu task(s): %s\n", node, face.nodes[node].c_str(), count,
                tasks.c_str());
  }
}

void route(StepOutput& output, StepOutput::Stream stream, int fd, std::optional<uint32_t> only_task,
           uint32_t ntasks) {
  OutputFile* file = output.add_file(std::make_unique<OutputFile>(fd));
  for (uint32_t task = 0; task < ntasks; ++task) {
    if (!only_task || *only_task == task) output.route(stream, task, file);
  }
}

int attach(const SattachOptions& options, const v1::StepInfo& step, const StepFace& face,
           const Report& report) {
  SessionSetup setup;
  setup.attached = true;
  setup.socket = UniqueFd(connect_step_socket(step.socket()));
  if (!setup.socket) {
    report.error(fmt::format("Could not attach to {}: {}", face.id(), std::strerror(errno)));
    return 1;
  }
  setup.input = STDIN_FILENO;
  setup.input_task = options.input_filter;
  setup.pty = options.pty;
  StepOutput output(step.num_tasks(), options.label, options.pty);
  route(output, StepOutput::kOut, STDOUT_FILENO, options.output_filter, step.num_tasks());
  route(output, StepOutput::kErr, STDERR_FILENO, options.error_filter, step.num_tasks());
  Signals signals;
  std::optional<RawTerminal> terminal;
  if (options.pty) {
    terminal.emplace(STDIN_FILENO);
    setup.typed_before = terminal->typed_before();
  }
  return StepSession(std::move(setup), face, output, signals, report).run().exit_code;
}

void list_options(const SattachOptions& options, const v1::StepInfo& step, const Report& report) {
  constexpr std::string_view kRule = "--------------- ---------------------";
  auto say = [&](std::string_view name, const std::string& value) {
    report.verbose(fmt::format("{:<15}: {}", name, value));
  };
  report.verbose("defined options for program `sattach'");
  report.verbose(kRule);
  say("job ID", std::to_string(step.job_id()));
  say("step ID", step.step_id());
  say("uid", std::to_string(getuid()));
  say("gid", std::to_string(getgid()));
  say("verbose", std::to_string(options.verbose));
}

}  // namespace

int run_sattach(int argc, char** argv) {
  Report report("sattach");
  SattachOptions options;
  if (auto exit = read_sattach_options(argc, argv, options)) return *exit;
  report.verbosity = options.quiet ? -1 : options.verbose;
  ServiceCalls calls;
  auto step = find_step(calls, options);
  if (!step) {
    report.error(step.error(), "Could not get job step info: ");
    return 1;
  }
  list_options(options, *step, report);
  const StepFace face = face_of(*step);
  if (options.layout) {
    print_layout(face, step->nodes());
    return 0;
  }
  return attach(options, *step, face, report);
}

}  // namespace grappe
