#include "sched/billing.h"

#include <algorithm>

namespace grappe::sched {
namespace {

double amount_of(const TresCounts& tres, const std::string& name) {
  const auto found = tres.find(name);
  return found == tres.end() ? 0 : static_cast<double>(found->second);
}

bool competes(const std::string& name, BillingRule rule) {
  if (rule == BillingRule::kSum) return false;
  if (name == "cpu" || name == "mem" || name == "node") return true;
  return rule == BillingRule::kGreatest && name.starts_with("gres/");
}

}  // namespace

BillingRule billing_rule(const PriorityFlags& flags) {
  if (flags.max_tres_gres) return BillingRule::kGreatestOfNodes;
  return flags.max_tres ? BillingRule::kGreatest : BillingRule::kSum;
}

double billing(const TresCounts& tres, std::span<const TresWeight> weights, BillingRule rule) {
  if (weights.empty()) return amount_of(tres, "cpu");
  double greatest = 0, sum = 0;
  for (const TresWeight& weight : weights) {
    if (weight.tres == "billing") continue;
    const double weighted = amount_of(tres, weight.tres) * weight.weight;
    if (competes(weight.tres, rule)) {
      greatest = std::max(greatest, weighted);
    } else {
      sum += weighted;
    }
  }
  return greatest + sum;
}

}  // namespace grappe::sched
