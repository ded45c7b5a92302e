// How good forecasts (sched/forecast) are in a closed world, whose truth is the same scheduler.
#pragma once

#include <cstdint>
#include <optional>

#include "sched/forecast/forecast.h"
#include "sim/world.h"

namespace grappe::sim {

// The world as a forecast knows it at this moment.
sched::Queue queue_of(const World& world);

// The job `id` waits in `world`.
std::optional<sched::Forecast> forecast(const World& world, const sched::Arrivals& arrivals,
                                        uint64_t id, const sched::ForecastOptions& options);

struct ForecastScore {
  uint64_t jobs = 0;  // forecasts that came due
  double mean_wait = 0;
  double mean_error = 0;  // of the median, without sign
  double covered = 0;     // part that started until the bound
  double error_part() const { return mean_wait > 0 ? mean_error / mean_wait : 0; }
};

// Runs the workload and, of the jobs that have to wait, makes a forecast for one in `every` when
// it arrives; compares it with what then happens.
ForecastScore score_forecasts(const Trial& trial, Source& jobs, uint32_t every,
                              const sched::ForecastOptions& options);

}  // namespace grappe::sim
