#include "sched/shape_memo.h"

#include <algorithm>

namespace grappe::sched {

Time ShapeFacts::earliest_hope(Time length) const {
  Time hope = 0;
  for (const NotBefore& known : not_before) {
    if (known.length <= length) hope = std::max(hope, known.start);
  }
  return hope;
}

ShapeMemo::ShapeMemo(const Snapshot& snapshot, const std::vector<NodeFacts>& facts)
    : snapshot_(snapshot), nodes_(facts) {
  for (NodeIndex n = 0; n < snapshot.nodes.size(); ++n) {
    if (snapshot.nodes[n].available) available_.set(n);
  }
}

ShapeFacts* ShapeMemo::known(const Shape* shape, PartitionIndex partition) {
  auto entry = entries_.find(shape);
  if (entry == entries_.end()) return nullptr;
  for (ShapeFacts& facts : entry->second->partitions) {
    if (facts.partition == partition) return &facts;
  }
  return nullptr;
}

ShapeFacts& ShapeMemo::facts(const Shape* shape, PartitionIndex partition) {
  if (ShapeFacts* facts = known(shape, partition)) return *facts;
  std::unique_ptr<Entry>& entry = entries_[shape];
  if (!entry) {
    entry = std::make_unique<Entry>();
    entry->needs = needs_of(snapshot_, *shape);
  }
  const Needs& needs = entry->needs;
  ShapeFacts facts{partition, &needs};
  facts.suitable = suitable_nodes(snapshot_, nodes_, needs, partition);
  facts.never = feasible_on(snapshot_, nodes_, needs, partition, facts.suitable);
  facts.usable = facts.suitable & available_;
  if (facts.never == Reason::kNone && !(facts.usable == facts.suitable)) {
    facts.lacking = feasible_on(snapshot_, nodes_, needs, partition, facts.usable) != Reason::kNone;
  }
  return entry->partitions.emplace_back(std::move(facts));
}

void ShapeMemo::forget_failures() {
  for (auto& [shape, entry] : entries_) {
    for (ShapeFacts& facts : entry->partitions) {
      facts.fails_now = kNoRun;
      facts.not_before.clear();
    }
  }
}

}  // namespace grappe::sched
