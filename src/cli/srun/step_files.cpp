#include "cli/srun/step_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "base/text.h"

namespace grappe {
namespace {

constexpr char kNoFile[] = "/dev/null";

// Whether a name differs between tasks; a backslash switches the signs off.
bool differs_by_task(std::string_view pattern) {
  if (pattern.find('\\') != std::string_view::npos) return false;
  for (size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    size_t sign = i + 1;
    while (sign < pattern.size() && is_digit(pattern[sign])) ++sign;
    if (sign < pattern.size() && std::string_view("tnN").find(pattern[sign]) < 3) return true;
    i = sign;
  }
  return false;
}

StreamPlan plan_stream(const std::string& text, uint32_t ntasks, bool labelled_output) {
  StreamPlan plan;
  if (text.empty() || text == "all") return plan;
  if (text == kNoFile) {
    plan.none = true;
    plan.remote = kNoFile;
    return plan;
  }
  if (auto task = parse_uint(text, UINT32_MAX); task && *task < ntasks) {
    plan.only_task = static_cast<uint32_t>(*task);
    return plan;
  }
  plan.per_task = differs_by_task(text);
  // Labels are srun's work, so the text must come to it.
  if (plan.per_task && !labelled_output) {
    plan.remote = text;
  } else {
    plan.file = text;
  }
  return plan;
}

std::string padded(const std::string& number, std::string_view width) {
  const auto least = static_cast<size_t>(parse_uint(width, 10).value_or(0));
  return std::string(least - std::min(least, number.size()), '0') + number;
}

tl::unexpected<Error> could_not_open(std::string_view stream, int error) {
  return fail("Could not open " + std::string(stream) + " file: " + std::strerror(error));
}

}  // namespace

FilesPlan plan_files(const JobOptions& options, uint32_t ntasks) {
  const v1::JobSpec& spec = options.spec;
  const bool labelled = options.step.labelled();
  FilesPlan plan;
  plan.in = plan_stream(spec.std_in(), ntasks, false);
  plan.out = plan_stream(spec.std_out(), ntasks, labelled);
  plan.err_is_out = spec.std_err().empty() && !spec.std_out().empty() && spec.std_out() != "all";
  plan.err = plan.err_is_out ? plan.out : plan_stream(spec.std_err(), ntasks, labelled);
  if (options.step.pty()) {
    plan = FilesPlan();
    plan.in.only_task = plan.out.only_task = plan.err.only_task = 0;
  }
  return plan;
}

void FilesPlan::fill(v1::StepSpec& step) const {
  step.set_std_in(in.remote);
  step.set_std_out(out.remote);
  step.set_std_err(err.remote);
  step.set_no_stdin(in.none);
  if (in.only_task) step.set_stdin_task(*in.only_task);
}

std::string expand_file_name(const std::string& pattern, const PatternNames& names, uint32_t task) {
  std::string out;
  if (pattern.find('\\') != std::string::npos) {
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == '\\' && ++i == pattern.size()) break;
      out += pattern[i];
    }
    return out;
  }
  const uint32_t node = task < names.face.task_node.size() ? names.face.task_node[task] : 0;
  const std::string job = std::to_string(names.face.job_id);
  for (size_t i = 0; i < pattern.size(); ++i) {
    size_t sign = i + 1;
    while (sign < pattern.size() && is_digit(pattern[sign])) ++sign;
    if (pattern[i] != '%' || sign >= pattern.size()) {
      out += pattern[i];
      continue;
    }
    const std::string_view width = std::string_view(pattern).substr(i + 1, sign - i - 1);
    switch (pattern[sign]) {
      case '%':
        out += '%';
        break;
      case 'A':
        out += padded(names.array_job.empty() ? job : names.array_job, width);
        break;
      case 'a':
        out += padded(names.array_task.empty() ? "4294967294" : names.array_task, width);
        break;
      case 'J':
        out += padded(job, width) + "." + names.face.step;
        break;
      case 'j':
        out += padded(job, width);
        break;
      case 's':
        out += padded(names.face.step, width);
        break;
      case 'N':
        out += node < names.face.nodes.size() ? names.face.nodes[node] : "";
        break;
      case 'n':
        out += padded(std::to_string(node), width);
        break;
      case 't':
        out += padded(std::to_string(task), width);
        break;
      case 'u':
        out += names.user;
        break;
      case 'x':
        out += names.job_name;
        break;
      default:
        out.append(pattern, i, sign - i + 1);
        break;
    }
    i = sign;
  }
  return out;
}

namespace {

// Each file once, however many tasks and streams share it.
class Files {
 public:
  Files(const PatternNames& names, bool append, StepOutput& output)
      : names_(names), append_(append), output_(output) {}

  Status route(const StreamPlan& plan, StepOutput::Stream stream, int own, const char* word) {
    const auto ntasks = static_cast<uint32_t>(names_.face.task_node.size());
    if (plan.none || !plan.remote.empty()) {
      // What the service has to say of the step still comes through here.
      if (stream == StepOutput::kErr && !plan.none) output_.route(stream, 0, standard(own));
      return {};
    }
    for (uint32_t task = 0; task < ntasks; ++task) {
      if (plan.only_task && task != *plan.only_task) continue;
      OutputFile* file = standard(own);
      if (!plan.file.empty()) {
        auto opened = open(expand_file_name(plan.file, names_, task), word);
        if (!opened) return tl::unexpected(opened.error());
        file = *opened;
      }
      output_.route(stream, task, file);
    }
    return {};
  }

 private:
  OutputFile* standard(int fd) {
    OutputFile*& file = standard_[fd];
    if (!file) file = output_.add_file(std::make_unique<OutputFile>(fd));
    return file;
  }

  Result<OutputFile*> open(const std::string& path, const char* word) {
    OutputFile*& file = by_path_[path];
    if (file) return file;
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (append_ ? O_APPEND : O_TRUNC);
    UniqueFd fd(::open(path.c_str(), flags, 0666));
    if (!fd) return could_not_open(word, errno);
    file = output_.add_file(std::make_unique<OutputFile>(std::move(fd)));
    return file;
  }

  const PatternNames& names_;
  bool append_;
  StepOutput& output_;
  std::map<int, OutputFile*> standard_;
  std::map<std::string, OutputFile*> by_path_;
};

}  // namespace

Status open_outputs(const FilesPlan& plan, const PatternNames& names, bool append,
                    StepOutput& output) {
  Files files(names, append, output);
  Status done = files.route(plan.out, StepOutput::kOut, STDOUT_FILENO, "stdout");
  if (!done) return done;
  return files.route(plan.err, StepOutput::kErr, plan.err_is_out ? STDOUT_FILENO : STDERR_FILENO,
                     "stderr");
}

Result<UniqueFd> open_input(const FilesPlan& plan, const PatternNames& names) {
  if (plan.in.file.empty()) return UniqueFd();
  UniqueFd fd(::open(expand_file_name(plan.in.file, names, 0).c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return could_not_open("stdin", errno);
  return fd;
}

}  // namespace grappe
