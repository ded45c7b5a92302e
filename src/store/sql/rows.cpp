#include "store/sql/rows.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace grappe::sql {
namespace {

std::string message_bytes(const std::string& column) {
  return column.starts_with("\\x") ? text_to_bytes(column) : column;
}

// Slurm's hard limit of MaxArraySize: what was accepted once is never refused on the way back.
constexpr uint32_t kLargestArray = 4000001;

std::string pack(const std::vector<NodeAllocation>& shares) {
  store::v1::Allocation out;
  for (const NodeAllocation& from : shares) {
    store::v1::Share& to = *out.add_shares();
    to.set_node(from.node);
    to.set_name(from.name);
    to.mutable_cpus()->Assign(from.cpus.begin(), from.cpus.end());
    to.set_memory_mb(from.memory_mb);
    to.set_tasks(from.tasks);
    for (const GresAllocation& gres : from.gres) {
      store::v1::Gres& g = *to.add_gres();
      g.set_name(gres.name);
      g.set_type(gres.type);
      g.mutable_indexes()->Assign(gres.indexes.begin(), gres.indexes.end());
    }
  }
  return out.SerializeAsString();
}

// Parses a column, through `into`.
void parse_column(const std::string& column, google::protobuf::MessageLite& into) {
  column.starts_with("\\x") ? into.ParseFromString(text_to_bytes(column))
                            : into.ParseFromString(column);
}

std::vector<NodeAllocation> unpack(const store::v1::Allocation& in) {
  std::vector<NodeAllocation> shares;
  shares.reserve(static_cast<size_t>(in.shares_size()));
  for (const store::v1::Share& from : in.shares()) {
    NodeAllocation& to = shares.emplace_back();
    to.node = from.node();
    to.name = from.name();
    to.cpus.assign(from.cpus().begin(), from.cpus().end());
    to.memory_mb = from.memory_mb();
    to.tasks = from.tasks();
    for (const store::v1::Gres& g : from.gres()) {
      to.gres.push_back({g.name(), g.type(), {g.indexes().begin(), g.indexes().end()}});
    }
  }
  return shares;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out;
  for (std::string_view word : split_words(text, ",")) out.emplace_back(word);
  return out;
}

}  // namespace

namespace {

long long millionths(const std::optional<double>& billing) {
  return billing ? std::llround(std::max(*billing, 0.0) * 1e6) : -1;
}

std::optional<double> from_millionths(long long billing) {
  if (billing < 0) return std::nullopt;
  return static_cast<double>(billing) / 1e6;
}

}  // namespace

void to_row(const Job& j, JobRow& r) {
  r.id = j.id;
  r.restarts = j.restarts;
  r.array_job_id = j.array_job_id;
  r.array_task_id = j.array_task_id ? static_cast<long long>(*j.array_task_id) : -1;
  r.array_waiting = j.waiting ? format_tasks(*j.waiting, 0, 0) : "";
  r.array_max_running = j.array_max_running;
  r.uid = j.uid;
  r.gid = j.gid;
  r.user_name = j.user;
  r.group_name = j.group;
  r.account = j.account;
  r.qos = j.qos;
  r.assoc_id = j.assoc_id;
  r.wckey = j.wckey;
  r.partitions = join(j.partitions, ",");
  r.name = j.spec->name();
  r.state = j.state;
  r.reason = static_cast<long long>(j.reason);
  r.reason_detail = j.reason_detail;
  r.hold = static_cast<long long>(j.hold);
  r.priority = j.priority;
  r.direct_priority = j.direct_priority;
  r.dependency = format_dependencies(j.dependency);
  r.submit_time = j.submit_time;
  r.begin_time = j.begin_time;
  r.eligible_time = j.eligible_time;
  r.accrue_time = j.accrue_time;
  r.start_time = j.start_time;
  r.end_time = j.end_time;
  r.suspend_time = j.suspend_time;
  r.pre_suspend_s = j.pre_suspend_s;
  r.suspended_s = j.suspended_s;
  r.killed_time = j.killed_time;
  r.preempt_time = j.preempt_time;
  r.warned = j.warned;
  r.nodes = j.nodes;
  r.min_nodes = j.settled.min_nodes;
  r.max_nodes = j.settled.max_nodes;
  r.tasks = j.settled.tasks;
  r.cpus_per_task = j.settled.cpus_per_task;
  r.min_cpus_per_node = j.settled.min_cpus_per_node;
  r.cpus = j.settled.cpus;
  r.mem_per_cpu_mb = static_cast<long long>(j.settled.mem_per_cpu_mb);
  r.mem_per_node_mb = static_cast<long long>(j.settled.mem_per_node_mb);
  r.time_limit = j.settled.time_limit;
  r.whole_nodes = j.settled.whole_nodes;
  r.billing_asked = millionths(j.settled.billing);
  r.billing = millionths(j.billing);
  r.site_factor = j.site_factor;
  r.lifted = j.lifted.bits();
  r.next_step = j.next_step;
  r.requeue_after = j.requeue_after;
  r.backfilled = j.backfilled;
  r.boot_id = j.boot_id;
  r.exit_code = j.exit_code;
  r.derived_exit_code = j.derived_exit_code;
  r.ended_by = j.ended_by;
  r.system_comment = j.system_comment;
  r.script_key = j.script_key;
  r.environment_key = j.environment_key;
  r.token = j.token;
  r.spec = j.spec->SerializeAsString();
  r.allocation = pack(j.allocation);
  r.live = !j.finished() || (j.state & kStateCompleting) != 0;
}

