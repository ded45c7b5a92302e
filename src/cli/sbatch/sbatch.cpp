// sbatch: submit a batch script.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <span>

#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/options/gres_help.h"
#include "cli/options/job_command_line.h"
#include "cli/options/job_environment.h"
#include "cli/options/job_request.h"
#include "cli/options/login_environment.h"
#include "cli/options/values.h"
#include "cli/sbatch/batch_script.h"
#include "cli/sbatch/foreign_directives.h"
#include "cli/sbatch/submit.h"

namespace grappe {
namespace {

struct Script {
  std::string typed;  // as on the command line; "" for standard input and --wrap
  std::string path;
  std::string text;
  std::string default_name;
};

Result<Script> load_script(const JobCommandLine& line, std::span<char*> operands) {
  Script script;
  if (auto command = line.peek("wrap")) {
    if (!operands.empty()) return fail("Script arguments not permitted with --wrap option");
    script.text = wrapped_script(*command);
    script.default_name = "wrap";
    return script;
  }
  script.default_name = "sbatch";
  if (!operands.empty()) {
    script.typed = operands[0];
    script.path = find_script(script.typed, absolute_path(line.peek("chdir").value_or("")));
    script.default_name = script.path.substr(script.path.rfind('/') + 1);
  }
  auto text = read_script(script.path, script.typed);
  if (!text) return tl::unexpected<Error>(text.error());
  script.text = std::move(*text);
  return script;
}

bool asks_for_het_job(const Directives& directives) {
  for (const std::string& word : directives.sbatch) {
    if (word == "hetjob" || word == "packjob") return true;
  }
  return false;
}

// Script, environment, command line: the later wins.
std::optional<int> read_options(const JobCommandLine& line, const Script& script,
                                const Report& report, JobOptions& options) {
  auto directives = read_directives(script.text, script.typed);
  if (!directives) {
    report.fatal(directives.error().message);
    return 1;
  }
  if (directives->old_prefix) {
    report.error(
        "Change from #SLURM to #SBATCH in your script and verify the options are valid in sbatch");
  }
  if (asks_for_het_job(*directives)) {
    report.error("hetjob is not supported: a job has one set of resources");
    return 1;
  }
  if (auto exit = line.apply_script(directives->sbatch, options)) return exit;
  // What sbatch says is for the command line and the environment to decide, as in Slurm.
  options.quiet = false;
  options.verbose = 0;
  if (!line.has_flag("ignore-pbs") && !options.ignore_pbs) {
    if (auto exit = apply_foreign(*directives, line, report, options)) return exit;
  }
  return line.settle(options);
}

// The login environment is loaded here and not where the job runs: it is the same machine, and
// here it is the user who runs the shell.
Status load_login(JobOptions& options, Environment& environment) {
  v1::JobSpec& spec = options.spec;
  uid_t uid = spec.has_as_uid() ? spec.as_uid() : getuid();
  auto login = login_environment(uid, parse_login_mode(spec.get_user_env()));
  if (!login) return fail("--get-user-env: " + login.error().message);
  add_missing(*login, environment);
  environment.set("SLURM_GET_USER_ENV", "1");
  spec.clear_get_user_env();
  return {};
}

// A script from standard input without -J: shown as "sbatch", but not called so.
bool nameless(const v1::JobSpec& spec) {
  return spec.command().empty() && spec.name() == "sbatch";
}

Result<Environment> job_environment(JobOptions& options) {
  Environment own = Environment::of_this_process();
  Environment out;
  if (options.export_file) {
    auto file = environment_from_file(*options.export_file);
    if (!file) return file;
    out = std::move(*file);
  } else {
    if (!nameless(options.spec)) own.set("SLURM_JOB_NAME", options.spec.name());
    add_requested(options, own);
    bool login = false;
    out = exported_environment(own, options.export_env.value_or("ALL"), login);
    if (login) out.set("SLURM_EXPORT_ENV", *options.export_env);
    if (login || !options.spec.get_user_env().empty()) {
      if (Status loaded = load_login(options, out); !loaded) {
        return tl::unexpected<Error>(loaded.error());
      }
    }
  }
  out.set("SLURM_PRIO_PROCESS", std::to_string(getpriority(PRIO_PROCESS, 0)));
  out.set("SLURM_SUBMIT_DIR", options.submit_dir);
  out.set("SLURM_SUBMIT_HOST", options.spec.submit_host());
  return out;
}

// What the script itself says of the job.
void name_job(const Script& script, std::span<char*> arguments, JobOptions& options) {
  v1::JobSpec& spec = options.spec;
  if (!options.given("job-name")) spec.set_name(script.default_name);
  spec.set_batch(true);
  // As it was typed, where that says where it is.
  spec.set_command(script.typed.starts_with(".") ? script.typed : script.path);
  for (char* argument : arguments) {
    spec.add_argv(argument);
    *spec.mutable_command() += " " + std::string(argument);
  }
}

int submit(Script& script, std::span<char*> arguments, JobOptions& options, const Report& report,
           int error_exit) {
  ServiceCalls calls(/*one_call=*/!options.wait);
  if (options.spec.gres() == "help") return list_gres(calls, report);
  if (!knows_clusters(calls, options.spec.clusters(), report)) return error_exit;
  name_job(script, arguments, options);
  Status limits = add_rlimits(options.propagate, options.spec);
  auto environment = job_environment(options);
  if (!limits || !environment) {
    report.error(limits ? environment.error() : limits.error());
    return 1;
  }
  v1::SubmitRequest request;
  request.set_script(std::move(script.text));
  request.set_environment(environment->packed());
  request.set_test_only(options.test_only);
  *request.mutable_spec() = options.spec;
  return submit_batch_job(request, options, calls, report, error_exit);
}

// The command line and the script, all but what is done with them.
std::optional<int> read_job(int argc, char** argv, Report& report, JobOptions& options,
                            Script& script, std::span<char*>& arguments, int& error_exit) {
  describe_caller(argc, argv, options);
  JobCommandLine line(kSbatch);
  Parsed parsed = line.read(argc, argv);
  if (parsed.exit_code) return *parsed.exit_code;
  error_exit = error_exit_code(report);
  std::span<char*> operands(argv + parsed.first_operand, argv + argc);
  if (!operands.empty() && std::string_view(operands[0]) == ":") {
    report.error("\":\" is not supported: a job has one set of resources, not several");
    return error_exit;
  }
  auto loaded = load_script(line, operands);
  Status good = loaded ? check_script(loaded->text) : Status(tl::unexpected<Error>(loaded.error()));
  if (!good) {
    report.error(good.error());
    return error_exit;
  }
  script = std::move(*loaded);
  if (auto exit = read_options(line, script, report, options)) return *exit;
  report.verbosity = options.quiet ? -1 : options.verbose;
  list_options(options, report);
  arguments = operands.empty() ? operands : operands.subspan(1);
  return std::nullopt;
}

}  // namespace

std::optional<int> read_batch_job(int argc, char** argv, Report& report, v1::JobSpec& spec) {
  JobOptions options(kSbatch);
  Script script;
  std::span<char*> arguments;
  int error_exit = 1;
  if (auto exit = read_job(argc, argv, report, options, script, arguments, error_exit)) return exit;
  name_job(script, arguments, options);
  spec = options.spec;
  return std::nullopt;
}

int run_sbatch(int argc, char** argv) {
  Report report("sbatch");
  JobOptions options(kSbatch);
  Script script;
  std::span<char*> arguments;
  int error_exit = 1;
  if (auto exit = read_job(argc, argv, report, options, script, arguments, error_exit)) {
    return *exit;
  }
  return submit(script, arguments, options, report, error_exit);
}

}  // namespace grappe
