// srun: run tasks in an allocation, its own or the one it is started in.
#include <cstdio>
#include <span>

#include "cli/command.h"
#include "cli/options/gres_help.h"
#include "cli/options/job_command_line.h"
#include "cli/options/job_request.h"
#include "cli/srun/launch.h"
#include "cli/srun/mpi.h"
#include "cli/srun/step_request.h"

namespace grappe {
namespace {

std::optional<int> settle_mpi(const JobOptions& options, const Report& report) {
  if (options.list_mpi) {
    std::fputs(mpi_list().c_str(), stdout);
    return 0;
  }
  const std::string& type = options.step.mpi();
  if (!options.given("mpi") || knows_mpi(type)) return std::nullopt;
  report.error("Invalid MPI type '" + type + "', --mpi=list for acceptable types");
  return 1;
}

}  // namespace

int run_srun(int argc, char** argv) {
  Report report("srun");
  JobOptions options(kSrun);
  describe_caller(argc, argv, options);
  JobCommandLine line(kSrun);
  Parsed parsed = line.read(argc, argv);
  if (parsed.exit_code) return *parsed.exit_code;
  const int error_exit = error_exit_code(report);
  if (auto exit = line.settle(options)) return *exit;
  report.verbosity = options.quiet ? -1 : options.verbose;
  if (auto exit = settle_mpi(options, report)) return *exit;

  ServiceCalls calls, waiting;
  if (options.spec.gres() == "help") return list_gres(calls, report);
  std::span<char*> operands(argv + parsed.first_operand, argv + argc);
  if (operands.empty()) {
    report.fatal("No command given to execute.");
    return error_exit;
  }
  if (!options.jobid && options.step.has_relative()) {
    report.fatal("--relative option invalid for job allocation request");
    return error_exit;
  }
  if (Status settled = settle_program(operands, options, report); !settled) {
    if (!settled.error().message.empty()) report.error(settled.error());
    return error_exit;
  }
  list_options(options, report);
  Signals signals;
  Service service{calls, waiting};
  if (options.msg_timeout_s) service.patience = std::chrono::seconds(*options.msg_timeout_s);
  return run_step(options, service, signals, report, error_exit);
}

}  // namespace grappe
