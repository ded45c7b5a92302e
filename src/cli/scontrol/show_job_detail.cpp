#include "cli/scontrol/show_job_detail.h"

#include <fmt/core.h>

#include <array>
#include <map>

#include "base/duration.h"
#include "base/hostlist.h"
#include "base/index_set.h"
#include "base/text.h"
#include "model/job_state.h"
#include "model/mail.h"

namespace grappe::scontrol {
namespace {

using v1::JobInfo;
using v1::JobSpec;

std::string indexes(const google::protobuf::RepeatedField<uint32_t>& numbers) {
  return format_index_set({numbers.data(), static_cast<size_t>(numbers.size())});
}

std::string gres_name(const v1::GresShare& gres) {
  return gres.type().empty() ? gres.name() : gres.name() + ":" + gres.type();
}

std::string job_gres(const JobInfo& job) {
  std::map<std::string, uint64_t> totals;
  for (const v1::NodeShare& share : job.shares()) {
    for (const v1::GresShare& gres : share.gres()) totals[gres_name(gres)] += gres.count();
  }
  std::string text;
  for (const auto& [name, count] : totals) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", name, count);
  }
  return text;
}

std::string share_text(const v1::NodeShare& share, bool with_gres) {
  std::string gres;
  for (const v1::GresShare& part : share.gres()) {
    if (!with_gres) break;
    gres += fmt::format("{}{}:{}", gres.empty() ? "" : ",", gres_name(part), part.count());
    if (part.index_size()) gres += fmt::format("(IDX:{})", indexes(part.index()));
  }
  return fmt::format("CPU_IDs={} Mem={} GRES={}", indexes(share.cpu_ids()), share.mem_mb(), gres);
}

// --- frequencies ---------------------------------------------------------------------------

// How scontrol spells what --cpu-freq takes.
constexpr std::array<std::string_view, 10> kFrequencyWords{
    "Low",      "Medium",      "High",      "HighM1",    "Conservative",
    "OnDemand", "Performance", "PowerSave", "SchedUtil", "UserSpace"};

std::string frequency_word(std::string_view text) {
  for (std::string_view word : kFrequencyWords) {
    if (iequals(word, text)) return std::string(word);
  }
  return std::string(text);
}

bool is_governor(std::string_view text) {
  for (size_t i = 4; i < kFrequencyWords.size(); ++i) {
    if (iequals(kFrequencyWords[i], text)) return true;
  }
  return false;
}

// "low-high:performance", "high" or "performance".
std::string frequency_line(std::string_view request) {
  std::string_view range = request.substr(0, request.find(':'));
  std::string_view governor = range.size() < request.size() ? request.substr(range.size() + 1) : "";
  if (is_governor(range)) {
    governor = range;
    range = "";
  }
  std::string line;
  size_t dash = range.find('-');
  if (dash != std::string_view::npos) {
    line += "CPU_min_freq=" + frequency_word(range.substr(0, dash)) + " ";
    range.remove_prefix(dash + 1);
  }
  if (!range.empty()) line += "CPU_max_freq=" + frequency_word(range) + " ";
  if (!governor.empty()) line += "Governor=" + frequency_word(governor);
  return line;
}

// Slurm writes these flags with nothing between them.
std::string flag_line(const JobSpec& spec) {
  std::string line;
  if (spec.gres_flags() == "enforce-binding") line += "GresEnforceBind=Yes";
  if (spec.gres_flags() == "disable-binding") line += "GresEnforceBind=No";
  if (spec.has_kill_on_invalid_dep())
    line += fmt::format("KillOInInvalidDependent={}", spec.kill_on_invalid_dep() ? "Yes" : "No");
  if (spec.spread_job()) line += "SpreadJob=Yes";
  return line;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

void tres_lines(Record& record, const JobInfo& job) {
  const JobSpec& spec = job.spec();
  auto named = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) record.line(fmt::format("{}={}", name, value));
  };
  if (spec.has_cpus_per_gpu())
    record.line(fmt::format("CpusPerTres=gres:gpu:{}", spec.cpus_per_gpu()));
  if (spec.has_mem_per_gpu_mb())
    record.line(fmt::format("MemPerTres=gres:gpu:{}", spec.mem_per_gpu_mb()));
  if (!spec.gpu_bind().empty()) record.line("TresBind=gpu:" + spec.gpu_bind());
  if (!spec.gpu_freq().empty()) record.line("TresFreq=gpu:" + spec.gpu_freq());
  named("TresPerJob", job.tres_per_job());
  named("TresPerNode", job.tres_per_node());
  named("TresPerSocket", job.tres_per_socket());
  named("TresPerTask", job.tres_per_task());
}

std::optional<std::string> sign_text(const JobInfo& job, char sign) {
  constexpr uint32_t kNoTask = 0xfffffffe;
  switch (sign) {
    case 'A':
      return std::to_string(job.array_job_id() ? job.array_job_id() : job.job_id());
    case 'a':
      return std::to_string(job.has_array_task_id() ? job.array_task_id() : kNoTask);
    case 'j':
      return std::to_string(job.job_id());
    case 'u':
      return job.user();
    case 'x':
      return job.name();
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string shown_file(const JobInfo& job, std::string_view asked, const std::string& standard) {
  if (asked.empty()) return standard;
  std::string text = asked.starts_with('/') ? "" : job.work_dir() + "/";
  for (size_t i = 0; i < asked.size(); ++i) {
    const bool sign = asked[i] == '%' && i + 1 < asked.size();
    auto value = sign ? sign_text(job, asked[i + 1]) : std::nullopt;
    if (value) {
      text += *value;
      ++i;
    } else {
      text += asked[i];
    }
  }
  return text;
}

void share_lines(Record& record, const JobInfo& job) {
  if (job.shares().empty()) return;
  record.line(fmt::format("JOB_GRES={}", or_null(job_gres(job))));
  // Devices go back to the node when the job ends; CPUs and memory are remembered.
  bool with_gres = !is_finished(base_state(job.state()));
  for (int i = 0; i < job.shares_size();) {
    std::string text = share_text(job.shares(i), with_gres);
    std::vector<std::string> names;
    for (; i < job.shares_size() && share_text(job.shares(i), with_gres) == text; ++i)
      names.push_back(job.shares(i).node());
    record.line(fmt::format("  Nodes={} {}", fold_hostlist(names), text));
  }
}

void extra_lines(Record& record, const JobInfo& job) {
  const JobSpec& spec = job.spec();
  if (spec.switches()) {
    record.line(
        fmt::format("Switches={}@{}", spec.switches(), format_duration(spec.switches_wait_s())));
  }
  if (!spec.burst_buffer().empty()) record.line("BurstBuffer=" + spec.burst_buffer());
  if (!spec.cpu_freq().empty()) record.line(frequency_line(spec.cpu_freq()));
  record.line("Power=" + upper(spec.power()));
  if (std::string flags = flag_line(spec); !flags.empty()) record.line(flags);
  tres_lines(record, job);
  if (spec.mail_type()) {
    record.line(fmt::format("MailUser={} MailType={}",
                            spec.mail_user().empty() ? job.user() : spec.mail_user(),
                            mail_type_text(spec.mail_type())));
  }
  if (!spec.container().empty()) record.line("Container=" + spec.container());
  if (spec.has_ntasks_per_gpu())
    record.line(fmt::format("NtasksPerTRES={}", spec.ntasks_per_gpu()));
}

}  // namespace grappe::scontrol
