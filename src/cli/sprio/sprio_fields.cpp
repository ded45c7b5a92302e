#include <fmt/core.h>

#include <cmath>

#include "cli/sprio/sprio.h"

namespace grappe {
namespace {

using Row = v1::PriorityInfo;
using Ctx = SprioContext;
using Out = std::string;
using Factor = double (Row::*)() const;

// Times its weight, or as the part of 1 that it is; of the weights themselves both are the weight.
template <Factor factor>
void weighted(Out& out, const Row& row, const Ctx&) {
  out += fmt::format("{}", std::llround((row.*factor)()));
}
template <Factor factor>
void normalized(Out& out, const Row& row, const Ctx& context) {
  if (context.weights) return weighted<factor>(out, row, context);
  const double weight = (context.answer.weights().*factor)();
  out += fmt::format("{:.7f}", weight != 0 ? (row.*factor)() / weight : 0.0);
}

// "cpu=0.12,mem=0.02": of those that count for anything.
template <bool as_part>
void tres(Out& out, const Row& row, const Ctx& context) {
  if (context.weights) {
    if (!as_part) out += context.answer.tres_weights();
    return;
  }
  const size_t begin = out.size();
  for (int i = 0; i < row.tres_size() && i < context.answer.tres_size(); ++i) {
    if (row.tres(i) == 0) continue;
    if (out.size() > begin) out += ',';
    const double weight = context.answer.weights().tres(i);
    out += as_part ? fmt::format("{}={:.2f}", context.answer.tres(i), row.tres(i) / weight)
                   : fmt::format("{}={:.0f}", context.answer.tres(i), row.tres(i));
  }
}

double sum_of(const Row& row) {
  double sum = row.site() + row.age() + row.assoc() + row.fair_share() + row.job_size() +
               row.part() + row.qos_priority() - static_cast<double>(row.nice());
  for (double part : row.tres()) sum += part;
  return sum;
}

// A priority that was set by hand is no part of anything.
void normalized_priority(Out& out, const Row& row, const Ctx& context) {
  if (context.weights) return;
  const double part = std::max(sum_of(row), 1.0) / UINT32_MAX;
  out += fmt::format("{:16.14f}", row.direct() ? row.priority() : part);
}

#define OF_JOB(expression)                                      \
  [](Out& out, const Row& row, const Ctx& context) {            \
    (void)row;                                                  \
    if (!context.weights) out += fmt::format("{}", expression); \
  }

constexpr SprioField kFields[] = {
    {'a', "", "AGE", normalized<&Row::age>},
    {'A', "", "AGE", weighted<&Row::age>},
    {'b', "", "ASSOC", normalized<&Row::assoc>},
    {'B', "", "ASSOC", weighted<&Row::assoc>},
    {'c', "", "CLUSTER", OF_JOB("(null)")},
    {'f', "", "FAIRSHARE", normalized<&Row::fair_share>},
    {'F', "", "FAIRSHARE", weighted<&Row::fair_share>},
    {'i', "", "JOBID",
     [](Out& out, const Row& row, const Ctx& context) {
       out += context.weights ? "Weights" : std::to_string(row.job_id());
     }},
    {'j', "", "JOBSIZE", normalized<&Row::job_size>},
    {'J', "", "JOBSIZE", weighted<&Row::job_size>},
    {'N', "", "NICE", OF_JOB(row.nice())},
    {'p', "", "PARTITION", normalized<&Row::part>},
    {'P', "", "PARTITION", weighted<&Row::part>},
    {'q', "", "QOS", normalized<&Row::qos_priority>},
    {'Q', "", "QOS", weighted<&Row::qos_priority>},
    {'r', "", "PARTITION", OF_JOB(row.partition())},
    {'S', "", "SITE", weighted<&Row::site>},
    {'t', "", "TRES", tres<true>},
    {'T', "", "TRES", tres<false>},
    {'u', "", "USER", OF_JOB(row.user())},
    {'y', "", "PRIORITY", normalized_priority},
    {'Y', "", "PRIORITY", OF_JOB(row.priority())},
};

// Columns that are left out where nothing weighs, with their letters for both forms.
struct Weighed {
  Factor weight;
  const char *normalized, *weighted;
};
constexpr Weighed kWeighed[] = {
    {&Row::age, " %10a", " %.10A"},        {&Row::assoc, " %10b", " %.10B"},
    {&Row::fair_share, " %10f", " %.10F"}, {&Row::job_size, " %10j", " %.10J"},
    {&Row::part, " %10p", " %.10P"},       {&Row::qos_priority, " %10q", " %.10Q"},
};

}  // namespace

std::span<const SprioField> sprio_fields() {
  return kFields;
}

std::string sprio_format(const SprioOptions& options, const v1::PriorityInfo& weights) {
  const bool all = options.long_form;
  std::string out = "%.15i %9r";
  if (options.siblings && !all) out += " %.8c";
  if (options.by_user || all) out += " %.8u";
  out += options.normalized ? " %10y" : " %.10Y %.10S";
  for (const Weighed& column : kWeighed) {
    if (!all && (weights.*column.weight)() == 0) continue;
    out += options.normalized ? column.normalized : column.weighted;
  }
  if (all && !options.normalized) out += " %.11N";
  if (all || weights.tres_size() > 0) out += options.normalized ? " %20t" : " %.20T";
  return out;
}

}  // namespace grappe
