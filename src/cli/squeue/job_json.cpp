#include "cli/squeue/job_json.h"

#include <map>
#include <unordered_map>

#include "base/duration.h"
#include "base/text.h"
#include "cli/format/json.h"
#include "cli/squeue/job_values.h"
#include "model/job_state.h"

namespace grappe {
namespace {

using Nodes = std::unordered_map<std::string, const v1::NodeInfo*>;

std::string gpu_text(std::string_view value) {
  return value.empty() ? std::string() : "gpu:" + std::string(value);
}
std::string per_gpu(bool given, uint64_t value) {
  return given ? "gres:gpu:" + std::to_string(value) : std::string();
}

void write_flags(JsonWriter& json, const v1::JobInfo& job) {
  const v1::JobSpec& spec = job.spec();
  struct Flag {
    std::string_view name;
    bool set;
  };
  const Flag flags[] = {
      {"GRES_ENFORCE_BIND", spec.gres_flags() == "enforce-binding"},
      {"SPREAD_JOB", spec.spread_job()},
      {"USE_MIN_NODES", spec.use_min_nodes()},
      {"JOB_CPUS_SET", spec.has_cpus_per_task()},
      {"GRES_DISABLE_BIND", spec.gres_flags() == "disable-binding"},
      {"JOB_MEM_SET", spec.has_mem_per_node_mb() || spec.has_mem_per_cpu_mb()},
  };
  json.open_list("flags");
  for (const Flag& flag : flags) {
    if (flag.set) json.text("", flag.name);
  }
  json.close_list();
}

void write_node_share(JsonWriter& json, const v1::NodeShare& share, const Nodes& nodes) {
  auto node = nodes.find(share.node());
  uint32_t threads = 1;
  uint32_t cores = UINT32_MAX;
  if (node != nodes.end()) {
    threads = std::max(node->second->threads_per_core(), 1u);
    cores = std::max(node->second->cores_per_socket(), 1u);
  }
  std::map<uint32_t, std::map<uint32_t, bool>> sockets;
  for (uint32_t cpu : share.cpu_ids()) {
    uint32_t core = cpu / threads;
    sockets[core / cores][core % cores] = true;
  }
  json.open_object();
  json.open_object("sockets");
  for (const auto& [socket, used] : sockets) {
    json.open_object(std::to_string(socket));
    json.open_object("cores");
    for (const auto& [core, set] : used) json.text(std::to_string(core), "allocated");
    json.close_object();
    json.close_object();
  }
  json.close_object();
  json.text("nodename", share.node());
  json.number("cpus_used", 0);
  json.number("memory_used", 0);
  json.number("memory_allocated", static_cast<int64_t>(share.mem_mb()));
  json.close_object();
}

void write_resources(JsonWriter& json, const v1::JobInfo& job, const Nodes& nodes) {
  if (job.shares().empty()) return;
  int64_t cores = 0;
  for (const v1::NodeShare& share : job.shares()) cores += share.cpu_ids_size();
  json.open_object("job_resources");
  json.text("nodes", job.nodes());
  json.number("allocated_cores", cores);
  json.number("allocated_hosts", job.shares_size());
  json.open_list("allocated_nodes");
  for (const v1::NodeShare& share : job.shares()) write_node_share(json, share, nodes);
  json.close_list();
  json.close_object();
}

void write_gres_detail(JsonWriter& json, const v1::JobInfo& job) {
  json.open_list("gres_detail");
  for (std::string_view part : split_words(job.gres_detail(), ";")) json.text("", trim(part));
  json.close_list();
}

void write_profile(JsonWriter& json, std::string_view profile) {
  if (profile.empty()) return json.null("profile");
  std::string names;
  job_values::profile(names, profile);
  json.open_list("profile");
  for (std::string_view name : split_words(names, ",")) json.text("", name);
  json.close_list();
}

void write_shared(JsonWriter& json, const v1::JobInfo& job) {
  switch (job.spec().sharing()) {
    case v1::JobSpec::EXCLUSIVE:
      return json.text("shared", "none");
    case v1::JobSpec::EXCLUSIVE_USER:
      return json.text("shared", "user");
    case v1::JobSpec::EXCLUSIVE_MCS:
      return json.text("shared", "mcs");
    case v1::JobSpec::OVERSUBSCRIBE:
      return json.text("shared", "shared");
    default:
      return json.null("shared");
  }
}

void write_identity(JsonWriter& json, const v1::JobInfo& job) {
  bool is_task = job.has_array_task_id();
  json.text("account", job.account());
  json.number("accrue_time", job.accrue_time());
  json.text("admin_comment", job.admin_comment());
  json.number("array_job_id", job.array_job_id());
  json.number_or_null("array_task_id", is_task, job.array_task_id());
  json.number("array_max_tasks", job.array_max_running());
  json.text("array_task_string", job.array_tasks());
  json.number("association_id", job.assoc_id());
  json.text("batch_features", "");
  json.boolean("batch_flag", job.batch());
  json.text("batch_host", job.batch_host());
  write_flags(json, job);
  json.text("burst_buffer", job.spec().burst_buffer());
  json.text("burst_buffer_state", "");
  json.text("cluster", job.cluster());
  json.text("cluster_features", job.spec().cluster_constraint());
  json.text("command", job.command());
  json.text("comment", job.comment());
  json.text("container", job.spec().container());
}

void write_request(JsonWriter& json, const v1::JobInfo& job) {
  const v1::JobSpec& spec = job.spec();
  bool running = !job.shares().empty();
  json.boolean("contiguous", spec.contiguous());
  json.number_or_null("core_spec", spec.has_core_spec(), spec.core_spec());
  json.number_or_null("thread_spec", spec.has_thread_spec(), spec.thread_spec());
  json.number_or_null("cores_per_socket", spec.has_cores_per_socket(), spec.cores_per_socket());
  if (running || job.billing() > 0) {
    json.real("billable_tres", job.billing());
  } else {
    json.null("billable_tres");
  }
  json.null("cpus_per_task");  // not even when it was asked for
  json.null("cpu_frequency_minimum");
  json.null("cpu_frequency_maximum");
  json.null("cpu_frequency_governor");
  json.text("cpus_per_tres", per_gpu(spec.has_cpus_per_gpu(), spec.cpus_per_gpu()));
  json.number("deadline", job.deadline());
  json.number("delay_boot", spec.delay_boot());
  json.text("dependency", job.dependency());
  json.number("derived_exit_code", job.derived_exit_code());
  json.number("eligible_time", job.eligible_time());
  json.number("end_time", job.end_time());
  json.text("excluded_nodes", spec.excluded_nodes());
  json.number("exit_code", job.exit_code());
  json.text("features", job.features());
  json.text("federation_origin", "");
  json.text("federation_siblings_active", "");
  json.text("federation_siblings_viable", "");
  write_gres_detail(json, job);
  json.number("group_id", job.gid());
  json.text("group_name", job.group());
  json.number("job_id", job.job_id());
}

void write_size(JsonWriter& json, const v1::JobInfo& job) {
  const v1::JobSpec& spec = job.spec();
  json.text("job_state", job_state_name(job.state()));
  json.number("last_sched_evaluation", job.last_sched_eval());
  json.text("licenses", job.licenses());
  json.number("max_cpus", 0);
  bool started =
      base_state(job.state()) != JobState::kPending && !ended_unstarted(job.state(), job.nodes());
  json.number("max_nodes", spec.has_max_nodes() && !started ? job.max_nodes() : 0);
  json.text("mcs_label", spec.mcs_label());
  json.text("memory_per_tres", per_gpu(spec.has_mem_per_gpu_mb(), spec.mem_per_gpu_mb()));
  json.text("name", job.name());
  json.text("nodes", job.nodes());
  json.number_or_null("nice", job.nice() != 0, job.nice());
  json.number_or_null("tasks_per_core", spec.has_ntasks_per_core(), spec.ntasks_per_core());
  json.number("tasks_per_node", spec.ntasks_per_node());
  json.number_or_null("tasks_per_socket", spec.has_ntasks_per_socket(), spec.ntasks_per_socket());
  json.number("tasks_per_board", 0);
  bool settled = spec.has_ntasks() || !ended_unstarted(job.state(), job.nodes());
  json.number_or_null("cpus", settled, job.num_cpus());
  json.number("node_count", job.num_nodes());
  json.number_or_null("tasks", settled, job.num_tasks());
  json.number("het_job_id", 0);
  json.text("het_job_id_set", "");
  json.number("het_job_offset", 0);
  json.text("partition", job.partition());
  json.text("prefer", spec.prefer());
  bool per_cpu = job.mem_per_cpu_mb() != 0;
  json.number_or_null("memory_per_node", !per_cpu, static_cast<int64_t>(job.mem_per_node_mb()));
  json.number_or_null("memory_per_cpu", per_cpu, static_cast<int64_t>(job.mem_per_cpu_mb()));
  json.number("minimum_cpus_per_node", job.min_cpus_per_node());
  json.number("minimum_tmp_disk_per_node", static_cast<int64_t>(job.tmp_mb()));
}

void write_state(JsonWriter& json, const v1::JobInfo& job) {
  const v1::JobSpec& spec = job.spec();
  json.number("preempt_time", job.preempt_time());
  json.number("pre_sus_time", job.pre_suspend_s());
  json.number("priority", job.priority());
  write_profile(json, spec.profile());
  json.text("qos", job.qos());
  json.boolean("reboot", spec.reboot());
  json.text("required_nodes", spec.required_nodes());
  json.boolean("requeue", job.requeue());
  json.number("resize_time", job.resize_time());
  json.number("restart_cnt", job.restarts());
  json.text("resv_name", job.resv_name());
  write_shared(json, job);
  json.open_list("show_flags");
  for (std::string_view flag : {"SHOW_ALL", "SHOW_DETAIL", "SHOW_LOCAL"}) json.text("", flag);
  json.close_list();
  json.number("sockets_per_board", 0);
  json.number_or_null("sockets_per_node", spec.has_sockets_per_node(), spec.sockets_per_node());
  json.number("start_time", job.start_time());
  json.text("state_description", job.reason_detail());
  json.text("state_reason", job.reason().empty() ? "None" : job.reason());
  json.text("standard_error", job_values::named_file(job, spec.std_err()));
  json.text("standard_input", job.std_in());
  json.text("standard_output", job_values::named_file(job, spec.std_out()));
  json.number("submit_time", job.submit_time());
  json.number("suspend_time", job.suspend_time());
  json.text("system_comment", job.system_comment());
  bool limited = job.time_limit() != kInfinite && job.time_limit() != kNoValue;
  json.number_or_null("time_limit", limited, job.time_limit());
  json.number("time_minimum", job.time_min());
  json.number_or_null("threads_per_core", spec.has_threads_per_core(), spec.threads_per_core());
}

void write_tres(JsonWriter& json, const v1::JobInfo& job) {
  json.text("tres_bind", gpu_text(job.spec().gpu_bind()));
  json.text("tres_freq", gpu_text(job.spec().gpu_freq()));
  json.text("tres_per_job", job.tres_per_job());
  json.text("tres_per_node", job.tres_per_node());
  json.text("tres_per_socket", job.tres_per_socket());
  json.text("tres_per_task", job.tres_per_task());
  json.text("tres_req_str", job.tres_req());
  json.text("tres_alloc_str", job.tres_alloc());
  json.number("user_id", job.uid());
  json.text("user_name", job.user());
  json.text("wckey", job.wckey());
  json.text("current_working_directory", job.work_dir());
}

}  // namespace

void append_jobs_json(std::string& out, const v1::ListJobsResponse& jobs,
                      const v1::NodesResponse& nodes) {
  Nodes by_name;
  for (const v1::NodeInfo& node : nodes.nodes()) by_name.emplace(node.name(), &node);
  JsonWriter json(out);
  json.open_object();
  write_json_meta(json);
  json.open_list("jobs");
  for (const v1::JobInfo& job : jobs.jobs()) {
    json.open_object();
    write_identity(json, job);
    write_request(json, job);
    write_resources(json, job, by_name);
    write_size(json, job);
    write_state(json, job);
    write_tres(json, job);
    json.close_object();
  }
  json.close_list();
  json.close_object();
}

}  // namespace grappe
