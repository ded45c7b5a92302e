#include "cli/scontrol/update_job.h"

#include <fmt/core.h>

#include "base/datetime.h"
#include "base/duration.h"
#include "cli/scontrol/keywords.h"

namespace grappe::scontrol {
namespace {

enum class Kind {
  kText,
  kCount,
  kYesNo,           // a flag that is off is not there, so NO clears it
  kYesNoOrDefault,  // a flag that may also be left to the service
  kMinutes,
  kSeconds,
  kMoment,
  kGpus,     // "gres:gpu:2" is the 2 of --gpus
  kRefused,  // exists in Slurm; there is nothing here that it could change
  kSpecial,
};

// The field of JobSpec that a key sets: its name, and the one of the two that fits its type.
struct Field {
  std::string_view name;
  std::string* (v1::JobSpec::*text)() = nullptr;
  void (*number)(v1::JobSpec& spec, int64_t value) = nullptr;
};

template <auto setter>
constexpr Field number(std::string_view name) {
  return {name, nullptr, [](v1::JobSpec& spec, int64_t value) {
            []<class T>(v1::JobSpec& s, void (v1::JobSpec::*set)(T), int64_t v) {
              (s.*set)(static_cast<T>(v));
            }(spec, setter, value);
          }};
}

struct JobKey {
  std::string_view key;
  Kind kind;
  Field field = {};
  Took (*set)(JobChange& change, const Setting& setting) = nullptr;
};

constexpr JobKey kJobKeys[] = {
    {"Account", Kind::kText, {"account", &v1::JobSpec::mutable_account}},
    {"AdminComment", Kind::kText, {"admin_comment", &v1::JobSpec::mutable_admin_comment}},
    {"ArrayTaskThrottle", Kind::kSpecial, {}, set_throttle},
    {"BurstBuffer", Kind::kRefused},
    {"Clusters", Kind::kRefused},
    {"ClusterFeatures", Kind::kRefused},
    {"Comment", Kind::kText, {"comment", &v1::JobSpec::mutable_comment}},
    {"Contiguous", Kind::kYesNo, number<&v1::JobSpec::set_contiguous>("contiguous")},
    {"CoreSpec", Kind::kCount, number<&v1::JobSpec::set_core_spec>("core_spec")},
    {"CPUsPerTask", Kind::kCount, number<&v1::JobSpec::set_cpus_per_task>("cpus_per_task")},
    {"CpusPerTres", Kind::kGpus, number<&v1::JobSpec::set_cpus_per_gpu>("cpus_per_gpu")},
    {"Deadline", Kind::kMoment, number<&v1::JobSpec::set_deadline>("deadline")},
    {"DelayBoot", Kind::kSeconds, number<&v1::JobSpec::set_delay_boot>("delay_boot")},
    {"Dependency", Kind::kText, {"dependency", &v1::JobSpec::mutable_dependency}},
    {"EligibleTime", Kind::kMoment, number<&v1::JobSpec::set_begin_time>("begin_time")},
    {"EndTime", Kind::kSpecial, {}, set_end_time},
    {"ExcNodeList", Kind::kText, {"excluded_nodes", &v1::JobSpec::mutable_excluded_nodes}},
    {"Features", Kind::kText, {"constraint", &v1::JobSpec::mutable_constraint}},
    {"Gres", Kind::kSpecial, {}, set_gres},
    {"IRequeue", Kind::kYesNoOrDefault, number<&v1::JobSpec::set_requeue>("requeue")},
    {"JobName", Kind::kText, {"name", &v1::JobSpec::mutable_name}},
    {"Licenses", Kind::kText, {"licenses", &v1::JobSpec::mutable_licenses}},
    {"MailType", Kind::kSpecial, {}, set_mail_type},
    {"MailUser", Kind::kText, {"mail_user", &v1::JobSpec::mutable_mail_user}},
    {"MemPerTres", Kind::kGpus, number<&v1::JobSpec::set_mem_per_gpu_mb>("mem_per_gpu_mb")},
    {"MinCPUsNode", Kind::kCount, number<&v1::JobSpec::set_min_cpus_per_node>("min_cpus_per_node")},
    {"MinMemoryCPU", Kind::kCount, number<&v1::JobSpec::set_mem_per_cpu_mb>("mem_per_cpu_mb")},
    {"MinMemoryNode", Kind::kCount, number<&v1::JobSpec::set_mem_per_node_mb>("mem_per_node_mb")},
    {"MinTmpDiskNode", Kind::kCount, number<&v1::JobSpec::set_tmp_mb>("tmp_mb")},
    {"Name", Kind::kText, {"name", &v1::JobSpec::mutable_name}},
    {"Nice", Kind::kSpecial, {}, set_nice},
    {"NodeList", Kind::kSpecial, {}, set_node_list},
    {"NumCPUs", Kind::kSpecial, {}, set_cpu_count},
    {"NumNodes", Kind::kSpecial, {}, set_node_count},
    {"NumTasks", Kind::kCount, number<&v1::JobSpec::set_ntasks>("ntasks")},
    {"OverSubscribe", Kind::kSpecial, {}, set_sharing},
    {"Partition", Kind::kText, {"partition", &v1::JobSpec::mutable_partition}},
    {"Prefer", Kind::kText, {"prefer", &v1::JobSpec::mutable_prefer}},
    {"Priority", Kind::kCount, number<&v1::JobSpec::set_priority>("priority")},
    {"QOS", Kind::kText, {"qos", &v1::JobSpec::mutable_qos}},
    {"Reboot", Kind::kRefused},
    {"ReqCores", Kind::kCount, number<&v1::JobSpec::set_cores_per_socket>("cores_per_socket")},
    {"ReqNodeList", Kind::kText, {"required_nodes", &v1::JobSpec::mutable_required_nodes}},
    {"ReqNodes", Kind::kSpecial, {}, set_node_count},
    {"ReqProcs", Kind::kCount, number<&v1::JobSpec::set_ntasks>("ntasks")},
    {"ReqSockets", Kind::kCount, number<&v1::JobSpec::set_sockets_per_node>("sockets_per_node")},
    {"ReqThreads", Kind::kCount, number<&v1::JobSpec::set_threads_per_core>("threads_per_core")},
    {"Requeue", Kind::kYesNoOrDefault, number<&v1::JobSpec::set_requeue>("requeue")},
    {"ReservationName", Kind::kText, {"reservation", &v1::JobSpec::mutable_reservation}},
    {"ResetAccrueTime", Kind::kSpecial, {}, reset_accrue_time},
    {"Shared", Kind::kSpecial, {}, set_sharing},
    {"SiteFactor", Kind::kSpecial, {}, set_site_factor},
    {"StartTime", Kind::kMoment, number<&v1::JobSpec::set_begin_time>("begin_time")},
    {"StdOut", Kind::kText, {"std_out", &v1::JobSpec::mutable_std_out}},
    {"Switches", Kind::kSpecial, {}, set_switches},
    {"TasksPerNode", Kind::kCount, number<&v1::JobSpec::set_ntasks_per_node>("ntasks_per_node")},
    {"ThreadSpec", Kind::kCount, number<&v1::JobSpec::set_thread_spec>("thread_spec")},
    {"TimeLimit", Kind::kSpecial, {}, set_time_limit},
    {"TimeMin", Kind::kMinutes, number<&v1::JobSpec::set_time_min>("time_min")},
    {"TresBind", Kind::kText, {"gpu_bind", &v1::JobSpec::mutable_gpu_bind}},
    {"TresFreq", Kind::kText, {"gpu_freq", &v1::JobSpec::mutable_gpu_freq}},
    {"TresPerJob", Kind::kGpus, {"gpus", &v1::JobSpec::mutable_gpus}},
    {"TresPerNode", Kind::kSpecial, {}, set_gres},
    {"TresPerSocket", Kind::kGpus, {"gpus_per_socket", &v1::JobSpec::mutable_gpus_per_socket}},
    {"TresPerTask", Kind::kGpus, {"gpus_per_task", &v1::JobSpec::mutable_gpus_per_task}},
    {"WCKey", Kind::kText, {"wckey", &v1::JobSpec::mutable_wckey}},
    {"WorkDir", Kind::kText, {"work_dir", &v1::JobSpec::mutable_work_dir}},
    {"wait-for-switch", Kind::kSeconds,
     number<&v1::JobSpec::set_switches_wait_s>("switches_wait_s")},
};

void put_number(JobChange& change, const Field& field, int64_t value) {
  field.number(*change.request.mutable_set(), value);
}

Took put_text(JobChange& change, const Field& field, const std::string& value) {
  if (value.empty()) {
    change.request.add_clear(std::string(field.name));
  } else {
    *(change.request.mutable_set()->*field.text)() = value;
  }
  return Took::kChange;
}

std::string without_gpu_prefix(std::string_view value) {
  for (std::string_view prefix : {"gres:", "gres/", "gpu:", "gpu="}) {
    if (istarts_with(value, prefix)) value.remove_prefix(prefix.size());
  }
  return std::string(value);
}

// The number that `text` means for a row of this kind, nothing if it means none.
std::optional<int64_t> number_of(Kind kind, std::string_view text) {
  if (kind == Kind::kCount) {
    auto count = parse_uint(text, UINT32_MAX - 2);
    return count ? std::optional<int64_t>(static_cast<int64_t>(*count)) : std::nullopt;
  }
  auto seconds = parse_duration(text);
  if (!seconds) return std::nullopt;
  return kind == Kind::kMinutes ? minutes_rounded_up(*seconds) : *seconds;
}

Took put_moment(JobChange& change, const Field& field, const Setting& setting) {
  auto time = parse_datetime(setting.value, change.now, false);
  if (!time) {
    change.session.complain(time.error().message);
    return Took::kNothing;
  }
  put_number(change, field, *time);
  return Took::kChange;
}

Took put_field(JobChange& change, const JobKey& row, const Setting& setting) {
  const Field& field = row.field;
  switch (row.kind) {
    case Kind::kText:
      return put_text(change, field, setting.value);
    case Kind::kYesNo:
    case Kind::kYesNoOrDefault: {
      auto value = parse_yes_no(setting.value);
      if (!value) return bad_value(change, row.key, setting);
      if (*value || row.kind == Kind::kYesNoOrDefault) {
        put_number(change, field, *value);
      } else {
        change.request.add_clear(std::string(field.name));
      }
      return Took::kChange;
    }
    case Kind::kMoment:
      return put_moment(change, field, setting);
    case Kind::kGpus: {
      std::string value = without_gpu_prefix(setting.value);
      if (field.text) return put_text(change, field, value);
      auto count = number_of(Kind::kCount, value);
      if (!count) return bad_value(change, row.key, setting);
      put_number(change, field, *count);
      return Took::kChange;
    }
    default: {
      auto number = number_of(row.kind, setting.value);
      if (!number) return bad_value(change, row.key, setting);
      put_number(change, field, *number);
      return Took::kChange;
    }
  }
}

}  // namespace

std::vector<std::string> job_keys() {
  std::vector<std::string> keys;
  for (const JobKey& row : kJobKeys) {
    if (row.kind != Kind::kRefused) keys.emplace_back(row.key);
  }
  return keys;
}

Took bad_value(JobChange& change, std::string_view key, const Setting& setting) {
  change.session.error(fmt::format("Invalid {} value: {}",
                                   iequals(key, "irequeue") ? "Requeue" : key, setting.value));
  return Took::kAbort;
}

Took apply_job_setting(JobChange& change, const Setting& setting) {
  const JobKey* row = find_row(kJobKeys, setting.key);
  bool may_stand_alone = row && (row->key == "Nice" || row->key == "ResetAccrueTime");
  if (!setting.has_value && !may_stand_alone) {
    change.session.complain("Invalid input: " + setting.word);
    change.session.complain("Request aborted");
    return Took::kAbort;
  }
  if (!row) {
    change.session.complain("Update of this parameter is not supported: " + setting.word);
    change.session.complain("Request aborted");
    change.session.suggest(setting.key, job_keys());
    return Took::kAbort;
  }
  if (row->kind == Kind::kRefused) {
    for (const std::string& job : change.jobs) {
      change.session.complain("Requested operation not supported on this system for job " + job);
    }
    return Took::kAbort;
  }
  if (row->kind == Kind::kSpecial) return row->set(change, setting);
  return put_field(change, *row, setting);
}

}  // namespace grappe::scontrol
