#include "exec/protocol.h"

#include <fmt/core.h>

#include <cstring>

#include "exec/wire.h"

namespace grappe::exec {

// The field lists and the last value of each enum. They are found by argument-dependent lookup,
// so they stay in this namespace; nothing outside this file sees them.
static constexpr OpenMode last_of(OpenMode) {
  return OpenMode::kAppend;
}
static constexpr MpiKind last_of(MpiKind) {
  return MpiKind::kPmix;
}
static constexpr SignalTarget last_of(SignalTarget) {
  return SignalTarget::kEverything;
}
static constexpr SiteProgramKind last_of(SiteProgramKind) {
  return SiteProgramKind::kEpilog;
}
static constexpr NoticeKind last_of(NoticeKind) {
  return NoticeKind::kEnd;
}

template <class A>
static void fields(A& a, StepKey& v) {
  a(v.job_id, v.step_id, v.restart);
}
template <class A>
static void fields(A& a, RlimitSetting& v) {
  a(v.resource, v.soft, v.hard);
}
template <class A>
static void fields(A& a, JobConfinement& v) {
  a(v.memory_mb, v.cpus, v.max_processes, v.confine_devices, v.devices, v.all_devices,
    v.private_tmp, v.tmp_parent, v.prolog, v.epilog, v.hook_timeout_s, v.script_environment);
}
template <class A>
static void fields(A& a, TaskLaunch& v) {
  a(v.rank, v.node_index, v.program, v.environment, v.cpus, v.std_in, v.std_out, v.std_err,
    v.notice);
}
template <class A>
static void fields(A& a, StepLaunch& v) {
  a(v.key, v.uid, v.gid, v.user, v.job, v.step_memory_mb, v.work_dir, v.environment, v.script,
    v.programs, v.tasks, v.node_names, v.open_mode, v.umask, v.rlimits, v.pty, v.rows, v.cols,
    v.wait_for_client, v.kill_on_bad_exit, v.wait_seconds, v.kill_wait_seconds, v.mpi,
    v.task_prolog, v.task_epilog, v.user_task_prolog, v.user_task_epilog, v.error_prefix);
}
template <class A>
static void fields(A& a, TaskExit& v) {
  a(v.rank, v.status);
}
template <class A>
static void fields(A& a, TaskUse& v) {
  a(v.rank, v.cpu_us, v.rss_bytes, v.vsize_bytes, v.pages, v.read_bytes, v.written_bytes);
}
template <class A>
static void fields(A& a, StepUsage& v) {
  a(v.user_us, v.system_us, v.max_rss_bytes, v.read_bytes, v.written_bytes, v.tasks);
}
template <class A>
static void fields(A& a, StepSample& v) {
  a(v.key, v.user_us, v.system_us, v.tasks, v.pids);
}
template <class A>
static void fields(A& a, GpuUse& v) {
  a(v.minor, v.percent, v.memory_bytes);
}
template <class A>
static void fields(A& a, StepStarted& v) {
  a(v.key, v.pids);
}
template <class A>
static void fields(A& a, StepEnded& v) {
  a(v.key, v.exits, v.out_of_memory, v.failure, v.start_time, v.end_time, v.usage);
}
template <class A>
static void fields(A& a, JobCleaned& v) {
  a(v.job_id, v.restart, v.epilog_failure);
}
template <class A>
static void fields(A& a, PrologFailed& v) {
  a(v.key, v.message);
}
template <class A>
static void fields(A& a, ExecutorReady& v) {
  a(v.running, v.ended, v.jobs, v.unconfined);
}
template <class A>
static void fields(A& a, SiteProgramEnded& v) {
  a(v.job_id, v.restart, v.kind, v.failure);
}
template <class A>
static void fields(A&, ExecutorLost&) {}
template <class A>
static void fields(A& a, Hello& v) {
  a(v.version);
}
template <class A>
static void fields(A& a, SignalStep& v) {
  a(v.key, v.signal_number, v.target);
}
template <class A>
static void fields(A& a, NotifyStep& v) {
  a(v.key, v.text, v.kind);
}
template <class A>
static void fields(A& a, FreezeJob& v) {
  a(v.job_id, v.frozen);
}
template <class A>
static void fields(A& a, ForgetStep& v) {
  a(v.key);
}
template <class A>
static void fields(A& a, CleanJob& v) {
  a(v.job_id, v.restart);
}
template <class A>
static void fields(A& a, EndNode& v) {
  a(v.key, v.node_index);
}
template <class A>
static void fields(A& a, ConfineJob& v) {
  a(v.job_id, v.restart, v.confinement);
}
template <class A>
static void fields(A& a, MeasureSteps& v) {
  a(v.request, v.keys);
}
template <class A>
static void fields(A& a, StepsMeasured& v) {
  a(v.request, v.steps);
}
template <class A>
static void fields(A& a, GpusMeasured& v) {
  a(v.gpus);
}
template <class A>
static void fields(A& a, JobRecord& v) {
  a(v.job_id, v.restart, v.uid, v.gid, v.prolog_done, v.confinement);
}

template <class A>
static void fields(A& a, AccountEntry& v) {
  a(v.uid, v.name, v.groups);
}

namespace {

// The place of a type in its variant is its number on the wire; events start at 100.
constexpr uint32_t kFirstEvent = 100;

template <class T>
std::string encode(const T& value) {
  WireWriter writer;
  writer(value);
  return writer.take();
}

template <class T>
std::optional<T> decode(std::string_view payload) {
  T value;
  WireReader reader(payload);
  reader(value);
  if (!reader.complete()) return std::nullopt;
  return value;
}

std::string frame(uint32_t type, const std::string& payload) {
  const uint32_t header[2] = {static_cast<uint32_t>(payload.size()), type};
  std::string out(reinterpret_cast<const char*>(header), sizeof header);
  return out.append(payload);
}

template <class Variant, size_t... I>
std::optional<Variant> decode_alternative(uint32_t index, std::string_view payload,
                                          std::index_sequence<I...>) {
  std::optional<Variant> result;
  const auto attempt = [&]<size_t N>() {
    if (index != N) return;
    if (auto value = decode<std::variant_alternative_t<N, Variant>>(payload)) {
      result.emplace(std::in_place_index<N>, std::move(*value));
    }
  };
  (attempt.template operator()<I>(), ...);
  return result;
}

template <class Variant>
std::optional<Variant> decode_variant(uint32_t index, std::string_view payload) {
  return decode_alternative<Variant>(index, payload,
                                     std::make_index_sequence<std::variant_size_v<Variant>>());
}

bool has_nul(const std::string& text) {
  return text.find('\0') != std::string::npos;
}

const char* fault_of_task(const StepLaunch& launch, const TaskLaunch& task) {
  if (task.program >= launch.programs.size()) return "a task names no program";
  if (task.node_index >= launch.node_names.size()) return "a task is on no node";
  for (const std::string* path : {&task.std_in, &task.std_out, &task.std_err}) {
    if (has_nul(*path)) return "a file name holds a NUL byte";
  }
  return nullptr;
}

const char* fault_of_paths(const StepLaunch& launch) {
  for (const std::string* text :
       {&launch.user, &launch.work_dir, &launch.job.tmp_parent, &launch.job.prolog,
        &launch.job.epilog, &launch.task_prolog, &launch.task_epilog, &launch.user_task_prolog,
        &launch.user_task_epilog}) {
    if (has_nul(*text)) return "a path holds a NUL byte";
  }
  for (const auto* list : {&launch.job.devices, &launch.job.all_devices}) {
    for (const std::string& path : *list) {
      if (has_nul(path)) return "a device path holds a NUL byte";
    }
  }
  const std::string& parent = launch.job.tmp_parent;
  if (!parent.empty() && parent.front() != '/') return "the tmp folder has no absolute path";
  return nullptr;
}

// Why this launch makes no sense; null if it does.
const char* fault_of(const StepLaunch& launch) {
  constexpr size_t kMaxTasks = 65536;
  if (launch.tasks.empty()) return "a step without tasks";
  if (launch.tasks.size() > kMaxTasks) return "too many tasks";
  for (const auto& argv : launch.programs) {
    if (argv.empty() && launch.script.empty()) return "a program without a name";
    for (const std::string& word : argv) {
      if (has_nul(word)) return "an argument holds a NUL byte";
    }
  }
  for (const TaskLaunch& task : launch.tasks) {
    if (const char* fault = fault_of_task(launch, task)) return fault;
  }
  return fault_of_paths(launch);
}

}  // namespace

std::string encode_request(const LauncherRequest& request) {
  return frame(static_cast<uint32_t>(request.index()),
               std::visit([](const auto& value) { return encode(value); }, request));
}

std::string encode_event(const ExecEvent& event) {
  return frame(kFirstEvent + static_cast<uint32_t>(event.index()),
               std::visit([](const auto& value) { return encode(value); }, event));
}

Result<LauncherRequest> decode_request(uint32_t type, std::string_view payload) {
  auto request = decode_variant<LauncherRequest>(type, payload);
  if (!request) {
    return fail(fmt::format("request {} of {} bytes is malformed", type, payload.size()));
  }
  if (const auto* launch = std::get_if<StepLaunch>(&*request)) {
    if (const char* fault = fault_of(*launch)) {
      return fail(fmt::format("the launch of job {} is malformed: {}", launch->key.job_id, fault));
    }
  }
  return std::move(*request);
}

Result<ExecEvent> decode_event(uint32_t type, std::string_view payload) {
  auto event = decode_variant<ExecEvent>(type - kFirstEvent, payload);
  if (!event) return fail(fmt::format("event {} of {} bytes is malformed", type, payload.size()));
  return std::move(*event);
}

std::string encode_step_ended(const StepEnded& ended) {
  return encode(ended);
}
std::optional<StepEnded> decode_step_ended(std::string_view payload) {
  if (auto ended = decode<StepEnded>(payload)) return ended;
  // Of a shepherd that was started before the use of each task was told: the list at the end is not
  // there.
  return decode<StepEnded>(std::string(payload) + std::string(sizeof(uint32_t), '\0'));
}
std::string encode_job_record(const JobRecord& record) {
  return encode(record);
}
std::optional<JobRecord> decode_job_record(std::string_view payload) {
  return decode<JobRecord>(payload);
}

std::string encode_account(const AccountEntry& account) {
  return encode(account);
}
std::optional<AccountEntry> decode_account(std::string_view payload) {
  return decode<AccountEntry>(payload);
}

Result<std::optional<FrameSplitter::Frame>> FrameSplitter::next() {
  uint32_t header[2];
  const size_t available = buffer_.size() - start_;
  if (available >= sizeof header) {
    std::memcpy(header, buffer_.data() + start_, sizeof header);
    if (header[0] > kMaxLauncherMessage) {
      return fail(fmt::format("a message of {} bytes is beyond the limit", header[0]));
    }
    if (available - sizeof header >= header[0]) {
      Frame frame{header[1], buffer_.substr(start_ + sizeof header, header[0])};
      start_ += sizeof header + header[0];
      return std::optional(std::move(frame));
    }
  }
  buffer_.erase(0, start_);
  start_ = 0;
  // A launcher forks for every step: it must not carry the memory of its largest message along.
  if (buffer_.empty()) buffer_ = std::string();
  return std::optional<Frame>();
}

}  // namespace grappe::exec
