#include "sched/step_table.h"

#include <algorithm>

namespace grappe::sched {

StepTable::StepTable(Time start, std::vector<int64_t> values)
    : width_(values.size()), times_{start}, values_(std::move(values)) {}

std::size_t StepTable::find(Time t) const {
  if (times_.size() == 1 || t < times_[1]) return 0;
  auto after = std::upper_bound(times_.begin() + 1, times_.end(), t);
  return static_cast<std::size_t>(after - times_.begin()) - 1;
}

void StepTable::lowest(Time from, Time to, std::span<int64_t> out) const {
  std::size_t i = find(from);
  std::copy_n(row(i).begin(), width_, out.begin());
  for (++i; i < times_.size() && times_[i] < to; ++i) {
    const int64_t* values = &values_[i * width_];
    for (std::size_t c = 0; c < width_; ++c) out[c] = std::min(out[c], values[c]);
  }
}

bool StepTable::lowest(Time from, Time to, std::span<const int64_t> floor, std::span<int64_t> out,
                       std::size_t& hint) const {
  while (hint + 1 < times_.size() && times_[hint + 1] <= from) ++hint;
  std::size_t i = hint;
  const int64_t* values = &values_[i * width_];
  for (std::size_t c = 0; c < floor.size(); ++c) {
    if (values[c] < floor[c]) return false;
  }
  for (std::size_t c = 0; c < width_; ++c) out[c] = values[c];
  while (++i < times_.size() && times_[i] < to) {
    values += width_;
    for (std::size_t c = 0; c < floor.size(); ++c) {
      if (values[c] >= floor[c]) continue;
      hint = i;
      return false;
    }
    for (std::size_t c = 0; c < width_; ++c) out[c] = std::min(out[c], values[c]);
  }
  return true;
}

Time StepTable::next_change(Time t) const {
  auto after = std::upper_bound(times_.begin(), times_.end(), t);
  return after == times_.end() ? kForever : *after;
}

std::size_t StepTable::split(Time t) {
  std::size_t i = find(t);
  if (times_[i] >= t) return i;
  times_.insert(times_.begin() + static_cast<std::ptrdiff_t>(i) + 1, t);
  std::vector<int64_t> copy(row(i).begin(), row(i).end());
  values_.insert(values_.begin() + static_cast<std::ptrdiff_t>((i + 1) * width_), copy.begin(),
                 copy.end());
  return i + 1;
}

void StepTable::add(Time from, Time to, std::span<const int64_t> delta) {
  if (from >= to) return;
  std::size_t first = split(from);
  std::size_t last = to >= kForever ? times_.size() : split(to);
  for (std::size_t i = first; i < last; ++i) {
    for (std::size_t c = 0; c < width_; ++c) values_[i * width_ + c] += delta[c];
  }
}

}  // namespace grappe::sched
