#include "cli/options/job_environment.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "base/unique_fd.h"
#include "model/rlimit_names.h"

extern char** environ;

namespace grappe {
namespace {

std::string_view name_of(std::string_view line) {
  return line.substr(0, line.find('='));
}

constexpr size_t kMostEnvironment = 16u << 20;

// "A=1,B='x,y',C" -> its parts.
std::vector<std::string_view> export_words(std::string_view spec) {
  std::vector<std::string_view> words;
  size_t start = 0;
  char quote = 0;
  for (size_t i = 0; i <= spec.size(); ++i) {
    char c = i < spec.size() ? spec[i] : ',';
    bool end = i == spec.size();
    if (!end && quote) {
      if (c == quote) quote = 0;
    } else if (!end && (c == '\'' || c == '"')) {
      quote = c;
    } else if (end || c == ',') {
      if (i > start) words.push_back(spec.substr(start, i - start));
      start = i + 1;
    }
  }
  return words;
}

void set_count(Environment& e, std::string_view name, bool has, uint64_t value) {
  if (has) e.set(name, std::to_string(value));
}

void set_text(Environment& e, std::string_view name, const std::string& value) {
  if (!value.empty()) e.set(name, value);
}

void add_distribution(const std::string& text, Environment& e) {
  if (text.empty()) return;
  std::string lower = to_lower(text);
  if (lower.starts_with("plane=")) {
    e.set("SLURM_DISTRIBUTION", "plane");
    e.set("SLURM_DIST_PLANESIZE", lower.substr(6));
  } else {
    e.set("SLURM_DISTRIBUTION", lower);
  }
}

// In Slurm's words: whether it is told, and the kind. srun says that it is not told, too, and says
// the kind once more.
void add_mem_bind(const JobOptions& o, Environment& e) {
  bool verbose = false;
  std::string kind;
  for (std::string_view word : split(o.mem_bind, ',')) {
    if (word == "v" || word == "verbose") verbose = true;
    if (word == "no" || word == "none") kind = "none";
    if (word == "local") kind = "local";
  }
  if (!verbose && kind.empty()) return;
  const bool of_step = o.command == kSrun;
  std::string text = verbose ? "verbose" : of_step ? "quiet" : "";
  if (!text.empty() && !kind.empty()) text += ',';
  e.set("SLURM_MEM_BIND", text + kind);
  e.set("SLURM_MEM_BIND_VERBOSE", verbose ? "verbose" : "quiet");
  if (!of_step) return;
  e.set("SLURM_MEM_BIND_LIST", "");
  e.set("SLURM_MEM_BIND_TYPE", kind);
}

}  // namespace

Environment Environment::of_this_process() {
  Environment e;
  for (char** line = environ; *line; ++line) e.lines_.push_back(*line);
  return e;
}

void Environment::set(std::string_view name, std::string_view value) {
  std::string line = std::string(name) + "=" + std::string(value);
  for (std::string& known : lines_) {
    if (name_of(known) == name) {
      known = std::move(line);
      return;
    }
  }
  lines_.push_back(std::move(line));
}

void Environment::unset(std::string_view name) {
  std::erase_if(lines_, [&](const std::string& line) { return name_of(line) == name; });
}

std::optional<std::string_view> Environment::get(std::string_view name) const {
  for (const std::string& line : lines_) {
    if (name_of(line) == name && line.size() > name.size()) {
      return std::string_view(line).substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

std::string Environment::packed() const {
  std::string out;
  size_t size = 0;
  for (const std::string& line : lines_) size += line.size() + 1;
  out.reserve(size);
  for (const std::string& line : lines_) out.append(line).push_back('\0');
  return out;
}

Environment exported_environment(const Environment& own, const std::string& spec,
                                 bool& load_login) {
  load_login = false;
  if (iequals(spec, "ALL")) return own;
  load_login = true;
  std::vector<std::string_view> words = export_words(spec);
  bool all = false;
  for (std::string_view word : words) all = all || iequals(word, "ALL");
  Environment out;
  for (const std::string& line : own.lines()) {
    if (all || line.starts_with("SLURM_"))
      out.set(name_of(line), line.substr(name_of(line).size() + 1));
  }
  if (iequals(spec, "NONE")) return out;
  for (std::string_view word : words) {
    size_t equals = word.find('=');
    if (equals != std::string_view::npos) {
      out.set(word.substr(0, equals), word.substr(equals + 1));
    } else if (auto value = own.get(word)) {
      out.set(word, *value);
    }
  }
  return out;
}

Result<Environment> environment_from_file(const std::string& file_or_descriptor) {
  auto number = parse_uint(file_or_descriptor, 0xffff);
  UniqueFd opened;
  int fd = number && *number > 2 ? static_cast<int>(*number) : -1;
  if (fd < 0) {
    opened = UniqueFd(open(file_or_descriptor.c_str(), O_RDONLY | O_CLOEXEC));
    fd = opened.get();
  }
  std::string text;
  char buffer[8192];
  ssize_t n = fd < 0 ? -1 : 0;
  while (fd >= 0 && text.size() < kMostEnvironment && (n = read(fd, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<size_t>(n));
  }
  if (n < 0) return fail(1, "Could not open user environment file " + file_or_descriptor);
  Environment e;
  for (std::string_view line : split(text, '\0')) {
    size_t equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    e.set(line.substr(0, equals), line.substr(equals + 1));
  }
  return e;
}

// What was asked for of GPUs, under the names of the options. Slurm's srun tells its tasks of it
// only what it found in its own environment, and how many share a GPU under another name.
void add_gpus(const JobOptions& o, Environment& e) {
  const v1::JobSpec& s = o.spec;
  if (o.command == kSrun) {
    return set_count(e, "SLURM_NTASKS_PER_TRES", s.has_ntasks_per_gpu(), s.ntasks_per_gpu());
  }
  set_count(e, "SLURM_NTASKS_PER_GPU", s.has_ntasks_per_gpu(), s.ntasks_per_gpu());
  set_count(e, "SLURM_CPUS_PER_GPU", s.has_cpus_per_gpu(), s.cpus_per_gpu());
  set_count(e, "SLURM_MEM_PER_GPU", s.has_mem_per_gpu_mb(), s.mem_per_gpu_mb());
  if (!s.gpus_of_tasks()) set_text(e, "SLURM_GPUS", s.gpus());
  set_text(e, "SLURM_GPUS_PER_NODE", s.gpus_per_node());
  set_text(e, "SLURM_GPUS_PER_SOCKET", s.gpus_per_socket());
  set_text(e, "SLURM_GPUS_PER_TASK", s.gpus_per_task());
  set_text(e, "SLURM_GPU_BIND", s.gpu_bind());
}

void add_requested(const JobOptions& o, Environment& e) {
  const v1::JobSpec& s = o.spec;
  if (s.has_ntasks()) {
    e.set("SLURM_NPROCS", std::to_string(s.ntasks()));
    e.set("SLURM_NTASKS", std::to_string(s.ntasks()));
  }
  set_count(e, "SLURM_CPUS_PER_TASK", s.has_cpus_per_task(), s.cpus_per_task());
  set_count(e, "SLURM_NTASKS_PER_NODE", s.has_ntasks_per_node(), s.ntasks_per_node());
  set_count(e, "SLURM_NTASKS_PER_SOCKET", s.has_ntasks_per_socket(), s.ntasks_per_socket());
  set_count(e, "SLURM_NTASKS_PER_CORE", s.has_ntasks_per_core(), s.ntasks_per_core());
  set_count(e, "SLURM_THREADS_PER_CORE", s.has_threads_per_core(), s.threads_per_core());
  set_count(e, "SLURM_OVERCOMMIT", s.overcommit(), 1);
  add_gpus(o, e);
  set_text(e, "SLURM_CONTAINER", s.container());
  set_text(e, "SLURM_JOB_DEPENDENCY", s.dependency());
  if (o.command != kSrun) {
    set_text(e, "SLURM_HINT", o.hint);
    set_text(e, "SLURM_OPEN_MODE", s.open_mode().substr(0, 1));
    set_text(e, "SLURM_ACCTG_FREQ", s.acctg_freq());
    if (o.given("profile")) e.set("SLURM_PROFILE", "None");
  }
  add_mem_bind(o, e);
  add_distribution(s.distribution(), e);
  if (s.distribution().starts_with("arbitrary")) {
    e.set("SLURM_ARBITRARY_NODELIST", s.required_nodes());
  }
}

Status add_rlimits(const std::optional<std::string>& propagate, v1::JobSpec& spec) {
  spec.set_rlimits_by_site(!propagate);
  std::string text = propagate.value_or("ALL");
  if (text.empty()) text = "ALL";
  std::vector<std::string_view> wanted = split(text, ',');
  for (std::string_view& word : wanted) {
    bool known = iequals(word, "ALL") || iequals(word, "NONE");
    if (istarts_with(word, "RLIMIT_")) word.remove_prefix(7);
    for (const RlimitName& limit : kRlimitNames) known = known || iequals(word, limit.name);
    if (!known) {
      return tl::unexpected<Error>(Error{
          1, "--propagate=" + text + " is not valid.", {"Bad rlimit name: " + std::string(word)}});
    }
  }
  for (const RlimitName& limit : kRlimitNames) {
    bool on = false;
    for (std::string_view word : wanted)
      on = on || iequals(word, "ALL") || iequals(word, limit.name);
    rlimit now{};
    if (!on || getrlimit(static_cast<__rlimit_resource_t>(limit.resource), &now) != 0) continue;
    v1::Rlimit* out = spec.add_rlimits();
    out->set_resource(limit.resource);
    out->set_soft(now.rlim_cur);
    out->set_hard(now.rlim_max);
  }
  return {};
}

}  // namespace grappe
