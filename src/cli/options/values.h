// Values of the options of sbatch, salloc and srun: how they are read, and Slurm's words for
// wrong ones. An Error's code is the exit code that Slurm gives the case; 0 means the usual one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/options/job_options.h"

namespace grappe {

// "Invalid --time specification".
tl::unexpected<Error> invalid_specification(std::string_view option);

// `Invalid numeric value "x" for --ntasks.`, exit 1.
Result<uint32_t> parse_count(std::string_view text, std::string_view option, bool positive);

// "2", "2-4", "1k": the least and the greatest number; no greatest is 0.
struct NodeRange {
  uint32_t min = 0;
  uint32_t max = 0;
};
Result<NodeRange> parse_node_range(std::string_view text);

// Minutes; 0 and UNLIMITED are kInfinite.
Result<uint32_t> parse_time_limit(std::string_view text, std::string_view option);

// A number, or a name with or without SIG; nothing for others.
std::optional<int> parse_signal(std::string_view text);

Status parse_warn_signal(std::string_view text, v1::JobSpec& spec);
Status parse_extra_node_info(std::string_view text, JobOptions& options);
// With what each "*" of --distribution stands for.
std::string spelt_out_distribution(std::string_view text);
Status check_distribution(std::string_view text, std::optional<uint32_t> plane_size);
Status check_acctg_freq(std::string_view text);
Status check_gpu_bind(std::string_view text);
Status check_gpu_freq(std::string_view text);
Status check_cpu_bind(std::string_view text);
Status check_mem_bind(std::string_view text);
Status check_profile(std::string_view text);

// Names of a file, separated by commas, blanks or line ends, folded into a hostlist.
Result<std::string> read_node_file(const std::string& path);
// As typed; the names in a file if it holds a '/'.
Result<std::string> node_list(std::string_view text);

std::string current_folder();
// The path itself, or below the current folder.
std::string absolute_path(std::string_view path);

// Setters for fields that need no more than a kind of value.
template <auto Mutable>
Status set_text(JobOptions& o, Value v) {
  *(o.spec.*Mutable)() = v.text;
  return {};
}
template <auto Set>
Status set_count(JobOptions& o, Value v) {
  auto n = parse_count(v.text, v.from, true);
  if (!n) return tl::unexpected<Error>(n.error());
  (o.spec.*Set)(*n);
  return {};
}
template <auto Set>
Status set_flag(JobOptions& o, Value) {
  (o.spec.*Set)(true);
  return {};
}
template <auto Member>
Status set_member_flag(JobOptions& o, Value) {
  o.*Member = true;
  return {};
}
template <auto Mutable>
Status set_step_text(JobOptions& o, Value v) {
  *(o.step.*Mutable)() = v.text;
  return {};
}
template <auto Set>
Status set_step_flag(JobOptions& o, Value) {
  (o.step.*Set)(true);
  return {};
}

}  // namespace grappe
