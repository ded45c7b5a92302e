#include "sched/limits/limit_gate.h"

#include "sched/gate.h"

namespace grappe::sched {
namespace {

uint64_t whole_minutes(Time seconds) {
  return seconds >= kForever ? UINT32_MAX : static_cast<uint64_t>(seconds / 60);
}

uint64_t& amount_of(TresAmounts& amounts, uint16_t tres) {
  if (amounts.size() <= tres) amounts.resize(tres + size_t{1});
  return amounts[tres];
}

}  // namespace

LimitGate::LimitGate(const Snapshot& snapshot) : snapshot_(snapshot) {
  if (!snapshot.limits) return;
  table_ = snapshot.limits.get();
  in_use_ = table_->in_use;
}

const LimitChain* LimitGate::chain_of(const PendingJob& job, PartitionIndex partition) const {
  if (!table_ || !job.tres) return nullptr;
  for (size_t i = 0; i < job.chains.size(); ++i) {
    if (job.partitions[i] != partition) continue;
    return job.chains[i] == kNoChain ? nullptr : &(*table_->chains)[job.chains[i]];
  }
  return nullptr;
}

Reason LimitGate::reason(const PendingJob& job, PartitionIndex partition) const {
  const LimitChain* chain = chain_of(job, partition);
  if (!chain || chain->rules.empty()) return Reason::kNone;
  return limit_reason(*chain, {job.tres, whole_minutes(shortest_run(job)), nullptr}, in_use_,
                      table_->safe);
}

// What no choice of nodes changes (licences, the bill) is what was asked for.
LimitGate::Placed LimitGate::placed(const PendingJob& job, const Start& start) const {
  Placed out{*job.tres, {}};
  uint64_t cpus = 0, memory = 0;
  for (const std::vector<uint16_t>& names : table_->gres) {
    for (uint16_t tres : names) amount_of(out.tres, tres) = 0;
  }
  for (const NodeShare& share : start.shares) {
    cpus += share.cpus.count();
    memory += share.memory_mb;
    out.nodes.set(share.node);
    for (uint32_t device : share.devices) {
      const GresKind kind = snapshot_.nodes[share.node].devices[device].kind;
      for (uint16_t tres : table_->gres[kind]) ++amount_of(out.tres, tres);
    }
  }
  amount_of(out.tres, table_->cpu) = cpus;
  amount_of(out.tres, table_->memory) = memory;
  amount_of(out.tres, in_use_.node()) = start.shares.size();
  return out;
}

Reason LimitGate::reason(const PendingJob& job, const Start& start) const {
  const LimitChain* chain = chain_of(job, start.partition);
  if (!chain || chain->rules.empty()) return Reason::kNone;
  const Placed got = placed(job, start);
  return limit_reason(*chain, {&got.tres, whole_minutes(start.time_limit), &got.nodes}, in_use_,
                      table_->safe);
}

void LimitGate::take(const PendingJob& job, const Start& start) {
  const LimitChain* chain = chain_of(job, start.partition);
  if (!chain) return;
  const Placed got = placed(job, start);
  in_use_.add_running(*chain, {&got.tres, 0, &got.nodes}, whole_minutes(start.time_limit) * 60);
}

}  // namespace grappe::sched
