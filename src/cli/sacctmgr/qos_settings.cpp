#include "cli/sacctmgr/qos_settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/duration.h"
#include "base/text.h"

namespace grappe::sacctmgr {
namespace {

struct QosKey {
  std::string_view name;
  size_t shortest;
  Status (*set)(QosSettings& settings, const Word& word, const v1::BooksResponse& books);
};

constexpr std::string_view kQosFlags[] = {
    "DenyOnLimit",       "EnforceUsageThreshold", "NoReserve",          "PartitionMaxNodes",
    "PartitionMinNodes", "OverPartQOS",           "PartitionTimeLimit", "RequiresReservation",
    "NoDecay",           "UsageFactorSafe",
};

constexpr std::string_view kPreemptModes[] = {"cluster", "off",     "cancel", "gang",
                                              "requeue", "suspend", "within"};

Status keep_limit(QosSettings& settings, Result<LimitChange> change) {
  if (!change && change.error().message.starts_with("Invalid value")) {
    return fail(kBadNumber, change.error().message);
  }
  if (!change) return tl::unexpected<Error>(change.error());
  settings.limits.push_back(*std::move(change));
  return {};
}

Status set_number(std::optional<uint32_t>& into, std::string_view key, const Word& word) {
  auto number = parse_count(key, word.value);
  if (!number) return fail(kBadNumber, number.error().message);
  into = *number;
  return {};
}

Status set_factor(std::optional<double>& into, std::string_view key, const Word& word) {
  double value = 0;
  const char* end = word.value.data() + word.value.size();
  const auto read = std::from_chars(word.value.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) {
    return fail(kBadNumber, fmt::format("Invalid value for {} ({})", key, word.value));
  }
  into = value;
  return {};
}

std::string flag_list(std::string_view joiner) {
  std::vector<std::string> names(std::begin(kQosFlags), std::end(kQosFlags));
  return join(names, joiner);
}

Status set_flags(QosSettings& s, const Word& word, const v1::BooksResponse&) {
  s.flag_operation = word.operation;
  Names flags;
  for (std::string_view part : split_words(word.value, ",")) {
    if (part == "-1") continue;  // as if none was named
    auto known = std::find_if(std::begin(kQosFlags), std::end(kQosFlags),
                              [&](std::string_view flag) { return abbreviates(part, flag, 1); });
    if (known == std::end(kQosFlags)) {
      return fail(3, fmt::format(" Unknown QOS flag used in:\n  '{}'\n Valid QOS flags are\n  '{}'",
                                 word.value, flag_list(",")));
    }
    flags.emplace_back(*known);
  }
  s.flags = flags;
  return {};
}

Status set_preempt_mode(QosSettings& s, const Word& word, const v1::BooksResponse&) {
  std::string value = to_lower(word.value);
  if (value.empty()) value = "cluster";
  for (std::string_view part : split_words(value, ",")) {
    auto known = std::find(std::begin(kPreemptModes), std::end(kPreemptModes), part);
    if (known == std::end(kPreemptModes)) {
      return fail(2, " Bad Preempt Mode given: ");
    }
  }
  s.preempt_mode = value == "off" ? "cluster" : value;
  return {};
}

Status set_preempt(QosSettings& s, const Word& word, const v1::BooksResponse& books) {
  auto change = parse_qos_change(word.operation, word.value, books);
  if (!change) return tl::unexpected<Error>(change.error());
  s.preempt = *std::move(change);
  return {};
}

Status set_exempt(QosSettings& s, const Word& word, const v1::BooksResponse&) {
  auto seconds = parse_duration(word.value);
  if (!seconds) return fail(2, " Bad PreemptExemptTime format: ");
  s.preempt_exempt = *seconds;
  return {};
}

#define QOS_COUNT(field, key)                                           \
  [](QosSettings& s, const Word& word, const v1::BooksResponse&) {      \
    return keep_limit(s, parse_count_limit(F::field, key, word.value)); \
  }
#define QOS_WALL(field, key)                                           \
  [](QosSettings& s, const Word& word, const v1::BooksResponse&) {     \
    return keep_limit(s, parse_wall_limit(F::field, key, word.value)); \
  }
#define QOS_TRES(field)                                                  \
  [](QosSettings& s, const Word& word, const v1::BooksResponse& books) { \
    return keep_limit(s, parse_tres_limit(F::field, word.value, books)); \
  }
#define QOS_PART(field, tres, key)                                          \
  [](QosSettings& s, const Word& word, const v1::BooksResponse&) {          \
    return keep_limit(s, parse_tres_part(F::field, tres, key, word.value)); \
  }
#define QOS_NUMBER(member, key)                                    \
  [](QosSettings& s, const Word& word, const v1::BooksResponse&) { \
    return set_number(s.member, key, word);                        \
  }
#define QOS_FACTOR(member, key)                                    \
  [](QosSettings& s, const Word& word, const v1::BooksResponse&) { \
    return set_factor(s.member, key, word);                        \
  }

constexpr QosKey kQosSettingKeys[] = {
    {"Names", 1,
     [](QosSettings& s, const Word& word, const v1::BooksResponse&) {
       add_names(s.names, word.value);
       return Status();
     }},
    {"Description", 1,
     [](QosSettings& s, const Word& word, const v1::BooksResponse&) {
       s.description = to_lower(word.value);
       return Status();
     }},
    {"Flags", 2, set_flags},
    {"GraceTime", 3, QOS_NUMBER(grace_time, "GraceTime")},
    {"GrpCPUMins", 7, QOS_PART(kGrpTresMins, "cpu", "GrpCPUMins")},
    {"GrpCPURunMins", 7, QOS_PART(kGrpTresRunMins, "cpu", "GrpCPURunMins")},
    {"GrpCPUs", 7, QOS_PART(kGrpTres, "cpu", "GrpCpus")},
    {"GrpJobs", 4, QOS_COUNT(kGrpJobs, "GrpJobs")},
    {"GrpJobsAccrue", 8, QOS_COUNT(kGrpJobsAccrue, "GrpJobsAccrue")},
    {"GrpMemory", 4, QOS_PART(kGrpTres, "mem", "GrpMemory")},
    {"GrpNodes", 4, QOS_PART(kGrpTres, "node", "GrpNodes")},
    {"GrpSubmitJobs", 4, QOS_COUNT(kGrpSubmit, "GrpSubmitJobs")},
    {"GrpTRES", 7, QOS_TRES(kGrpTres)},
    {"GrpTRESMins", 8, QOS_TRES(kGrpTresMins)},
    {"GrpTRESRunMins", 8, QOS_TRES(kGrpTresRunMins)},
    {"GrpWall", 4, QOS_WALL(kGrpWall, "GrpWall")},
    {"LimitFactor", 5, QOS_FACTOR(limit_factor, "LimitFactor")},
    {"MaxCPUMinsPerJob", 7, QOS_PART(kMaxTresMins, "cpu", "MaxCPUMins")},
    {"MaxCPUsPerJob", 7, QOS_PART(kMaxTres, "cpu", "MaxCPUs")},
    {"MaxCPUsPerUser", 11, QOS_PART(kMaxTresPerUser, "cpu", "MaxCPUsPerUser")},
    {"MaxJobsAccruePerAccount", 16, QOS_COUNT(kMaxJobsAccruePerAccount, "MaxJobsAccruePA")},
    {"MaxJobsAccruePA", 15, QOS_COUNT(kMaxJobsAccruePerAccount, "MaxJobsAccruePA")},
    {"MaxJobsAccruePerUser", 8, QOS_COUNT(kMaxJobsAccruePerUser, "MaxJobsAccruePU")},
    {"MaxJobsAccruePU", 15, QOS_COUNT(kMaxJobsAccruePerUser, "MaxJobsAccruePU")},
    {"MaxJobsPerAccount", 11, QOS_COUNT(kMaxJobsPerAccount, "MaxJobsPA")},
    {"MaxJobsPA", 9, QOS_COUNT(kMaxJobsPerAccount, "MaxJobsPA")},
    {"MaxJobsPerUser", 4, QOS_COUNT(kMaxJobsPerUser, "MaxJobsPU")},
    {"MaxJobsPU", 9, QOS_COUNT(kMaxJobsPerUser, "MaxJobsPU")},
    {"MaxNodesPerUser", 12, QOS_PART(kMaxTresPerUser, "node", "MaxNodesPerUser")},
    {"MaxNodesPerJob", 4, QOS_PART(kMaxTres, "node", "MaxNodes")},
    {"MaxSubmitJobsPerAccount", 17, QOS_COUNT(kMaxSubmitPerAccount, "MaxSubmitJobsPA")},
    {"MaxSubmitJobsPA", 15, QOS_COUNT(kMaxSubmitPerAccount, "MaxSubmitJobsPA")},
    {"MaxSubmitJobsPerUser", 4, QOS_COUNT(kMaxSubmitPerUser, "MaxSubmitJobsPU")},
    {"MaxSubmitJobsPU", 15, QOS_COUNT(kMaxSubmitPerUser, "MaxSubmitJobsPU")},
    {"MaxTRESPerAccount", 11, QOS_TRES(kMaxTresPerAccount)},
    {"MaxTRESPerAcct", 11, QOS_TRES(kMaxTresPerAccount)},
    {"MaxTRESPA", 9, QOS_TRES(kMaxTresPerAccount)},
    {"MaxTRESPerJob", 7, QOS_TRES(kMaxTres)},
    {"MaxTRESPerNode", 11, QOS_TRES(kMaxTresPerNode)},
    {"MaxTRESPerUser", 11, QOS_TRES(kMaxTresPerUser)},
    {"MaxTRESPU", 9, QOS_TRES(kMaxTresPerUser)},
    {"MaxTRESMinsPerJob", 8, QOS_TRES(kMaxTresMins)},
    {"MaxTRESRunMinsPerAccount", 18, QOS_TRES(kMaxTresRunMinsPerAccount)},
    {"MaxTRESRunMinsPA", 16, QOS_TRES(kMaxTresRunMinsPerAccount)},
    {"MaxTRESRunMinsPerUser", 8, QOS_TRES(kMaxTresRunMinsPerUser)},
    {"MaxTRESRunMinsPU", 16, QOS_TRES(kMaxTresRunMinsPerUser)},
    {"MaxWallDurationPerJob", 4, QOS_WALL(kMaxWall, "MaxWall")},
    {"MinCPUsPerJob", 7, QOS_PART(kMinTres, "cpu", "MinCPUs")},
    {"MinPrioThreshold", 4, QOS_COUNT(kMinPrioThreshold, "MinPrioThreshold")},
    {"MinTRESPerJob", 7, QOS_TRES(kMinTres)},
    {"PreemptExemptTime", 8, set_exempt},
    {"PreemptMode", 8, set_preempt_mode},
    {"Preempt", 7, set_preempt},
    {"Priority", 3, QOS_NUMBER(priority, "Priority")},
    {"RawUsage", 7,
     [](QosSettings& s, const Word& word, const v1::BooksResponse&) {
       s.raw_usage = word.value;
       return Status();
     }},
    {"UsageFactor", 6, QOS_FACTOR(usage_factor, "UsageFactor")},
    {"UsageThreshold", 6, QOS_FACTOR(usage_threshold, "UsageThreshold")},
};

void append_setting(std::string& text, std::string_view label, std::string_view value) {
  text += fmt::format("  {:<25}= {}\n", label, value);
}

std::string to_upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string none_or(uint32_t value) {
  return value == kInfinite ? "NONE" : std::to_string(value);
}

std::string none_or(double value) {
  return value < 0 ? "NONE" : fmt::format("{:.4f}", value);
}

void apply_flags(const QosSettings& settings, v1::Qos& qos) {
  Names flags(qos.flags().begin(), qos.flags().end());
  if (!settings.flag_operation) flags.clear();
  for (const std::string& flag : *settings.flags) {
    std::erase(flags, flag);
    if (settings.flag_operation != '-') flags.push_back(flag);
  }
  std::sort(flags.begin(), flags.end(), [](const std::string& a, const std::string& b) {
    return std::find(std::begin(kQosFlags), std::end(kQosFlags), a) <
           std::find(std::begin(kQosFlags), std::end(kQosFlags), b);
  });
  qos.mutable_flags()->Assign(flags.begin(), flags.end());
}

std::string flags_text(const QosSettings& settings) {
  std::string text = settings.flag_operation ? std::string(1, settings.flag_operation) : "";
  v1::Qos alone;
  QosSettings set = settings;
  set.flag_operation = 0;
  apply_flags(set, alone);
  return text + join(Names(alone.flags().begin(), alone.flags().end()), ",");
}

// Names that a QoS may preempt: a plain list, of which "+=" and "-=" take and give.
void apply_preempt(const QosChange& change, v1::Qos& qos) {
  Names names(qos.preempt().begin(), qos.preempt().end());
  if (change.names.empty() || !change.names[0].first) names.clear();
  for (const auto& [sign, name] : change.names) {
    std::erase(names, name);
    if (sign != '-') names.push_back(name);
  }
  qos.mutable_preempt()->Assign(names.begin(), names.end());
}

}  // namespace

bool QosSettings::any() const {
  return description || preempt_mode || raw_usage || grace_time || priority || preempt_exempt ||
         usage_factor || usage_threshold || limit_factor || flags || preempt.given ||
         !limits.empty();
}

Result<bool> set_qos_setting(QosSettings& settings, const Word& word,
                             const v1::BooksResponse& books) {
  if (!word.has_value) {
    add_names(settings.names, word.value);
    return true;
  }
  for (const QosKey& key : kQosSettingKeys) {
    if (!is_key(word, key.name, key.shortest)) continue;
    Status done = key.set(settings, word, books);
    if (!done) return tl::unexpected<Error>(done.error());
    return true;
  }
  return false;
}

void apply(const QosSettings& s, v1::Qos& qos) {
  if (s.description) qos.set_description(*s.description);
  if (s.preempt_mode) qos.set_preempt_mode(*s.preempt_mode == "cluster" ? "" : *s.preempt_mode);
  if (s.priority) qos.set_priority(*s.priority == kInfinite ? 0 : *s.priority);
  if (s.grace_time) qos.set_grace_time_s(*s.grace_time == kInfinite ? 0 : *s.grace_time);
  if (s.preempt_exempt) {
    qos.set_preempt_exempt_time_s(*s.preempt_exempt);
    if (*s.preempt_exempt == kInfinite) qos.clear_preempt_exempt_time_s();
  }
  if (s.usage_factor) {
    qos.set_usage_factor(*s.usage_factor);
    if (*s.usage_factor < 0) qos.clear_usage_factor();
  }
  if (s.usage_threshold) {
    qos.set_usage_threshold(*s.usage_threshold);
    if (*s.usage_threshold < 0) qos.clear_usage_threshold();
  }
  if (s.limit_factor) {
    qos.set_limit_factor(*s.limit_factor);
    if (*s.limit_factor < 0) qos.clear_limit_factor();
  }
  if (s.flags) apply_flags(s, qos);
  if (s.preempt.given) apply_preempt(s.preempt, qos);
  for (const LimitChange& change : s.limits) apply(change, *qos.mutable_limits());
}

std::string qos_settings_text(const QosSettings& s) {
  std::string text;
  if (s.flags) append_setting(text, "Flags", flags_text(s));
  if (s.grace_time) append_setting(text, "GraceTime", none_or(*s.grace_time));
  for (const Limit& limit : limits()) {
    for (const LimitChange& change : s.limits) {
      if (change.limit->field != limit.field || limit.qos_label.empty()) continue;
      if (limit.field == F::kMaxJobsPerUser) {  // not below the others, in Slurm
        text += fmt::format("  {} = {}\n", limit.qos_label, change_text(change));
      } else {
        append_setting(text, limit.qos_label, change_text(change));
      }
    }
  }
  if (s.preempt.given) append_setting(text, "Preempt", qos_change_text(s.preempt));
  if (s.preempt_mode) append_setting(text, "PreemptMode", to_upper(*s.preempt_mode));
  if (s.preempt_exempt) {
    append_setting(text, "PreemptExemptTime",
                   *s.preempt_exempt == kInfinite ? "NONE" : format_duration(*s.preempt_exempt));
  }
  if (s.priority) append_setting(text, "Priority", none_or(*s.priority));
  if (s.usage_factor) append_setting(text, "UsageFactor", none_or(*s.usage_factor));
  if (s.usage_threshold) append_setting(text, "UsageThreshold", none_or(*s.usage_threshold));
  if (s.limit_factor) append_setting(text, "LimitFactor", none_or(*s.limit_factor));
  return text;
}

}  // namespace grappe::sacctmgr
