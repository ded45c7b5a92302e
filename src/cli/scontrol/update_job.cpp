#include "cli/scontrol/update_job.h"

#include <fmt/core.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include "base/datetime.h"
#include "base/duration.h"

namespace grappe::scontrol {
namespace {

using google::protobuf::FieldDescriptor;

enum class Kind {
  kText,
  kCount,
  kYesNo,
  kMinutes,
  kSeconds,
  kMoment,
  kGpus,     // "gres:gpu:2" is the 2 of --gpus
  kRefused,  // exists in Slurm; there is nothing here that it could change
  kSpecial,
};

struct JobKey {
  std::string_view key;
  Kind kind;
  std::string_view field;  // of JobSpec
  Took (*set)(JobChange& change, const Setting& setting) = nullptr;
};

constexpr JobKey kJobKeys[] = {
    {"Account", Kind::kText, "account"},
    {"AdminComment", Kind::kText, "admin_comment"},
    {"ArrayTaskThrottle", Kind::kSpecial, "", set_throttle},
    {"BurstBuffer", Kind::kRefused, ""},
    {"Clusters", Kind::kRefused, ""},
    {"ClusterFeatures", Kind::kRefused, ""},
    {"Comment", Kind::kText, "comment"},
    {"Contiguous", Kind::kYesNo, "contiguous"},
    {"CoreSpec", Kind::kCount, "core_spec"},
    {"CPUsPerTask", Kind::kCount, "cpus_per_task"},
    {"CpusPerTres", Kind::kGpus, "cpus_per_gpu"},
    {"Deadline", Kind::kMoment, "deadline"},
    {"DelayBoot", Kind::kSeconds, "delay_boot"},
    {"Dependency", Kind::kText, "dependency"},
    {"EligibleTime", Kind::kMoment, "begin_time"},
    {"EndTime", Kind::kSpecial, "", set_end_time},
    {"ExcNodeList", Kind::kText, "excluded_nodes"},
    {"Features", Kind::kText, "constraint"},
    {"Gres", Kind::kSpecial, "", set_gres},
    {"IRequeue", Kind::kYesNo, "requeue"},
    {"JobName", Kind::kText, "name"},
    {"Licenses", Kind::kText, "licenses"},
    {"MailType", Kind::kSpecial, "", set_mail_type},
    {"MailUser", Kind::kText, "mail_user"},
    {"MemPerTres", Kind::kGpus, "mem_per_gpu_mb"},
    {"MinCPUsNode", Kind::kCount, "min_cpus_per_node"},
    {"MinMemoryCPU", Kind::kCount, "mem_per_cpu_mb"},
    {"MinMemoryNode", Kind::kCount, "mem_per_node_mb"},
    {"MinTmpDiskNode", Kind::kCount, "tmp_mb"},
    {"Name", Kind::kText, "name"},
    {"Nice", Kind::kSpecial, "", set_nice},
    {"NodeList", Kind::kSpecial, "", set_node_list},
    {"NumCPUs", Kind::kSpecial, "", set_cpu_count},
    {"NumNodes", Kind::kSpecial, "", set_node_count},
    {"NumTasks", Kind::kCount, "ntasks"},
    {"OverSubscribe", Kind::kSpecial, "", set_sharing},
    {"Partition", Kind::kText, "partition"},
    {"Prefer", Kind::kText, "prefer"},
    {"Priority", Kind::kCount, "priority"},
    {"QOS", Kind::kText, "qos"},
    {"Reboot", Kind::kRefused, ""},
    {"ReqCores", Kind::kCount, "cores_per_socket"},
    {"ReqNodeList", Kind::kText, "required_nodes"},
    {"ReqNodes", Kind::kSpecial, "", set_node_count},
    {"ReqProcs", Kind::kCount, "ntasks"},
    {"ReqSockets", Kind::kCount, "sockets_per_node"},
    {"ReqThreads", Kind::kCount, "threads_per_core"},
    {"Requeue", Kind::kYesNo, "requeue"},
    {"ReservationName", Kind::kText, "reservation"},
    {"ResetAccrueTime", Kind::kSpecial, "", reset_accrue_time},
    {"Shared", Kind::kSpecial, "", set_sharing},
    {"SiteFactor", Kind::kSpecial, "", set_site_factor},
    {"StartTime", Kind::kMoment, "begin_time"},
    {"StdOut", Kind::kText, "std_out"},
    {"Switches", Kind::kSpecial, "", set_switches},
    {"SystemComment", Kind::kSpecial, "", set_system_comment},
    {"TasksPerNode", Kind::kCount, "ntasks_per_node"},
    {"ThreadSpec", Kind::kCount, "thread_spec"},
    {"TimeLimit", Kind::kSpecial, "", set_time_limit},
    {"TimeMin", Kind::kMinutes, "time_min"},
    {"TresBind", Kind::kText, "gpu_bind"},
    {"TresFreq", Kind::kText, "gpu_freq"},
    {"TresPerJob", Kind::kGpus, "gpus"},
    {"TresPerNode", Kind::kSpecial, "", set_gres},
    {"TresPerSocket", Kind::kGpus, "gpus_per_socket"},
    {"TresPerTask", Kind::kGpus, "gpus_per_task"},
    {"WCKey", Kind::kText, "wckey"},
    {"WorkDir", Kind::kText, "work_dir"},
    {"wait-for-switch", Kind::kSeconds, "switches_wait_s"},
};

void put_number(v1::JobSpec& spec, const FieldDescriptor* field, int64_t value) {
  const auto* reflection = spec.GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection->SetUInt32(&spec, field, static_cast<uint32_t>(value));
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection->SetUInt64(&spec, field, static_cast<uint64_t>(value));
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection->SetInt64(&spec, field, value);
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection->SetBool(&spec, field, value != 0);
    default:
      return;
  }
}

Took put_text(JobChange& change, const FieldDescriptor* field, const std::string& value) {
  if (value.empty()) {
    change.request.add_clear(std::string(field->name()));
  } else {
    v1::JobSpec& spec = *change.request.mutable_set();
    spec.GetReflection()->SetString(&spec, field, value);
  }
  return Took::kChange;
}

// A flag that is off is not there, so NO clears it.
Took put_flag(JobChange& change, const FieldDescriptor* field, bool value) {
  if (value || field->has_presence()) {
    put_number(*change.request.mutable_set(), field, value);
  } else {
    change.request.add_clear(std::string(field->name()));
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

Took put_moment(JobChange& change, const FieldDescriptor* field, const Setting& setting) {
  auto time = parse_datetime(setting.value, change.now, false);
  if (!time) {
    change.session.complain(time.error().message);
    return Took::kNothing;
  }
  put_number(*change.request.mutable_set(), field, *time);
  return Took::kChange;
}

Took put_field(JobChange& change, const JobKey& row, const Setting& setting) {
  const auto* field = v1::JobSpec::descriptor()->FindFieldByName(std::string(row.field));
  switch (row.kind) {
    case Kind::kText:
      return put_text(change, field, setting.value);
    case Kind::kYesNo: {
      auto value = parse_yes_no(setting.value);
      if (!value) return bad_value(change, row.key, setting);
      return put_flag(change, field, *value);
    }
    case Kind::kMoment:
      return put_moment(change, field, setting);
    case Kind::kGpus: {
      std::string value = without_gpu_prefix(setting.value);
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
        return put_text(change, field, value);
      auto count = number_of(Kind::kCount, value);
      if (!count) return bad_value(change, row.key, setting);
      put_number(*change.request.mutable_set(), field, *count);
      return Took::kChange;
    }
    default: {
      auto number = number_of(row.kind, setting.value);
      if (!number) return bad_value(change, row.key, setting);
      put_number(*change.request.mutable_set(), field, *number);
      return Took::kChange;
    }
  }
}

}  // namespace

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