std::shared_ptr<const v1::JobSpec> JobReader::spec_of(const std::string& column) {
  if (last_spec_ && column == last_column_) return last_spec_;
  std::shared_ptr<const v1::JobSpec>& known = specs_[column];
  if (!known) {
    auto spec = std::make_shared<v1::JobSpec>();
    parse_column(column, *spec);
    known = std::move(spec);
  }
  last_column_ = column;
  last_spec_ = known;
  return known;
}

std::vector<NodeAllocation> JobReader::allocation_of(const std::string& column) {
  if (column.empty()) return {};
  parse_column(column, allocation_);
  return unpack(allocation_);
}

Job JobReader::from_row(const JobRow& r) {
  Job j;
  j.id = static_cast<uint32_t>(r.id);
  j.restarts = static_cast<uint32_t>(r.restarts);
  j.array_job_id = static_cast<uint32_t>(r.array_job_id);
  if (r.array_task_id >= 0) j.array_task_id = static_cast<uint32_t>(r.array_task_id);
  if (!r.array_waiting.empty()) {
    if (auto array = parse_array_spec(r.array_waiting, kLargestArray)) {
      j.waiting = std::make_shared<const TaskSet>(std::move(array->tasks));
    }
  }
  j.array_max_running = static_cast<uint32_t>(r.array_max_running);
  j.uid = static_cast<uid_t>(r.uid);
  j.gid = static_cast<gid_t>(r.gid);
  j.user = r.user_name;
  j.group = r.group_name;
  j.account = r.account;
  j.qos = r.qos;
  j.assoc_id = static_cast<uint32_t>(r.assoc_id);
  j.wckey = r.wckey;
  j.partitions = words(r.partitions);
  j.state = static_cast<uint32_t>(r.state);
  j.reason = static_cast<Reason>(r.reason);
  j.reason_detail = r.reason_detail;
  j.hold = static_cast<Hold>(r.hold);
  j.priority = static_cast<uint32_t>(r.priority);
  j.direct_priority = r.direct_priority != 0;
  if (!r.dependency.empty()) {
    if (auto list = parse_dependencies(r.dependency)) j.dependency = std::move(*list);
  }
  j.submit_time = r.submit_time;
  j.begin_time = r.begin_time;
  j.eligible_time = r.eligible_time;
  j.accrue_time = r.accrue_time;
  j.start_time = r.start_time;
  j.end_time = r.end_time;
  j.suspend_time = r.suspend_time;
  j.pre_suspend_s = r.pre_suspend_s;
  j.suspended_s = r.suspended_s;
  j.killed_time = r.killed_time;
  j.preempt_time = r.preempt_time;
  j.warned = r.warned != 0;
  j.nodes = r.nodes;
  j.settled.min_nodes = static_cast<uint32_t>(r.min_nodes);
  j.settled.max_nodes = static_cast<uint32_t>(r.max_nodes);
  j.settled.tasks = static_cast<uint32_t>(r.tasks);
  j.settled.cpus_per_task = static_cast<uint32_t>(r.cpus_per_task);
  j.settled.min_cpus_per_node = static_cast<uint32_t>(r.min_cpus_per_node);
  j.settled.cpus = static_cast<uint32_t>(r.cpus);
  j.settled.mem_per_cpu_mb = static_cast<uint64_t>(r.mem_per_cpu_mb);
  j.settled.mem_per_node_mb = static_cast<uint64_t>(r.mem_per_node_mb);
  j.settled.time_limit = static_cast<uint32_t>(r.time_limit);
  j.settled.whole_nodes = r.whole_nodes != 0;
  j.settled.billing = from_millionths(r.billing_asked);
  j.billing = from_millionths(r.billing);
  j.site_factor = r.site_factor;
  j.lifted = Lifted::of_bits(static_cast<uint32_t>(r.lifted));
  j.next_step = static_cast<uint32_t>(r.next_step);
  j.requeue_after = r.requeue_after != 0;
  j.backfilled = r.backfilled != 0;
  j.boot_id = r.boot_id;
  j.exit_code = static_cast<int32_t>(r.exit_code);
  j.derived_exit_code = static_cast<int32_t>(r.derived_exit_code);
  j.ended_by = static_cast<uint32_t>(r.ended_by);
  j.system_comment = r.system_comment;
  j.script_key = r.script_key;
  j.environment_key = r.environment_key;
  j.token = r.token;
  j.spec = spec_of(r.spec);
  j.allocation = allocation_of(r.allocation);
  return j;
}

