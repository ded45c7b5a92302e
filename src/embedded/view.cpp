#include "embedded/view.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/gres_spec.h"
#include "base/hostlist.h"
#include "base/index_set.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "embedded/file_pattern.h"
#include "embedded/gpu_binding.h"
#include "embedded/shrink.h"
#include "embedded/tres.h"
#include "store/usage.h"

namespace grappe::embedded {
namespace {

void fill_brief(const Job& job, v1::JobInfo* out) {
  out->set_job_id(job.id);
  out->set_state(job.state);
  const std::string_view reason = reason_name(job.reason);
  out->set_reason(reason.data(), reason.size());
  if (!job.reason_detail.empty()) out->set_reason_detail(job.reason_detail);
  out->set_uid(job.uid);
  out->set_user(job.user);
  out->set_gid(job.gid);
  out->set_group(job.group);
  out->set_name(job.spec->name());
  out->set_account(job.account);
  if (job.partitions.size() == 1) {
    out->set_partition(job.partitions.front());
  } else {
    out->set_partition(join(job.partitions, ","));
  }
  out->set_qos(job.qos);
  out->set_priority(job.priority);
  out->set_nice(job.spec->nice());
  out->set_submit_time(job.submit_time);
  out->set_eligible_time(job.eligible_time);
  out->set_accrue_time(job.accrue_time);
  out->set_start_time(job.start_time ? job.start_time : job.expected_start);
  out->set_end_time(job.end_time);
  out->set_suspend_time(job.suspend_time);
  out->set_pre_suspend_s(job.pre_suspend_s);
  out->set_time_limit(job.settled.time_limit);
  out->set_exit_code(static_cast<uint32_t>(job.exit_code));
  out->set_nodes(job.nodes);
  out->set_batch(job.spec->batch());
  bool has_nodes = !job.allocation.empty();
  out->set_num_nodes(has_nodes ? static_cast<uint32_t>(job.allocation.size())
                               : job.settled.min_nodes);
  uint32_t cpus = job.settled.cpus;
  if (has_nodes) {
    cpus = 0;
    for (const NodeAllocation& share : job.allocation) cpus += share.cpus.size();
  }
  out->set_num_cpus(cpus);
  uint32_t tasks = job.settled.tasks;
  const bool grown = !job.spec->has_ntasks_per_node() && job.allocation.size() > tasks;
  if ((is_shrunk(job) || grown) && !job.spec->has_ntasks()) {
    tasks = 0;
    for (const NodeAllocation& share : job.allocation) tasks += share.tasks;
  }
  out->set_num_tasks(tasks);
  if (job.array_job_id) {
    out->set_array_job_id(job.array_job_id);
    out->set_array_max_running(job.array_max_running);
    if (job.array_task_id) out->set_array_task_id(*job.array_task_id);
    if (job.waiting) out->set_array_tasks(format_tasks(*job.waiting, job.array_max_running, 0));
  }
}

void fill_shares(const Job& job, v1::JobInfo* out) {
  std::string detail;  // node by node
  for (const NodeAllocation& share : job.allocation) {
    v1::NodeShare& to = *out->add_shares();
    to.set_node(share.name);
    to.mutable_cpu_ids()->Assign(share.cpus.begin(), share.cpus.end());
    to.set_mem_mb(share.memory_mb);
    std::string on_node;
    for (const GresAllocation& gres : share.gres) {
      v1::GresShare& g = *to.add_gres();
      g.set_name(gres.name);
      g.set_type(gres.type);
      g.mutable_index()->Assign(gres.indexes.begin(), gres.indexes.end());
      g.set_count(gres.indexes.size());
      on_node += fmt::format("{}{}{}{}:{}(IDX:{})", on_node.empty() ? "" : ",", gres.name,
                             gres.type.empty() ? "" : ":", gres.type, gres.indexes.size(),
                             format_index_set(gres.indexes));
    }
    if (!on_node.empty()) detail += (detail.empty() ? "" : ";") + on_node;
  }
  out->set_gres_detail(detail);
}

std::string shown_gres(const std::string& text, bool gpus) {
  if (text.empty()) return "";
  auto specs = gpus ? parse_gpus(text) : parse_gres(text);
  return specs ? format_gres(*specs) : text;
}

std::string oversubscribe_word(const Job& job) {
  if (job.settled.whole_nodes) return "NO";
  switch (job.spec->sharing()) {
    case v1::JobSpec::EXCLUSIVE_USER:
      return "USER";
    case v1::JobSpec::EXCLUSIVE_MCS:
      return "MCS";
    case v1::JobSpec::OVERSUBSCRIBE:
      return "YES";
    default:
      return "OK";
  }
}

// What a job was given, and how it went.
void fill_outcome(const Job& job, v1::JobInfo* out) {
  out->set_derived_exit_code(static_cast<uint32_t>(job.derived_exit_code));
  out->set_restarts(job.restarts);
  if (!job.allocation.empty()) {
    const uint64_t billing = job.billing ? static_cast<uint64_t>(*job.billing) : out->num_cpus();
    out->set_tres_alloc(tres_text(job.allocation, billing));
    out->set_billing(static_cast<uint32_t>(billing));
  }
  out->set_assoc_id(job.assoc_id);
  out->set_mem_per_cpu_mb(job.settled.mem_per_cpu_mb);
  out->set_mem_per_node_mb(job.settled.mem_per_node_mb);
}

// What is asked about a job in every detail, and also when it has long been over.
void fill_lasting(const ViewContext& context, const Job& job, v1::JobInfo* out) {
  fill_outcome(job, out);
  const v1::JobSpec& spec = *job.spec;
  out->set_tres_req(tres_text(tres_asked(job)));
  out->set_work_dir(spec.work_dir());
  out->set_cluster(context.cluster_name);
  out->set_scheduler(job.backfilled ? "Backfill" : "Main");
  out->set_licenses(spec.licenses());
  out->set_resv_name(spec.reservation());
  out->set_admin_comment(spec.admin_comment());
  out->set_system_comment(job.system_comment);
  out->set_comment(spec.comment());
  out->set_wckey(job.wckey);
  out->set_wckey_untracked(!context.track_wckey);
  out->set_features(spec.constraint());
}

void fill_full(const ViewContext& context, const Job& job, v1::JobInfo* out) {
  fill_lasting(context, job, out);
  const v1::JobSpec& spec = *job.spec;
  *out->mutable_spec() = spec;
  if (spec.mail_type() && spec.mail_user().empty() && !context.mail_domain.empty()) {
    out->mutable_spec()->set_mail_user(job.user + "@" + context.mail_domain);
  }
  out->set_last_sched_eval(job.last_sched_eval);
  out->set_deadline(spec.deadline());
  out->set_time_min(spec.time_min());
  out->set_requeue(spec.has_requeue() ? spec.requeue() : context.requeue);
  out->set_scheduled_nodes(node_list_text(job.expected_nodes));
  if (!job.allocation.empty()) out->set_batch_host(job.allocation.front().name);
  out->set_max_nodes(job.settled.max_nodes == UINT32_MAX ? 0 : job.settled.max_nodes);
  out->set_dependency(format_dependencies(job.dependency));
  out->set_command(spec.command());
  if (spec.batch()) {
    JobFiles files = batch_files(job);
    out->set_std_in(files.in);
    out->set_std_out(files.out);
    out->set_std_err(files.err);
  }
  fill_shares(job, out);
  out->set_alloc_host(spec.submit_host());
  out->set_alloc_sid(spec.submit_sid());
  out->set_direct_priority(job.direct_priority);
  out->set_cpus_per_task(job.settled.cpus_per_task);
  out->set_min_cpus_per_node(job.settled.min_cpus_per_node);
  out->set_held_by_user(job.hold == Hold::kUser);
  out->set_held_by_admin(job.hold == Hold::kAdmin);
  std::string per_node = shown_gres(spec.gres(), false);
  std::string gpus = shown_gres(spec.gpus_per_node(), true);
  out->set_tres_per_node(per_node + (per_node.empty() || gpus.empty() ? "" : ",") + gpus);
  if (!spec.gpus_of_tasks()) out->set_tres_per_job(shown_gres(spec.gpus(), true));
  out->set_tres_per_task(shown_gres(spec.gpus_per_task(), true));
  out->set_tres_per_socket(shown_gres(spec.gpus_per_socket(), true));
  out->set_exclusive(job.settled.whole_nodes);
  out->set_oversubscribe(oversubscribe_word(job));
  out->set_tmp_mb(spec.tmp_mb());
}

// How many nodes a job that waits will take at least: its tasks need CPUs.
uint32_t guessed_nodes(const ViewContext& context, const Job& job) {
  const auto most = context.most_cpus.find(job.partitions.front());
  const uint32_t least = job.settled.min_nodes;
  if (most == context.most_cpus.end() || most->second == 0) return least;
  const uint64_t cpus = uint64_t{job.settled.tasks} * std::max(job.spec->cpus_per_task(), 1u);
  const uint64_t needed = (cpus + most->second - 1) / most->second;
  return std::max(least, static_cast<uint32_t>(std::min<uint64_t>(needed, job.settled.tasks)));
}

}  // namespace

std::string node_list_text(std::vector<std::string> names) {
  return fold_sorted_hostlist(std::move(names));
}

std::string step_name(uint32_t step_id) {
  if (step_id == exec::kBatchStep) return "batch";
  if (step_id == exec::kExternStep) return "extern";
  if (step_id == exec::kInteractiveStep) return "interactive";
  return std::to_string(step_id);
}

ViewContext view_context(const Cluster& cluster) {
  ViewContext context{cluster.config.service.cluster_name,
                      cluster.config.jobs.requeue,
                      cluster.config.hooks.mail_domain,
                      {}};
  for (const ClusterPartition& partition : cluster.partitions) {
    uint32_t& most = context.most_cpus[partition.config.name];
    for (uint32_t node : partition.nodes) {
      most = std::max(most, cluster.nodes.at(node).machine.topology.cpus);
    }
  }
  context.track_wckey = cluster.config.accounting.track_wckey;
  return context;
}

void fill_job(const ViewContext& context, const Job& job, v1::ListJobsRequest::View view,
              v1::JobInfo* out) {
  fill_brief(job, out);
  bool limited = job.settled.time_limit != UINT32_MAX;
  int64_t length = int64_t{job.settled.time_limit} * 60;
  if (job.running() && limited) out->set_end_time(job.start_time + job.suspended_s + length);
  if (job.pending() && job.expected_start && limited) {
    out->set_end_time(job.expected_start + length);
  }
  if (job.pending()) out->set_num_nodes(guessed_nodes(context, job));
  if (job.pending() && !job.eligible_time) {
    out->set_eligible_time(job.begin_time);
    if (job.reason == Reason::kBeginTime) out->set_accrue_time(job.begin_time);
  }
  if (view == v1::ListJobsRequest::FULL) fill_full(context, job, out);
}

void fill_past_job(const ViewContext& context, const Job& job, v1::JobInfo* out) {
  fill_brief(job, out);
  fill_lasting(context, job, out);
}

void fill_past_job_briefly(const Job& job, v1::JobInfo* out) {
  fill_brief(job, out);
  fill_outcome(job, out);
}

namespace {

// "Cyclic", "Block": the first word of what was asked for, or what Slurm takes for so many tasks.
std::string distribution_name(const Step& step) {
  std::string name = step.spec->distribution();
  name.resize(std::min(name.size(), name.find_first_of(":,=")));
  if (name.empty()) name = step.tasks <= step.allocation.size() ? "cyclic" : "block";
  name.front() = static_cast<char>(std::toupper(name.front()));
  return name;
}

}  // namespace

namespace {

// Slurm names the resources of a step by the alphabet.
std::string by_name(const std::string& tres) {
  std::vector<std::string> parts;
  for (std::string_view part : split(tres, ',')) parts.emplace_back(part);
  std::sort(parts.begin(), parts.end());
  return join(parts, ",");
}

// What the step asks for of generic resources; without a wish it has those of the job.
void fill_step_gres(const Job& job, const v1::StepSpec& asked, uint32_t cpus, v1::StepInfo* out) {
  const bool wishes = !asked.gres().empty() || !asked.gpus().empty() ||
                      !asked.gpus_per_node().empty() || !asked.gpus_per_task().empty() ||
                      !asked.gpus_per_socket().empty();
  if (!wishes) {
    out->set_gres(shown_gres(job.spec->gres(), false));
    return;
  }
  std::string per_step = fmt::format("cpu:{}", cpus);
  const std::string gpus = shown_gres(asked.gpus(), true);
  if (!gpus.empty()) per_step += "," + gpus;
  out->set_tres_per_step(per_step);
  std::string on_node = shown_gres(asked.gres(), false);
  const std::string per_node = shown_gres(asked.gpus_per_node(), true);
  if (!per_node.empty()) on_node += (on_node.empty() ? "" : ",") + per_node;
  out->set_gres(on_node);
  out->set_tres_per_task(shown_gres(asked.gpus_per_task(), true));
  out->set_tres_per_socket(shown_gres(asked.gpus_per_socket(), true));
  if (asked.cpus_per_gpu())
    out->set_cpus_per_tres(fmt::format("gres:gpu:{}", asked.cpus_per_gpu()));
  if (asked.mem_per_gpu_mb()) {
    out->set_mem_per_tres(fmt::format("gres:gpu:{}", asked.mem_per_gpu_mb()));
  }
}

}  // namespace

void fill_step(const Job& job, const Step& step, v1::StepInfo* out) {
  out->set_job_id(step.job_id);
  out->set_step_id(step_name(step.step_id));
  if (job.array_job_id) out->set_array_job_id(job.array_job_id);
  if (job.array_task_id) out->set_array_task_id(*job.array_task_id);
  out->set_uid(job.uid);
  out->set_user(job.user);
  out->set_name(step.name);
  out->set_partition(job.partitions.front());
  out->set_state(step.state);
  out->set_start_time(step.start_time);
  out->set_end_time(step.end_time);
  out->set_time_limit(step.time_limit);
  out->set_nodes(step.nodes);
  out->set_num_nodes(static_cast<uint32_t>(step.allocation.size()));
  uint32_t cpus = 0;
  for (const NodeAllocation& share : step.allocation) {
    cpus += static_cast<uint32_t>(share.cpus.size());
    out->set_mem_mb(out->mem_mb() + share.memory_mb);
  }
  out->set_num_tasks(step.tasks);
  // The script is not counted: what it was given is what its steps are given.
  if (step.step_id != exec::kBatchStep) {
    out->set_num_cpus(cpus);
    out->set_tres(by_name(tres_text(step.allocation)));
  }
  out->set_exit_code(static_cast<uint32_t>(step.exit_code));
  out->set_account(job.account);
  out->set_qos(job.qos);
  out->set_host(step.srun_host);
  out->set_srun_pid(step.srun_pid);
  std::vector<uint32_t> per_node(step.allocation.size());
  for (uint32_t node : step.task_node) ++per_node.at(node);
  out->mutable_tasks_per_node()->Assign(per_node.begin(), per_node.end());
  for (const auto& [rank, pid] : step.pids) {
    v1::TaskPid& to = *out->add_pids();
    to.set_task(rank);
    to.set_pid(static_cast<uint32_t>(pid));
    if (rank < step.task_node.size()) {
      to.set_node(step.allocation.at(step.task_node[rank]).name);
    }
  }
  if (step.spec) {
    out->set_submit_line(step.spec->submit_line());
    const v1::StepSpec& asked = *step.spec;
    const std::string bind = asked.gpu_bind().empty() ? gpu_bind_of(asked) : asked.gpu_bind();
    if (!bind.empty()) out->set_tres_bind("gpu:" + bind);
    const uint32_t wanted = step.tasks * std::max(asked.cpus_per_task(), 1u);
    fill_step_gres(job, asked, asked.has_cpus_per_gpu() ? cpus : wanted, out);
    if (!asked.gpu_freq().empty()) out->set_tres_freq("gpu:" + asked.gpu_freq());
    out->set_std_in(step.spec->std_in());
    out->set_std_out(step.spec->std_out());
    out->set_std_err(step.spec->std_err());
    out->set_distribution(distribution_name(step));
    out->set_comment(step.spec->comment());
    out->set_work_dir(step.spec->work_dir());
  }
}

}  // namespace grappe::embedded
