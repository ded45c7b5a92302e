#include "cli/options/job_options.h"

#include <algorithm>
#include <cstring>

#include "cli/options/job_rows.h"

namespace grappe {

// Scripts look for some of these titles in Slurm's help texts.
std::span<const OptionFamily> job_option_families() {
  static const OptionFamily families[] = {
      {"Parallel run options:", policy_rows()},
      {"Time options:", time_rows()},
      {"Constraint options:", constraint_rows()},
      {"Consumable resources related options:", resource_rows()},
      {"Affinity/Multi-core options:", layout_rows()},
      {"GPU scheduling options:", gpu_rows()},
      {"File and environment options:", file_rows()},
      {"Step options:", srun_rows()},
      {"Site options:", site_rows()},
      {"Other options:", command_rows()},
  };
  return families;
}

std::vector<const JobOption*> job_options(Commands commands) {
  std::vector<const JobOption*> rows;
  rows.reserve(160);
  for (const OptionFamily& family : job_option_families()) {
    for (const JobOption& row : family.rows) {
      if (row.commands & commands) rows.push_back(&row);
    }
  }
  // Rows that only the environment sets come first, in their own order: they prepare others.
  std::stable_sort(rows.begin(), rows.end(), [](const JobOption* a, const JobOption* b) {
    return std::strcmp(a->name, b->name) < 0;
  });
  return rows;
}

Source JobOptions::source(std::string_view name) const {
  for (const Setting& setting : settings) {
    if (setting.row->name == name) return setting.source;
  }
  return Source::kNone;
}

bool JobOptions::given_text(std::string_view name) const {
  for (const Setting& setting : settings) {
    if (setting.row->name == name) return !setting.text.empty();
  }
  return false;
}

namespace {

// Fields of the same name and type in the allocation and in the step.
void copy_counts(const v1::JobSpec& job, v1::StepSpec& step) {
  if (job.has_min_nodes()) step.set_min_nodes(job.min_nodes());
  if (job.has_max_nodes()) step.set_max_nodes(job.max_nodes());
  if (job.has_ntasks() && !step.has_ntasks()) step.set_ntasks(job.ntasks());
  if (job.has_ntasks_per_node()) step.set_ntasks_per_node(job.ntasks_per_node());
  if (job.has_ntasks_per_core()) step.set_ntasks_per_core(job.ntasks_per_core());
  if (job.has_ntasks_per_socket()) step.set_ntasks_per_socket(job.ntasks_per_socket());
  if (job.has_ntasks_per_gpu()) step.set_ntasks_per_gpu(job.ntasks_per_gpu());
  if (job.has_cpus_per_task()) step.set_cpus_per_task(job.cpus_per_task());
  if (job.has_threads_per_core()) step.set_threads_per_core(job.threads_per_core());
  if (job.has_mem_per_node_mb()) step.set_mem_per_node_mb(job.mem_per_node_mb());
  if (job.has_mem_per_cpu_mb()) step.set_mem_per_cpu_mb(job.mem_per_cpu_mb());
  if (job.has_mem_per_gpu_mb()) step.set_mem_per_gpu_mb(job.mem_per_gpu_mb());
  if (job.has_cpus_per_gpu()) step.set_cpus_per_gpu(job.cpus_per_gpu());
  if (job.has_time_limit()) step.set_time_limit(job.time_limit());
  if (job.has_umask()) step.set_umask(job.umask());
  if (job.has_warn_signal()) step.set_warn_signal(job.warn_signal());
  if (job.has_warn_seconds()) step.set_warn_seconds(job.warn_seconds());
}

void copy_texts(const v1::JobSpec& job, v1::StepSpec& step) {
  step.set_name(job.name());
  step.set_required_nodes(job.required_nodes());
  step.set_excluded_nodes(job.excluded_nodes());
  step.set_gres(job.gres());
  step.set_gpus(job.gpus());
  step.set_gpus_per_node(job.gpus_per_node());
  step.set_gpus_per_socket(job.gpus_per_socket());
  step.set_gpus_per_task(job.gpus_per_task());
  step.set_gpu_bind(job.gpu_bind());
  step.set_gpu_freq(job.gpu_freq());
  step.set_distribution(job.distribution());
  step.set_licenses(job.licenses());
  step.set_constraint(job.constraint());
  step.set_comment(job.comment());
  step.set_submit_line(job.submit_line());
  step.set_container(job.container());
  step.set_work_dir(job.work_dir());
  step.set_std_in(job.std_in());
  step.set_std_out(job.std_out());
  step.set_std_err(job.std_err());
  step.set_open_mode(job.open_mode());
}

}  // namespace

v1::StepSpec step_spec(const JobOptions& options) {
  v1::StepSpec step = options.step;
  copy_counts(options.spec, step);
  copy_texts(options.spec, step);
  step.set_overcommit(options.spec.overcommit());
  *step.mutable_rlimits() = options.spec.rlimits();
  step.set_rlimits_by_site(options.spec.rlimits_by_site());
  if (!options.step_gres.empty() && options.source("gres") != Source::kCommandLine) {
    step.set_gres(options.step_gres);
  }
  return step;
}

}  // namespace grappe
