#include "cli/options/values.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/cpu_bind.h"
#include "base/duration.h"
#include "base/hostlist.h"
#include "base/text.h"

namespace grappe {
namespace {

struct SignalName {
  std::string_view name;
  int number;
};
constexpr SignalName kSignals[] = {
    {"HUP", SIGHUP},     {"INT", SIGINT},   {"QUIT", SIGQUIT}, {"ILL", SIGILL},   {"TRAP", SIGTRAP},
    {"ABRT", SIGABRT},   {"BUS", SIGBUS},   {"FPE", SIGFPE},   {"KILL", SIGKILL}, {"USR1", SIGUSR1},
    {"SEGV", SIGSEGV},   {"USR2", SIGUSR2}, {"PIPE", SIGPIPE}, {"ALRM", SIGALRM}, {"TERM", SIGTERM},
    {"CHLD", SIGCHLD},   {"CONT", SIGCONT}, {"STOP", SIGSTOP}, {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN},
    {"TTOU", SIGTTOU},   {"URG", SIGURG},   {"XCPU", SIGXCPU}, {"XFSZ", SIGXFSZ}, {"PROF", SIGPROF},
    {"WINCH", SIGWINCH}, {"IO", SIGIO},     {"PWR", SIGPWR},   {"SYS", SIGSYS},
};

// A file of node names is small; /dev/zero is not.
constexpr size_t kMostNodeFile = 1u << 20;

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  for (std::string_view w : words) {
    if (iequals(word, w)) return true;
  }
  return false;
}

Result<uint32_t> node_count(std::string_view text) {
  uint32_t unit = 1;
  std::string_view digits = text;
  if (!digits.empty()) {
    char last = to_lower(digits.back());
    if (last == 'k') unit = 1024;
    if (last == 'm') unit = 1048576;
    if (unit != 1) digits.remove_suffix(1);
  }
  auto n = parse_uint(digits, 0x7fffffff / unit);
  if (!n) return fail(quoted(text) + " is not a valid node count");
  return static_cast<uint32_t>(*n) * unit;
}

// The list after "map_cpu:" must not be missing.
Status check_list(std::string_view word, std::string_view option, std::string_view type) {
  if (word.size() > type.size()) return {};
  return fail(1,
              "missing list for \"" + std::string(option) + "=" + std::string(type) + "<list>\"");
}

// Binding to CPUs and to memory are lists of words with "type:list" last, whose own list may hold
// commas.
Status check_bind(std::string_view text, std::string_view option,
                  std::initializer_list<std::string_view> plain,
                  std::initializer_list<std::string_view> with_list, int exit_code) {
  std::string_view rest = text;
  while (!rest.empty()) {
    for (std::string_view type : with_list) {
      if (istarts_with(rest, type)) return check_list(rest, option, type);
    }
    size_t comma = rest.find(',');
    std::string_view word = rest.substr(0, comma);
    if (!one_of(word, plain)) {
      return fail(exit_code, "unrecognized " + std::string(option) + " argument " + quoted(text));
    }
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  return {};
}

}  // namespace

tl::unexpected<Error> invalid_specification(std::string_view option) {
  return fail("Invalid " + std::string(option) + " specification");
}

Result<uint32_t> parse_count(std::string_view text, std::string_view option, bool positive) {
  auto n = parse_uint(text, 0x7fffffff);
  if (!n || (positive && *n == 0)) {
    return fail(1, "Invalid numeric value " + quoted(text) + " for " + std::string(option) + ".");
  }
  return static_cast<uint32_t>(*n);
}

Result<NodeRange> parse_node_range(std::string_view text) {
  size_t dash = text.find('-');
  NodeRange range;
  // "-3" is up to three.
  auto min = dash == 0 ? Result<uint32_t>(1) : node_count(text.substr(0, dash));
  if (!min) return tl::unexpected<Error>(min.error());
  range.min = range.max = *min;
  if (dash == std::string_view::npos) return range;
  auto max = node_count(text.substr(dash + 1));
  if (!max) return tl::unexpected<Error>(max.error());
  range.max = *max;
  if (range.max && range.max < range.min) {
    return fail("Maximum node count " + std::to_string(range.max) +
                " is less than minimum node count " + std::to_string(range.min));
  }
  return range;
}

Result<uint32_t> parse_time_limit(std::string_view text, std::string_view option) {
  auto seconds = parse_duration(text);
  if (!seconds) return invalid_specification(option);
  return *seconds == 0 ? kInfinite : minutes_rounded_up(*seconds);
}

std::optional<int> parse_signal(std::string_view text) {
  if (auto n = parse_uint(text, 64)) {
    if (*n == 0) return std::nullopt;
    return static_cast<int>(*n);
  }
  std::string_view name = istarts_with(text, "SIG") ? text.substr(3) : text;
  for (const SignalName& s : kSignals) {
    if (iequals(name, s.name)) return s.number;
  }
  return std::nullopt;
}

Status parse_warn_signal(std::string_view text, v1::JobSpec& spec) {
  bool batch = false, reservation = false;
  size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    for (char c : text.substr(0, colon)) {
      if (c == 'B')
        batch = true;
      else if (c == 'R')
        reservation = true;
      else
        return invalid_specification("--signal");
    }
    text.remove_prefix(colon + 1);
  }
  size_t at = text.find('@');
  auto signal = parse_signal(text.substr(0, at));
  uint64_t seconds = 60;
  if (at != std::string_view::npos) {
    std::string_view digits = text.substr(at + 1);
    auto n = digits.empty() ? std::optional<uint64_t>(0) : parse_uint(digits, 65535);
    if (!n) return invalid_specification("--signal");
    seconds = *n;
  }
  if (!signal) return invalid_specification("--signal");
  spec.set_warn_signal(*signal);
  spec.set_warn_seconds(static_cast<uint32_t>(seconds));
  spec.set_warn_batch_shell(batch);
  spec.set_warn_reservation(reservation);
  return {};
}

