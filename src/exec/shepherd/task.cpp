#include "exec/shepherd/task.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "exec/os/files.h"
#include "exec/os/process.h"
#include "exec/shepherd/step_setup.h"
#include "exec/shepherd/task_prolog.h"

namespace grappe::exec {
namespace {

// Before the task is the user's there is nobody to tell but the shepherd.
[[noreturn]] void give_up(const TaskStart& start, const std::string& why) {
  const TaskFailure header{start.task.rank, static_cast<uint32_t>(why.size())};
  std::string message(reinterpret_cast<const char*>(&header), sizeof header);
  message += why;
  [[maybe_unused]] const ssize_t n = write(start.failures, message.data(), message.size());
  raise(kIoFailureSignal);
  _exit(1);
}

void complain(const TaskStart& start, const std::string& text) {
  const std::string line = error_prefix(start.launch, start.task.node_index) + text + "\n";
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, line.data(), line.size());
}

void set_limits(const TaskStart& start) {
  if (start.open_files_limit > 0) {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = std::min<rlim_t>(start.open_files_limit, files.rlim_max);
    setrlimit(RLIMIT_NOFILE, &files);
  }
  for (const RlimitSetting& setting : start.launch.rlimits) {
    const auto resource = static_cast<__rlimit_resource>(setting.resource);
    const rlimit wanted{setting.soft, setting.hard};
    if (setrlimit(resource, &wanted) == 0) continue;
    // A hard limit above ours needs a right that root may lack: take what there is.
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0) continue;
    limit.rlim_max = std::min<rlim_t>(limit.rlim_max, setting.hard);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, setting.soft);
    setrlimit(resource, &limit);
  }
}

void bind_to_cpus(const TaskStart& start) {
  const auto& cpus = start.task.cpus;
  if (cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const uint32_t cpu : cpus) {
    if (cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  }
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    complain(start, fmt::format("sched_setaffinity(): {}", std::strerror(errno)));
  }
}

void give_notice(const TaskStart& start) {
  std::string text = start.task.notice;
  if (text.empty()) return;
  if (const size_t mark = text.find("%p"); mark != std::string::npos) {
    text.replace(mark, 2, std::to_string(getpid()));
  }
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, text.data(), text.size());
}

void take_streams(const TaskStart& start) {
  const TaskStreams& streams = start.streams;
  if (streams.terminal >= 0) {
    ioctl(streams.terminal, TIOCSCTTY, 0);
    for (const int fd : {0, 1, 2}) dup2(streams.terminal, fd);
    return;
  }
  if (streams.in >= 0) dup2(streams.in, 0);
  if (streams.out >= 0) dup2(streams.out, 1);
  if (streams.err >= 0) dup2(streams.err, 2);
}

void wait_for_go(const TaskStart& start) {
  char word;
  ssize_t n;
  do {
    n = read(start.go, &word, 1);
  } while (n < 0 && errno == EINTR);
  if (n != 1) _exit(1);
}

void open_onto(const TaskStart& start, const std::string& path, int flags, int target) {
  const UniqueFd fd = open_outside(start.outside_root, path, flags);
  if (!fd) give_up(start, kIoFailure);
  dup2(fd.get(), target);
}

int output_flags(const TaskStart& start, const std::string& path) {
  const bool truncate = start.launch.open_mode == OpenMode::kTruncate &&
                        (start.shared_files == nullptr || !start.shared_files->contains(path));
  return O_WRONLY | O_CREAT | O_APPEND | (truncate ? O_TRUNC : 0);
}

void open_files(const TaskStart& start) {
  const TaskStreams& streams = start.streams;
  const TaskLaunch& task = start.task;
  if (streams.terminal >= 0) return;
  if (streams.in < 0) open_onto(start, task.std_in, O_RDONLY, 0);
  if (streams.out < 0) open_onto(start, task.std_out, output_flags(start, task.std_out), 1);
  if (streams.err < 0) {
    if (streams.out < 0 && task.std_err == task.std_out) {
      dup2(1, 2);
    } else {
      open_onto(start, task.std_err, output_flags(start, task.std_err), 2);
    }
  }
}

void enter_work_dir(const TaskStart& start) {
  const std::string& dir = start.launch.work_dir;
  if (chdir(dir.c_str()) == 0) return;
  const std::string text =
      fmt::format("couldn't chdir to `{}': {}: going to /tmp instead", dir, std::strerror(errno));
  // Slurm says it once for the step on each node and once for each task.
  if (start.first_on_node) complain(start, text);
  complain(start, text);
  if (chdir("/tmp") != 0) {
    complain(start, "couldn't chdir to /tmp either. dying.");
    _exit(4);
  }
}

