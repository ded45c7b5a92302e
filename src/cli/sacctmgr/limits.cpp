#include "cli/sacctmgr/limits.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/duration.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "cli/sacctmgr/words.h"

namespace grappe::sacctmgr {
namespace {

#define NUMBER_OF(member)                                           \
  [](const v1::Limits& l) { return l.has_##member(); },             \
      [](const v1::Limits& l) { return l.member(); },               \
      [](v1::Limits& l, uint32_t value) { l.set_##member(value); }, \
      [](v1::Limits& l) { l.clear_##member(); }
#define TRES_OF(member)                                                 \
  nullptr, nullptr, nullptr, nullptr,                                   \
      [](const v1::Limits& l) -> const Amounts& { return l.member(); }, \
      [](v1::Limits& l) -> Amounts& { return *l.mutable_##member(); }

constexpr auto kCount = Limit::kCount;
constexpr auto kWall = Limit::kWall;
constexpr auto kTresKind = Limit::kTres;

constexpr Limit kLimits[] = {
    {F::kGrpJobs, kCount, true, "GrpJobs", "GrpJobs", "GrpJobs", NUMBER_OF(grp_jobs)},
    {F::kGrpJobsAccrue, kCount, true, "GrpJobsAccrue", "GrpJobsAccrue", "GrpJobsAccrue",
     NUMBER_OF(grp_jobs_accrue)},
    {F::kGrpSubmit, kCount, true, "GrpSubmitJobs", "GrpSubmitJobs", "GrpSubmitJobs",
     NUMBER_OF(grp_submit_jobs)},
    {F::kGrpTres, kTresKind, true, "GrpTRES", "GrpTRES", "GrpTRES", TRES_OF(grp_tres)},
    {F::kGrpTresMins, kTresKind, true, "GrpTRESMins", "GrpTRESMins", "GrpTRESMins",
     TRES_OF(grp_tres_mins)},
    {F::kGrpTresRunMins, kTresKind, true, "GrpTRESRunMins", "GrpTRESRunMins", "GrpTRESRunMins",
     TRES_OF(grp_tres_run_mins)},
    {F::kGrpWall, kWall, true, "GrpWall", "GrpWall", "GrpWall", NUMBER_OF(grp_wall)},
    {F::kMaxJobs, kCount, false, "MaxJobs", "", "MaxJobs", NUMBER_OF(max_jobs)},
    {F::kMaxJobsAccrue, kCount, false, "MaxJobsPrioAcc", "", "MaxJobsAccrue",
     NUMBER_OF(max_jobs_accrue)},
    {F::kMaxJobsAccruePerAccount, kCount, false, "", "MaxJobsAccruePerAccount", "",
     NUMBER_OF(max_jobs_accrue_per_account)},
    {F::kMaxJobsAccruePerUser, kCount, false, "", "MaxJobsAccruePerUser", "",
     NUMBER_OF(max_jobs_accrue)},
    {F::kMaxJobsPerAccount, kCount, false, "", "MaxJobsPerAccount", "",
     NUMBER_OF(max_jobs_per_account)},
    {F::kMaxJobsPerUser, kCount, false, "", "MaxJobsPerUser", "", NUMBER_OF(max_jobs)},
    {F::kMaxSubmit, kCount, false, "MaxSubmitJobs", "", "MaxSubmitJobs",
     NUMBER_OF(max_submit_jobs)},
    {F::kMaxSubmitPerAccount, kCount, false, "", "MaxSubmitJobsPerAccount", "",
     NUMBER_OF(max_submit_jobs_per_account)},
    {F::kMaxSubmitPerUser, kCount, false, "", "MaxSubmitJobsPerUser", "",
     NUMBER_OF(max_submit_jobs)},
    {F::kMaxTresPerAccount, kTresKind, false, "", "MaxTRESPerAccount", "",
     TRES_OF(max_tres_per_account)},
    {F::kMaxTres, kTresKind, false, "MaxTRES", "MaxTRESPerJob", "MaxTRESPerJob", TRES_OF(max_tres)},
    {F::kMaxTresPerNode, kTresKind, false, "MaxTRESPerNode", "MaxTRESPerNode", "MaxTRESPerNode",
     TRES_OF(max_tres_per_node)},
    {F::kMaxTresPerUser, kTresKind, false, "", "MaxTRESPerUser", "", TRES_OF(max_tres_per_user)},
    {F::kMinPrioThreshold, kCount, false, "", "MinPrioThresh", "", NUMBER_OF(min_prio_threshold)},
    {F::kMinTres, kTresKind, false, "", "MinTRESPerJob", "", TRES_OF(min_tres)},
    {F::kMaxTresMins, kTresKind, false, "MaxTRESMins", "MaxTRESMins", "MaxTRESMinsPerJob",
     TRES_OF(max_tres_mins)},
    {F::kMaxTresRunMins, kTresKind, false, "MaxTRESRUNMins", "", "MaxTRESRunMins",
     TRES_OF(max_tres_run_mins)},
    {F::kMaxTresRunMinsPerAccount, kTresKind, false, "", "MaxTRESRUNMinsPerAccount", "",
     TRES_OF(max_tres_run_mins_per_account)},
    {F::kMaxTresRunMinsPerUser, kTresKind, false, "", "MaxTRESRUNMinsPerUser", "",
     TRES_OF(max_tres_run_mins_per_user)},
    {F::kMaxWall, kWall, false, "MaxWall", "MaxWall", "MaxWallDurationPerJob", NUMBER_OF(max_wall)},
    {F::kMinPrioThreshold, kCount, false, "MinPrioThresh", "", "", NUMBER_OF(min_prio_threshold)},
};

const v1::Tres* find_tres(std::string_view typed, const v1::BooksResponse& books) {
  for (const v1::Tres& tres : books.tres()) {
    if (iequals(tres_name(tres), typed) || std::to_string(tres.id()) == typed) return &tres;
  }
  return nullptr;
}

std::string amount_text(const std::string& name, uint64_t amount) {
  const bool memory = name == "mem" || name.starts_with("bb/");
  return name + "=" +
         (memory ? convert_units(static_cast<double>(amount), Unit::kMega, Shorten::kExact)
                 : std::to_string(amount));
}

// "4", "1K"; memory is in megabytes and takes the suffix of a size.
Result<uint64_t> parse_amount(std::string_view name, std::string_view text) {
  if (name == "mem") {
    auto megabytes = parse_megabytes(text);
    if (megabytes) return *megabytes;
  } else {
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view suffix = text.substr(digits);
    const uint64_t multiplier = suffix.size() > 1 ? 0 : suffix_multiplier(suffix);
    auto count = parse_uint(text.substr(0, digits), (UINT64_MAX - 2) >> 50);
    if (count && multiplier) return *count * multiplier;
    count = parse_uint(text, UINT64_MAX - 2);
    if (count) return *count;
  }
  return fail(fmt::format("Invalid value for {} ({})", name, text));
}

tl::unexpected<Error> bad_value(std::string_view key, std::string_view text) {
  return fail(fmt::format("Invalid value for {} ({})", key, text));
}

}  // namespace

std::span<const Limit> limits() {
  return kLimits;
}

const Limit& limit_of(F field) {
  return *std::find_if(std::begin(kLimits), std::end(kLimits),
                       [&](const Limit& limit) { return limit.field == field; });
}

std::string tres_name(const v1::Tres& tres) {
  return tres.name().empty() ? tres.type() : tres.type() + "/" + tres.name();
}

std::string tres_text(const Amounts& amounts) {
  std::vector<std::string> parts;
  for (const auto& [name, amount] :
       std::map<std::string, uint64_t>(amounts.begin(), amounts.end())) {
    parts.push_back(amount_text(name, amount));
  }
  return join(parts, ",");
}

std::string limit_text(const Limit& limit, const v1::Limits& limits) {
  if (limit.kind == Limit::kTres) return tres_text(limit.amounts(limits));
  if (!limit.has(limits)) return "";
  const uint32_t value = limit.get(limits);
  return limit.kind == Limit::kWall ? format_minutes(value) : std::to_string(value);
}

void apply(const LimitChange& change, v1::Limits& limits) {
  const Limit& limit = *change.limit;
  if (limit.kind != Limit::kTres) {
    return change.number ? limit.set(limits, *change.number) : limit.clear(limits);
  }
  Amounts& amounts = limit.edit(limits);
  for (const auto& [name, amount] : change.amounts) {
    if (amount) {
      amounts[name] = *amount;
    } else {
      amounts.erase(name);
    }
  }
}

std::string change_text(const LimitChange& change) {
  const Limit& limit = *change.limit;
  if (limit.kind != Limit::kTres && !change.number) return "NONE";
  std::vector<std::string> cleared;
  for (const auto& [name, amount] : change.amounts) {
    if (!amount) cleared.push_back(name + "=NONE");
  }
  v1::Limits alone;
  apply(change, alone);
  const std::string set = limit_text(limit, alone);
  if (cleared.empty()) return set;
  return set + (set.empty() ? "" : ",") + join(cleared, ",");
}

Result<LimitChange> parse_tres_limit(F field, std::string_view text,
                                     const v1::BooksResponse& books) {
  LimitChange change{&limit_of(field), std::nullopt, {}};
  for (std::string_view part : split_words(text, ",")) {
    const size_t equal = part.find('=');
    const std::string_view typed = part.substr(0, equal);
    if (equal == std::string_view::npos) {
      return fail(fmt::format("slurmdb_format_tres_str: no TRES id found for {}", typed));
    }
    const v1::Tres* tres = find_tres(typed, books);
    if (!tres) {
      return fail(fmt::format("slurmdb_format_tres_str: no TRES known by type {}", typed));
    }
    const std::string name = tres_name(*tres);
    const std::string_view number = part.substr(equal + 1);
    if (number == "-1") {
      change.amounts.emplace_back(name, std::nullopt);
      continue;
    }
    auto amount = parse_amount(name, number);
    if (!amount) return tl::unexpected<Error>(amount.error());
    change.amounts.emplace_back(name, *amount);
  }
  return change;
}

Result<LimitChange> parse_tres_part(F field, std::string_view tres, std::string_view key,
                                    std::string_view text) {
  LimitChange change{&limit_of(field), std::nullopt, {}};
  auto amount = parse_uint(text, UINT64_MAX - 2);
  if (!amount && text != "-1") return bad_value(key, text);
  change.amounts.emplace_back(std::string(tres), amount);
  return change;
}

Result<uint32_t> parse_count(std::string_view key, std::string_view text) {
  if (text == "-1") return kInfinite;
  auto number = parse_uint(text, kNoValue - 1);
  if (!number) return bad_value(key, text);
  return static_cast<uint32_t>(*number);
}

Result<LimitChange> parse_count_limit(F field, std::string_view key, std::string_view text) {
  auto number = parse_count(key, text);
  if (!number) return tl::unexpected<Error>(number.error());
  LimitChange change{&limit_of(field), std::nullopt, {}};
  if (*number != kInfinite) change.number = *number;
  return change;
}

Result<LimitChange> parse_wall_limit(F field, std::string_view key, std::string_view text) {
  auto seconds = parse_duration(text);
  if (!seconds) return fail(2, fmt::format(" Bad {} time format: ", key));
  LimitChange change{&limit_of(field), std::nullopt, {}};
  if (*seconds != kInfinite) change.number = minutes_rounded_up(*seconds);
  return change;
}

}  // namespace grappe::sacctmgr