Status parse_extra_node_info(std::string_view text, JobOptions& options) {
  static constexpr std::string_view kPlaces[] = {"first arg of -B", "second arg of -B",
                                                 "third arg of -B"};
  std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() > 3) return invalid_specification("--extra-node-info");
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "*") continue;
    // "2-4": at least two; Slurm uses the lower number only.
    auto n = parse_count(parts[i].substr(0, parts[i].find('-')), kPlaces[i], true);
    if (!n) return tl::unexpected<Error>(n.error());
    if (i == 0) options.spec.set_sockets_per_node(*n);
    if (i == 1) options.spec.set_cores_per_socket(*n);
    if (i == 2) options.spec.set_threads_per_core(*n);
  }
  options.extra_node_info = true;
  return {};
}

std::string spelt_out_distribution(std::string_view text) {
  const std::string_view layout = text.substr(0, text.find(','));
  std::vector<std::string> levels;
  for (std::string_view level : split(layout, ':')) {
    const size_t at = levels.size();
    const std::string usual = at == 0 ? "block" : at == 1 ? "cyclic" : levels[1];
    levels.push_back(level == "*" ? usual : std::string(level));
  }
  return to_lower(join(levels, ":") + std::string(text.substr(layout.size())));
}

Status check_distribution(std::string_view text, std::optional<uint32_t> plane_size) {
  if (one_of(text, {"Pack", "NoPack"})) return {};
  std::vector<std::string_view> words = split(text, ',');
  std::vector<std::string_view> levels = split(words[0], ':');
  if (levels.size() > 3 || words.size() > 2) return invalid_specification("--distribution");
  if (words.size() == 2 && !one_of(words[1], {"Pack", "NoPack"})) {
    return invalid_specification("--distribution");
  }
  if (istarts_with(levels[0], "plane")) {
    std::string_view size = levels[0].substr(5);
    bool good = size.empty() ? plane_size.has_value()
                             : size[0] == '=' && parse_uint(size.substr(1), 0xffff).value_or(0) > 0;
    if (!good) {
      return tl::unexpected<Error>(Error{
          0, "Invalid --distribution specification", {"Invalid plane size or size not specified"}});
    }
  } else if (!one_of(levels[0], {"block", "cyclic", "arbitrary", "*"})) {
    return invalid_specification("--distribution");
  }
  for (size_t i = 1; i < levels.size(); ++i) {
    if (!one_of(levels[i], {"block", "cyclic", "fcyclic", "*"})) {
      return invalid_specification("--distribution");
    }
  }
  return {};
}

Status check_acctg_freq(std::string_view text) {
  for (std::string_view word : split(text, ',')) {
    size_t equals = word.find('=');
    std::string_view number = equals == std::string_view::npos ? word : word.substr(equals + 1);
    bool known = equals == std::string_view::npos ||
                 one_of(word.substr(0, equals), {"task", "energy", "network", "filesystem"});
    if (!known || !parse_uint(number, 0x7fffffff)) {
      return fail("Invalid --acctg-freq specification: " + std::string(text));
    }
  }
  return {};
}