// As Slurm looks a program up: a leading '.' is below the working folder, a name with a slash is
// taken as it is, any other is searched in the PATH of the task.
std::string locate(const std::string& name, const std::vector<std::string>& environment) {
  if (name.starts_with('.')) {
    char here[4096];
    return getcwd(here, sizeof here) ? fmt::format("{}/{}", here, name) : name;
  }
  if (name.find('/') != std::string::npos) return name;
  const std::string path = environment_value(environment, "PATH");
  for (size_t start = 0; start <= path.size();) {
    const size_t end = std::min(path.find(':', start), path.size());
    const std::string candidate = path.substr(start, end - start) + "/" + name;
    struct stat info {};
    if (stat(candidate.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    start = end + 1;
  }
  return name;
}

// The interpreter that the first line of a script names; empty if it names none.
std::string interpreter_of(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char line[256] = {};
  if (!fd || read(fd.get(), line, sizeof line - 1) < 3 || line[0] != '#' || line[1] != '!') {
    return "";
  }
  const std::string text(line + 2);
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_first_of(" \t\n", first) - first);
}

[[noreturn]] void execute(const TaskStart& start, std::vector<std::string> environment) {
  std::vector<std::string> words = start.launch.programs[start.task.program];
  if (!start.script_path.empty()) words.insert(words.begin(), start.script_path);
  const std::string program = locate(words[0], environment);
  // A program that was found in the PATH is called by where it is, as Slurm's srun calls it.
  if (words[0].find('/') == std::string::npos) words[0] = program;
  const auto argv = as_argv(words);
  const auto envp = as_argv(environment);
  execve(program.c_str(), argv.data(), envp.data());

  const int error = errno;
  const std::string interpreter = error == ENOENT ? interpreter_of(program) : "";
  const std::string what =
      interpreter.empty() ? program : fmt::format("bad interpreter({})", interpreter);
  complain(start, fmt::format("execve(): {}: {}", what, std::strerror(error)));
  _exit(error);
}

std::vector<std::string> environment_of(const TaskStart& start) {
  auto environment = merge_environment(start.launch.environment, start.task.environment);
  if (!start.environment_file.empty()) {
    const auto more = read_file(start.environment_file);
    if (!more) give_up(start, "PMIx has left no environment for the task");
    for (const std::string& entry : merge_environment(*more, "")) {
      const size_t equals = entry.find('=');
      set_environment_value(environment, entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  set_environment_value(environment, "SLURM_TASK_PID", std::to_string(getpid()));
  for (const std::string& entry : start.extra_environment) {
    const size_t equals = entry.find('=');
    set_environment_value(environment, entry.substr(0, equals), entry.substr(equals + 1));
  }
  return environment;
}

// The folder for temporary files is there, as in Slurm: where none is named or it can't be made,
// it is /tmp.
void provide_tmpdir(const TaskStart& start, std::vector<std::string>& environment) {
  const bool named =
      std::any_of(environment.begin(), environment.end(),
                  [](const std::string& entry) { return entry.starts_with("TMPDIR="); });
  if (named) {
    const std::string path = environment_value(environment, "TMPDIR");
    if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return;
    complain(start, fmt::format("Unable to create TMPDIR [{}]: {}", path, std::strerror(errno)));
    complain(start, "Setting TMPDIR to /tmp");
  }
  set_environment_value(environment, "TMPDIR", "/tmp");
}

// That of the site, then that of the user. One that fails is the end of the task.
void run_prologs(const TaskStart& start, std::vector<std::string>& environment) {
  const std::pair<const char*, const std::string&> prologs[] = {
      {"slurm task_prolog", start.launch.task_prolog},
      {"user task_prolog", start.launch.user_task_prolog},
  };
  for (const auto& [kind, program] : prologs) {
    if (program.empty()) continue;
    Status done = run_task_prolog(kind, program, environment);
    if (done) continue;
    for (const std::string& line : done.error().notes) complain(start, line);
    _exit(done.error().code);
  }
}

}  // namespace

std::string error_prefix(const StepLaunch& launch, uint32_t node_index) {
  std::string prefix = launch.error_prefix;
  if (const size_t mark = prefix.find("%n"); mark != std::string::npos) {
    prefix.replace(mark, 2, launch.node_names[node_index]);
  }
  return prefix + ": error: ";
}

Status join_step(const std::vector<int>& tasks_files) {
  setsid();
  for (const int file : tasks_files) {
    if (write(file, "0", 1) != 1) return fail_errno("join a cgroup", errno);
  }
  return {};
}

void run_task(const TaskStart& start) {
  if (auto done = join_step(start.join_cgroups); !done) give_up(start, done.error().message);
  close_all_but({start.streams.in, start.streams.out, start.streams.err, start.streams.terminal,
                 start.go, start.failures, start.pmi, start.outside_root});
  give_signals_back();
  set_limits(start);
  umask(static_cast<mode_t>(start.launch.umask));
  if (start.identity != nullptr) {
    if (auto done = become(*start.identity); !done) give_up(start, done.error().message);
  }
  take_streams(start);
  wait_for_go(start);
  open_files(start);
  bind_to_cpus(start);
  give_notice(start);
  enter_work_dir(start);
  auto environment = environment_of(start);
  provide_tmpdir(start, environment);
  run_prologs(start, environment);
  close_all_but({start.pmi});
  if (start.pmi >= 0) fcntl(start.pmi, F_SETFD, 0);
  execute(start, std::move(environment));
}

}  // namespace grappe::exec
