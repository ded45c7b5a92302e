#include "cli/sacctmgr/association_settings.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/duration.h"
#include "base/text.h"

namespace grappe::sacctmgr {
namespace {

struct AssociationKey {
  std::string_view name;
  size_t shortest;
  Status (*set)(AssociationSettings& settings, const Word& word, const v1::BooksResponse& books);
};

Status keep(AssociationSettings& settings, Result<LimitChange> change) {
  if (!change) return tl::unexpected<Error>(change.error());
  settings.limits.push_back(*std::move(change));
  return {};
}

Status set_default_qos(AssociationSettings& s, const Word& word, const v1::BooksResponse& books) {
  const std::string name = to_lower(word.value);
  if (name == "-1" || name.empty()) {
    s.default_qos = "";
    return {};
  }
  for (const v1::Qos& qos : books.qos()) {
    if (qos.name() != name) continue;
    s.default_qos = name;
    return {};
  }
  return fail(3,
              fmt::format("You gave a bad default qos '{}'.  Use 'list qos' to get complete list.",
                          word.value));
}

Status set_shares(AssociationSettings& s, const Word& word, const v1::BooksResponse&) {
  if (istarts_with("parent", word.value) && !word.value.empty()) {
    s.shares = kSharesOfParent;
    return {};
  }
  auto number = parse_count("FairShare", word.value);
  if (!number) return tl::unexpected<Error>(number.error());
  s.shares = *number;
  return {};
}

Status set_priority(AssociationSettings& s, const Word& word, const v1::BooksResponse&) {
  auto number = parse_count("Priority", word.value);
  if (!number) return tl::unexpected<Error>(number.error());
  s.priority = *number;
  return {};
}

Status set_parent(AssociationSettings& s, const Word& word, const v1::BooksResponse&) {
  s.parent = to_lower(word.value);
  return {};
}

Status set_qos(AssociationSettings& s, const Word& word, const v1::BooksResponse& books) {
  auto change = parse_qos_change(word.operation, word.value, books);
  if (!change) return tl::unexpected<Error>(change.error());
  s.qos = *std::move(change);
  return {};
}

#define COUNT(field, key)                                                  \
  [](AssociationSettings& s, const Word& word, const v1::BooksResponse&) { \
    return keep(s, parse_count_limit(F::field, key, word.value));          \
  }
#define WALL(field, key)                                                   \
  [](AssociationSettings& s, const Word& word, const v1::BooksResponse&) { \
    return keep(s, parse_wall_limit(F::field, key, word.value));           \
  }
#define TRES(field)                                                              \
  [](AssociationSettings& s, const Word& word, const v1::BooksResponse& books) { \
    return keep(s, parse_tres_limit(F::field, word.value, books));               \
  }
#define PART(field, tres, key)                                             \
  [](AssociationSettings& s, const Word& word, const v1::BooksResponse&) { \
    return keep(s, parse_tres_part(F::field, tres, key, word.value));      \
  }

constexpr AssociationKey kAssociationKeys[] = {
    {"DefaultQOS", 8, set_default_qos},
    {"FairShare", 1, set_shares},
    {"Shares", 1, set_shares},
    {"GrpCPUMins", 8, PART(kGrpTresMins, "cpu", "GrpCPUMins")},
    {"GrpCPURunMins", 7, PART(kGrpTresRunMins, "cpu", "GrpCPURunMins")},
    {"GrpCpus", 6, PART(kGrpTres, "cpu", "GrpCpus")},
    {"GrpJobs", 4, COUNT(kGrpJobs, "GrpJobs")},
    {"GrpJobsAccrue", 8, COUNT(kGrpJobsAccrue, "GrpJobsAccrue")},
    {"GrpMemory", 4, PART(kGrpTres, "mem", "GrpMemory")},
    {"GrpNodes", 4, PART(kGrpTres, "node", "GrpNodes")},
    {"GrpSubmitJobs", 4, COUNT(kGrpSubmit, "GrpSubmitJobs")},
    {"GrpTRES", 7, TRES(kGrpTres)},
    {"GrpTRESMins", 8, TRES(kGrpTresMins)},
    {"GrpTRESRunMins", 8, TRES(kGrpTresRunMins)},
    {"GrpWall", 4, WALL(kGrpWall, "GrpWall")},
    {"MaxCPUMinsPerJob", 7, PART(kMaxTresMins, "cpu", "MaxCPUMins")},
    {"MaxCPURunMins", 7, PART(kMaxTresRunMins, "cpu", "MaxCPURunMins")},
    {"MaxCpusPerJob", 7, PART(kMaxTres, "cpu", "MaxCpus")},
    {"MaxJobs", 4, COUNT(kMaxJobs, "MaxJobs")},
    {"MaxJobsAccrue", 8, COUNT(kMaxJobsAccrue, "MaxJobsAccrue")},
    {"MaxNodesPerJob", 4, PART(kMaxTres, "node", "MaxNodes")},
    {"MaxSubmitJobs", 4, COUNT(kMaxSubmit, "MaxSubmitJobs")},
    {"MaxTRESPerJob", 7, TRES(kMaxTres)},
    {"MaxTRESPerNode", 11, TRES(kMaxTresPerNode)},
    {"MaxTRESMinsPerJob", 8, TRES(kMaxTresMins)},
    {"MaxTRESRunMins", 8, TRES(kMaxTresRunMins)},
    {"MinPrioThresh", 4, COUNT(kMinPrioThreshold, "MinPrioThreshold")},
    {"MaxWallDurationPerJob", 4, WALL(kMaxWall, "MaxWall")},
    {"Parent", 4, set_parent},
    {"Priority", 3, set_priority},
    {"QosLevel", 1, set_qos},
};

void append_line(std::string& text, std::string_view label, std::string_view value) {
  text += fmt::format("  {:<14}= {}\n", label, value);
}

std::string number_or_none(uint32_t value) {
  return value == kInfinite ? "NONE" : std::to_string(value);
}

}  // namespace

bool AssociationSettings::any() const {
  return default_qos || shares || priority || !limits.empty() || qos.given;
}

std::vector<std::string_view> association_keys() {
  std::vector<std::string_view> names;
  for (const AssociationKey& key : kAssociationKeys) names.push_back(key.name);
  return names;
}

bool set_association(Session& session, AssociationSettings& settings, const Word& word,
                     const v1::BooksResponse& books) {
  if (!word.has_value) return false;
  for (const AssociationKey& key : kAssociationKeys) {
    if (!is_key(word, key.name, key.shortest)) continue;
    const Status done = key.set(settings, word, books);
    if (done) return true;
    const Error& error = done.error();
    if (error.code == 0) session.error(error.message);
    if (error.code == 2) session.complain(error.message + word.text + "\n");
    if (error.code == 3) session.complain(error.message + "\n");
    return error.code == 3;
  }
  return false;
}

void apply(const AssociationSettings& settings, v1::Association& association) {
  if (settings.default_qos) association.set_default_qos(*settings.default_qos);
  if (settings.shares) {
    if (*settings.shares == kInfinite) {
      association.clear_shares();
    } else {
      association.set_shares(*settings.shares);
    }
  }
  if (settings.priority) {
    if (*settings.priority == kInfinite) {
      association.clear_priority();
    } else {
      association.set_priority(*settings.priority);
    }
  }
  for (const LimitChange& change : settings.limits) {
    apply(change, *association.mutable_limits());
  }
  apply(settings.qos, *association.mutable_qos());
}

std::string settings_text(const AssociationSettings& settings) {
  std::string text;
  if (settings.shares) {
    append_line(text, "Fairshare",
                *settings.shares == kSharesOfParent ? "parent" : number_or_none(*settings.shares));
  }
  for (const Limit& limit : limits()) {
    for (const LimitChange& change : settings.limits) {
      if (change.limit->field != limit.field || limit.label.empty()) continue;
      const bool wide = limit.field == F::kGrpJobsAccrue;  // as in the lines of a QoS
      append_line(text, wide ? fmt::format("{:<25}", limit.label) : std::string(limit.label),
                  change_text(change));
    }
  }
  if (settings.parent) append_line(text, "Parent", *settings.parent);
  if (settings.priority) append_line(text, "Priority", number_or_none(*settings.priority));
  if (settings.qos.given) append_line(text, "QOS", qos_change_text(settings.qos));
  if (settings.default_qos) append_line(text, "DefQOS", *settings.default_qos);
  return text;
}

Result<QosChange> parse_qos_change(char operation, std::string_view text,
                                   const v1::BooksResponse& books) {
  QosChange change;
  change.given = true;
  for (std::string_view part : split_words(text, ",")) {
    char sign = operation;
    if (!part.empty() && (part[0] == '+' || part[0] == '-')) {
      sign = part[0];
      part.remove_prefix(1);
    }
    const std::string typed = to_lower(trim(part));
    auto known = std::find_if(books.qos().begin(), books.qos().end(), [&](const v1::Qos& qos) {
      return qos.name() == typed || std::to_string(qos.id()) == typed;
    });
    if (known == books.qos().end()) {
      std::vector<std::string> names;
      for (const v1::Qos& qos : books.qos()) names.push_back(qos.name());
      return fail(
          fmt::format("You gave a bad qos '{}'. Valid QOS's are {}", part, join(names, ",")));
    }
    if (!change.names.empty() && (change.names.back().first == 0) != (sign == 0)) {
      return fail(
          "You can't set qos equal to something and then add or subtract from it in the same line");
    }
    change.names.emplace_back(sign, known->name());
  }
  return change;
}

void apply(const QosChange& change, google::protobuf::RepeatedPtrField<std::string>& own) {
  if (!change.given) return;
  std::vector<std::string> names(own.begin(), own.end());
  const bool replaces = change.names.empty() || change.names[0].first == 0;
  if (replaces) names.clear();
  const bool fixed = !names.empty() && names[0][0] != '+' && names[0][0] != '-';
  for (const auto& [sign, name] : change.names) {
    std::erase_if(names, [&](const std::string& old) {
      return old == name || old == "+" + name || old == "-" + name;
    });
    if (sign == 0 || (fixed && sign == '+')) names.push_back(name);
    if (sign != 0 && !fixed) names.push_back(sign + name);
  }
  own.Assign(names.begin(), names.end());
}

std::string qos_change_text(const QosChange& change) {
  std::vector<std::string> names;
  for (const auto& [sign, name] : change.names) {
    names.push_back(sign ? std::string(1, sign) + name : name);
  }
  std::sort(names.begin(), names.end());
  return join(names, ",");
}

}  // namespace grappe::sacctmgr