Status check_gpu_bind(std::string_view text) {
  std::string_view type = text;
  constexpr std::string_view kVerbose = "verbose,";
  if (istarts_with(type, kVerbose)) type.remove_prefix(kVerbose.size());
  auto counted = [&](std::string_view name) {
    return istarts_with(type, name) && parse_uint(type.substr(name.size()), 0xffff).value_or(0) > 0;
  };
  if (one_of(type, {"closest", "none"}) || counted("single:") || counted("per_task:")) return {};
  Error bad{0, "Invalid --gpu-bind argument: gpu:" + std::string(text), {}};
  const bool mask = istarts_with(type, "mask_gpu:");
  if (!mask && !istarts_with(type, "map_gpu:")) return tl::unexpected(bad);
  // Lists have the form of those for CPUs.
  const std::string list(type.substr(type.find(':') + 1));
  auto bind = parse_cpu_bind((mask ? "mask_cpu:" : "map_cpu:") + list);
  if (bind) return {};
  // "Failed to validate number: 0xz, the offending character is z", in the words for GPUs.
  std::string why = bind.error().message;
  constexpr std::string_view kNumber = "number: ", kThe = "the offending";
  for (const auto& [word, instead] : {std::pair(kNumber, ""), std::pair(kThe, "offending")}) {
    if (size_t at = why.find(word); at != std::string::npos) why.replace(at, word.size(), instead);
  }
  if (size_t at = why.find(" 0x"); at != std::string::npos) why.erase(at + 1, 2);
  bad.notes.push_back(std::move(why));
  return tl::unexpected(bad);
}

Status check_gpu_freq(std::string_view text) {
  bool any = false;
  for (std::string_view word : split(text, ',')) {
    if (word.empty()) continue;
    constexpr std::string_view kMemory = "memory=";
    if (word.starts_with(kMemory)) word.remove_prefix(kMemory.size());
    const bool known = word == "low" || word == "medium" || word == "high" || word == "highm1" ||
                       word == "verbose" || parse_uint(word, 0x7fffffff);
    if (!known) return fail("Invalid --gpu-freq argument: gpu:" + std::string(text));
    any = true;
  }
  if (!any) return fail("Invalid --gpu-freq argument: gpu:" + std::string(text));
  return {};
}

Status check_cpu_bind(std::string_view text) {
  auto bind = parse_cpu_bind(text);
  if (!bind) return tl::unexpected(bind.error());
  return {};
}

Status check_mem_bind(std::string_view text) {
  Status known = check_bind(text, "--mem-bind",
                            {"q", "quiet", "v", "verbose", "no", "none", "rank", "local", "sort",
                             "nosort", "p", "prefer"},
                            {"map_mem:", "mask_mem:"}, 0);
  if (!known) return known;
  // The kernel gives a task the memory that is local to its CPUs: that is what can be promised.
  for (std::string_view word : split(text, ',')) {
    if (!one_of(word, {"q", "quiet", "v", "verbose", "no", "none", "local", "nosort"})) {
      return fail("--mem-bind=" + std::string(text) +
                  " is not supported: memory is local to the task's CPUs (local) or not bound "
                  "(none)");
    }
  }
  return {};
}

Status check_profile(std::string_view text) {
  for (std::string_view word : split(text, ',')) {
    if (!one_of(word, {"none", "all", "energy", "task", "lustre", "network"})) {
      return fail("invalid --profile=" + std::string(text) + " option");
    }
  }
  return {};
}

Result<std::string> read_node_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (!file) {
    return fail(
        1, "slurm_allocate_resources error opening file " + path + ", " + std::strerror(errno));
  }
  std::string text;
  char buffer[4096];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, file)) {
    text.append(buffer, n);
    if (text.size() > kMostNodeFile) break;
  }
  std::fclose(file);
  std::vector<std::string> names;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    auto more = expand_hostlist(line);
    if (!more) return fail(1, more.error().message);
    names.insert(names.end(), more->begin(), more->end());
  }
  return fold_hostlist(names);
}

Result<std::string> node_list(std::string_view text) {
  if (text.find('/') == std::string_view::npos) return std::string(text);
  return read_node_file(std::string(text));
}

std::string current_folder() {
  char buffer[4096];
  const char* here = getcwd(buffer, sizeof buffer);
  return here ? here : "";
}

std::string absolute_path(std::string_view path) {
  if (path.starts_with("/")) return std::string(path);
  return path.empty() || path == "." ? current_folder()
                                     : current_folder() + "/" + std::string(path);
}

}  // namespace grappe
