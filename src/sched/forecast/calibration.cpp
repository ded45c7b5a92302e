#include <algorithm>

#include "sched/forecast/forecast.h"

namespace grappe::sched {
namespace {

constexpr Time kSlack = 60;  // seconds: factors of shorter times mean nothing
constexpr std::size_t kOutcomes = 600;
constexpr std::size_t kFewOutcomes = 30;

double quantile_of(std::vector<double> values, double part) {
  auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

double factor(Time actual, Time forecast) {
  return static_cast<double>(actual + kSlack) / static_cast<double>(forecast + kSlack);
}

Time scaled(Time forecast, double by) {
  double seconds = static_cast<double>(forecast + kSlack) * by - static_cast<double>(kSlack);
  return static_cast<Time>(std::max(seconds, 0.0));
}

void remember(std::vector<double>& list, double value) {
  if (list.size() == 2 * kOutcomes) list.erase(list.begin(), list.begin() + kOutcomes);
  list.push_back(value);
}

std::vector<double> latest(const std::vector<double>& list) {
  return {list.end() - static_cast<std::ptrdiff_t>(std::min(list.size(), kOutcomes)), list.end()};
}

}  // namespace

Forecast Calibration::corrected(const Forecast& raw) const {
  if (bounds_.size() < kFewOutcomes) return raw;
  const Time median = scaled(raw.median, median_factor_);
  return {median, std::max(median, scaled(raw.bound, bound_factor_))};
}

void Calibration::add(const Forecast& raw, Time actual) {
  remember(medians_, factor(actual, raw.median));
  remember(bounds_, factor(actual, raw.bound));
  median_factor_ = quantile_of(latest(medians_), 0.5);
  bound_factor_ = quantile_of(latest(bounds_), 0.9);
}

}  // namespace grappe::sched
