// When jobs will probably start: what the engine knows for it, and what came of it.
//
// How long jobs ran and how they came is kept here as it happens. From time to time the queue is
// copied and run into the future on a thread of its own (sched/forecast); what comes of it stays
// the current forecasts until the next ones. The first forecast of a job is written down, and
// compared when it starts: later ones are corrected by how wrong those were.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "embedded/state.h"
#include "sched/forecast/forecast.h"
#include "store/forecast_row.h"

namespace grappe::embedded {

class Core;

// Of the jobs that wait, by id: moments.
struct CurrentForecasts {
  int64_t made = 0;
  struct When {
    int64_t median = 0, bound = 0;
  };
  std::unordered_map<uint32_t, When> jobs;
};

// What the engine's thread knows.
struct ForecastBook {
  // Shared with forecasts that are being made: replaced, not changed, while somebody else holds it.
  std::shared_ptr<sched::RunHistory> history = std::make_shared<sched::RunHistory>();
  std::shared_ptr<sched::Arrivals> arrivals = std::make_shared<sched::Arrivals>();
  sched::Calibration calibration;
  std::shared_ptr<const CurrentForecasts> current = std::make_shared<CurrentForecasts>();
  std::map<uint32_t, ForecastRow> open;  // written down, of jobs that wait, by id
  uint64_t scored = 0, covered = 0;      // of those kept
  // How many more may be written down: one in ten seconds, some at once.
  double allowance = 200;
  int64_t allowed_at = 0;
  // Making them: one at a time, a small part of the time.
  bool knows_past = false;
  bool wanted = false, under_way = false;
  std::chrono::steady_clock::time_point not_before{};
};

// How the last jobs of the books ran and came, and what was forecast of them. Read beside the
// engine's thread: nobody waits for it at a start.
struct PastForecasts {
  std::vector<Job> jobs;
  std::vector<ForecastRow> rows;
};
PastForecasts read_past_forecasts(Store& store, int64_t now);
void learn_from_past(Core& core, const PastForecasts& past);

// As it happens.
void note_arrival(Core& core, uint32_t job_id);
void note_run(Core& core, const Job& job);          // one that runs is about to end
void note_start(Core& core, const Job& record);     // before a task leaves the record of its array
void note_no_start(Core& core, const Job& record);  // it was cancelled
// Another configuration: partitions and nodes have other numbers.
void forget_arrivals(Core& core);

// The queue as a forecast needs it, with all that it points to.
struct QueueView {
  sched::Queue queue;
  std::vector<uint32_t> ids;  // by place
  std::shared_ptr<const sched::RunHistory> history;
  std::shared_ptr<const sched::Arrivals> arrivals;
  std::vector<std::shared_ptr<const sched::Shape>> shapes;
  std::vector<std::shared_ptr<const sched::TresAmounts>> tres;

  size_t place_of(uint32_t id) const;  // SIZE_MAX: it is not there
};
// `extra`: one more, that is not submitted.
inline constexpr uint32_t kNotSubmitted = UINT32_MAX;
std::shared_ptr<const QueueView> view_queue(const Core& core, const State::Entry* extra = nullptr);

// Away from the engine's thread: all forecasts, before any correction.
sched::Forecasts foresee(const QueueView& view, const std::atomic<bool>& stopping);
// On it: what was made becomes the current ones.
void take_forecasts(Core& core, const QueueView& view, const sched::Forecasts& made);

// When a forecast is to be made next, or the past to be read before; max(): nobody waits.
std::chrono::steady_clock::time_point forecast_due(const Core& core);

}  // namespace grappe::embedded
