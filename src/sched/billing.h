// What a job is billed for each second: its resources, each times its weight (TRESBillingWeights).
#pragma once

#include <span>

#include "model/config.h"
#include "model/usage.h"

namespace grappe::sched {

// Whether the weighted resources are added up, or the greatest counts of those that a node has.
enum class BillingRule {
  kSum,
  kGreatest,         // MAX_TRES: of CPUs, memory, nodes and generic resources
  kGreatestOfNodes,  // MAX_TRES_GRES: of CPUs, memory and nodes; generic resources are added
};
BillingRule billing_rule(const PriorityFlags& flags);

// Without weights its CPUs.
double billing(const TresCounts& tres, std::span<const TresWeight> weights, BillingRule rule);

}  // namespace grappe::sched
