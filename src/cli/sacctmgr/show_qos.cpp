#include <fmt/core.h>

#include "base/duration.h"
#include "base/text.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/listing.h"
#include "cli/sacctmgr/qos.h"

namespace grappe::sacctmgr {
namespace {

constexpr std::string_view kQosColumns =
    "Name,Prio,GraceT,Preempt,PreemptE,PreemptM,Flags%40,UsageThres,UsageFactor,GrpTRES,"
    "GrpTRESMins,GrpTRESRunMins,GrpJ,GrpS,GrpW,MaxTRES,MaxTRESPerN,MaxTRESMins,MaxW,"
    "MaxTRESPerUser,MaxJobsPerUser,MaxSubmitJobsPerUser,MaxTRESPerAcct,MaxJobsPerAcct,"
    "MaxSubmitJobsPerAcct,MinTRES";

constexpr Key<QosCondition> kQosKeys[] = {
    {"Names", 1, [](QosCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"QOSLevel", 1, [](QosCondition& c, const Word& w) { add_wanted(c.names, w.value); }},
    {"Ids", 1, [](QosCondition& c, const Word& w) { add_wanted(c.ids, w.value); }},
    {"Descriptions", 1,
     [](QosCondition& c, const Word& w) { add_wanted(c.descriptions, w.value); }},
    {"Clusters", 1, [](QosCondition& c, const Word& w) { add_wanted(c.clusters, w.value); }},
    {"PreemptMode", 8,
     [](QosCondition& c, const Word& w) { add_wanted(c.preempt_modes, w.value); }},
};

std::string words_of(const google::protobuf::RepeatedPtrField<std::string>& words) {
  return join(std::vector<std::string>(words.begin(), words.end()), ",");
}

std::string factor_text(bool has, double value) {
  return has ? fmt::format("{:f}", value) : "";
}

std::string preempt_mode_of(const v1::Qos& qos) {
  return qos.preempt_mode().empty() ? "cluster" : qos.preempt_mode();
}

}  // namespace

bool QosCondition::chooses() const {
  return !names.empty() || !ids.empty() || !descriptions.empty() || !preempt_modes.empty() ||
         !clusters.empty();
}

bool take_qos_word(QosCondition& condition, const Word& word) {
  if (!word.has_value && is_key(word, "WithDeleted", 5)) return condition.deleted = true;
  if (!word.has_value) {
    add_wanted(condition.names, word.value);
    return true;
  }
  return take_format(condition.format, word) || set_by_key<QosCondition>(kQosKeys, condition, word);
}

bool matches(const QosCondition& condition, const v1::Qos& qos) {
  return condition.clusters.empty() && admits(condition.names, qos.name()) &&
         admits(condition.ids, std::to_string(qos.id())) &&
         admits(condition.descriptions, to_lower(qos.description())) &&
         admits(condition.preempt_modes, to_lower(preempt_mode_of(qos)));
}

std::string qos_value(F field, const v1::Qos& qos) {
  switch (field) {
    case F::kName:
      return qos.name();
    case F::kId:
      return std::to_string(qos.id());
    case F::kDescription:
      return qos.description();
    case F::kPriority:
      return std::to_string(qos.priority());
    case F::kGraceTime:
      return format_duration(qos.grace_time_s());
    case F::kPreempt:
      return words_of(qos.preempt());
    case F::kPreemptMode:
      return preempt_mode_of(qos);
    case F::kPreemptExempt:
      return qos.has_preempt_exempt_time_s() ? format_duration(qos.preempt_exempt_time_s()) : "";
    case F::kFlags:
      return words_of(qos.flags());
    case F::kUsageFactor:
      return fmt::format("{:f}", qos.has_usage_factor() ? qos.usage_factor() : 1.0);
    case F::kUsageThreshold:
      return factor_text(qos.has_usage_threshold(), qos.usage_threshold());
    case F::kLimitFactor:
      return factor_text(qos.has_limit_factor(), qos.limit_factor());
    default:
      break;
  }
  for (const Limit& limit : limits()) {
    if (limit.field == field && !limit.qos_label.empty()) {
      return limit_text(limit, qos.limits());
    }
  }
  return "";
}

void show_qos(Session& session, Words words) {
  QosCondition condition;
  if (!read_conditions(session, words, condition, take_qos_word, kQosHint)) return;
  auto listing = Listing::make(session, condition.format, kQosColumns);
  if (!listing) return;
  auto books = session.books(kQos | kTres, condition.deleted);
  if (!books) return;
  for (const v1::Qos& qos : books->qos()) {
    if (!matches(condition, qos)) continue;
    listing->row([&](F field) { return qos_value(field, qos); });
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
