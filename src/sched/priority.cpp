#include "sched/priority.h"

#include <algorithm>

namespace grappe::sched {
namespace {

double part_of(double amount, double whole) {
  return whole > 0 ? amount / whole : 0;
}

double normalized(uint32_t value, uint32_t highest, bool as_it_is) {
  return as_it_is ? value : part_of(value, highest);
}

double age_factor(const PriorityConfig& config, const PriorityFacts& facts) {
  const int64_t since = config.flags.accrue_always ? facts.submit_time : facts.accrue_time;
  if (since == 0 || facts.now <= since) return 0;
  const auto age = static_cast<double>(facts.now - since);
  return age < config.max_age_s ? age / config.max_age_s : 1;
}

// Its CPUs, or those that its nodes have on average; by the minute if that is asked for.
double size_for_its_time(const PriorityScale& scale, const PriorityFacts& facts) {
  const auto all = static_cast<double>(scale.cpus);
  const double cpus =
      std::max(part_of(facts.nodes * all, scale.nodes), static_cast<double>(facts.cpus));
  return part_of(cpus / std::max(facts.time_limit_min, 1u), all);
}

double size_of_both(const PriorityScale& scale, const PriorityFacts& facts) {
  const double nodes = part_of(facts.nodes, scale.nodes);
  if (facts.cpus == 0) return nodes;
  return (nodes + part_of(static_cast<double>(facts.cpus), static_cast<double>(scale.cpus))) / 2;
}

double size_factor(const PriorityConfig& config, const PriorityScale& scale,
                   const PriorityFacts& facts) {
  const double size = config.flags.small_relative_to_time ? size_for_its_time(scale, facts)
                                                          : size_of_both(scale, facts);
  return std::clamp(config.favor_small ? 1 - size : size, 0.0, 1.0);
}

double tres_factor(const PriorityConfig& config, const TresPart& tres) {
  const auto amount = static_cast<double>(tres.amount);
  return config.flags.no_normal_tres ? amount : part_of(amount, static_cast<double>(tres.of));
}

}  // namespace

WeightedFactors weigh(const PriorityConfig& config, const PriorityScale& scale,
                      const PriorityFacts& facts) {
  WeightedFactors out;
  out.site = static_cast<double>(facts.site);
  out.age = config.weight_age * age_factor(config, facts);
  out.assoc = config.weight_assoc *
              normalized(facts.assoc_priority, scale.assoc, config.flags.no_normal_assoc);
  out.fair_share = config.weight_fair_share * facts.fair_share;
  out.job_size = config.weight_job_size * size_factor(config, scale, facts);
  out.partition = config.weight_partition *
                  normalized(facts.partition_factor, scale.partition, config.flags.no_normal_part);
  out.qos =
      config.weight_qos * normalized(facts.qos_priority, scale.qos, config.flags.no_normal_qos);
  const size_t count = std::min(facts.tres.size(), config.weight_tres.size());
  for (size_t i = 0; i < count; ++i) {
    out.tres.push_back(config.weight_tres[i].weight * tres_factor(config, facts.tres[i]));
  }
  out.nice = static_cast<double>(facts.nice);
  return out;
}

uint32_t priority_of(const WeightedFactors& f) {
  double sum = f.site + f.age + f.assoc + f.fair_share + f.job_size + f.partition + f.qos - f.nice;
  for (double tres : f.tres) sum += tres;
  return static_cast<uint32_t>(std::clamp(sum, 1.0, static_cast<double>(UINT32_MAX)));
}

}  // namespace grappe::sched
