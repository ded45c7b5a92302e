#include "sim/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace grappe::sim {
namespace {

constexpr unsigned kFine = 5;  // each power of two is divided into 32

}  // namespace

// Whole seconds up to 32; above that the highest bits.
std::size_t Histogram::bin(sched::Time value) {
  uint64_t v = static_cast<uint64_t>(std::max<sched::Time>(value, 0));
  if (v < (1u << kFine)) return v;
  unsigned shift = static_cast<unsigned>(std::bit_width(v)) - kFine - 1;
  return (static_cast<std::size_t>(shift) << kFine) + (v >> shift);
}

sched::Time Histogram::upper(std::size_t bin) {
  if (bin < (2u << kFine)) return static_cast<sched::Time>(bin);
  std::size_t shift = (bin >> kFine) - 1;
  uint64_t top = (bin & ((1u << kFine) - 1)) + (1u << kFine);
  return static_cast<sched::Time>(((top + 1) << shift) - 1);
}

void Histogram::add(sched::Time value) {
  std::size_t at = bin(value);
  if (at >= bins_.size()) bins_.resize(at + 1);
  ++bins_[at];
  ++count_;
}

sched::Time Histogram::quantile(double part) const {
  auto wanted = static_cast<uint64_t>(std::ceil(part * static_cast<double>(count_)));
  uint64_t seen = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    seen += bins_[i];
    if (seen >= std::max<uint64_t>(wanted, 1)) return upper(i);
  }
  return 0;
}

double Histogram::part_up_to(sched::Time value) const {
  if (count_ == 0) return 0;
  std::size_t last = std::min(bin(value) + 1, bins_.size());
  uint64_t seen = 0;
  for (std::size_t i = 0; i < last; ++i) seen += bins_[i];
  return static_cast<double>(seen) / static_cast<double>(count_);
}

}  // namespace grappe::sim