void to_row(const Step& s, StepRow& r) {
  r.job_id = s.job_id;
  r.restarts = s.restart;
  r.step_id = s.step_id;
  r.name = s.name;
  r.state = s.state;
  r.start_time = s.start_time;
  r.end_time = s.end_time;
  r.nodes = s.nodes;
  r.tasks = s.tasks;
  r.time_limit = s.time_limit;
  r.exit_code = s.exit_code;
  r.overlap = s.overlap;
  r.srun_pid = s.srun_pid;
  r.srun_host = s.srun_host;
  r.failure = s.failure;
  r.user_us = static_cast<long long>(s.user_us);
  r.system_us = static_cast<long long>(s.system_us);
  r.max_rss = static_cast<long long>(s.max_rss);
  r.task_node.clear();
  for (uint32_t node : s.task_node) r.task_node += std::to_string(node) + ",";
  // The environment of a step is for its launch, which may have to be repeated; history does not
  // need it.
  if (s.spec) {
    v1::StepSpec kept = *s.spec;
    if (s.launched || s.end_time) kept.clear_environment();
    r.spec = kept.SerializeAsString();
  } else {
    r.spec.clear();
  }
  r.allocation = pack(s.allocation);
  r.use_figures = s.use ? s.use->SerializeAsString() : "";
  r.use_samples = s.series ? *s.series : "";
}

Step from_row(const StepRow& r) {
  Step s;
  s.job_id = static_cast<uint32_t>(r.job_id);
  s.restart = static_cast<uint32_t>(r.restarts);
  s.step_id = static_cast<uint32_t>(r.step_id);
  s.name = r.name;
  s.state = static_cast<uint32_t>(r.state);
  s.start_time = r.start_time;
  s.end_time = r.end_time;
  s.nodes = r.nodes;
  s.tasks = static_cast<uint32_t>(r.tasks);
  s.time_limit = static_cast<uint32_t>(r.time_limit);
  s.exit_code = static_cast<int32_t>(r.exit_code);
  s.overlap = r.overlap != 0;
  s.srun_pid = static_cast<uint32_t>(r.srun_pid);
  s.srun_host = r.srun_host;
  s.failure = r.failure;
  s.user_us = static_cast<uint64_t>(r.user_us);
  s.system_us = static_cast<uint64_t>(r.system_us);
  s.max_rss = static_cast<uint64_t>(r.max_rss);
  for (const std::string& node : words(r.task_node)) {
    s.task_node.push_back(static_cast<uint32_t>(parse_uint(node, UINT32_MAX).value_or(0)));
  }
  auto spec = std::make_shared<v1::StepSpec>();
  if (!r.spec.empty() && spec->ParseFromString(message_bytes(r.spec))) s.spec = std::move(spec);
  store::v1::Allocation allocation;
  parse_column(r.allocation, allocation);
  s.allocation = unpack(allocation);
  auto use = std::make_shared<v1::StepUse>();
  const std::string figures = message_bytes(r.use_figures);
  if (!figures.empty() && use->ParseFromString(figures)) s.use = std::move(use);
  std::string samples = message_bytes(r.use_samples);
  if (!samples.empty()) s.series = std::make_shared<const std::string>(std::move(samples));
  return s;
}

std::string bytes_to_text(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\\x";
  out.reserve(2 + 2 * bytes.size());
  for (unsigned char byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string text_to_bytes(const std::string& text) {
  auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::string out;
  out.reserve(text.size() / 2);
  for (size_t i = 2; i + 1 < text.size(); i += 2) {
    out += static_cast<char>(value(text[i]) << 4 | value(text[i + 1]));
  }
  return out;
}

void bytes_to_text(JobRow& row) {
  for (std::string* column : {&row.spec, &row.allocation}) *column = bytes_to_text(*column);
}
void bytes_to_text(StepRow& row) {
  for (std::string* column : {&row.spec, &row.allocation, &row.use_figures, &row.use_samples}) {
    *column = bytes_to_text(*column);
  }
}

}  // namespace grappe::sql
