// What has been used: charged second by second as jobs run, decayed as time goes by.
//
// Pure arithmetic, with Slurm's factor. Who is charged for a job, when, and how it is kept is for
// the engine (embedded/usage.h).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/usage.h"

namespace grappe::sched {

// Of an association with all below it, or of a QoS.
struct Use {
  double billed = 0;  // billing-seconds: Slurm's RawUsage, what fair share compares
  double wall = 0;    // seconds that jobs ran, however large they were (GrpWall)
  std::map<std::string, double, std::less<>> tres;  // amount times seconds, "billing" among them

  bool operator==(const Use&) const = default;
};

// By what use shrinks in that time: (1 - 0.693/half life) for each second, never quite to nothing.
// A half-life of 0 keeps everything.
double decay_factor(int64_t half_life_s, int64_t seconds);

void decay(Use& use, double factor);

// A stretch of one job's run. What it used in it has decayed since its beginning, as Slurm counts.
struct Charge {
  int64_t seconds = 0;
  TresCounts tres;          // what it has, without "billing"
  double billing = 0;       // what that is billed as, each second
  double usage_factor = 1;  // of its QoS
  int64_t half_life_s = 0;
};
// The charge as what it adds to everyone who pays for the job.
Use use_of(const Charge& charge);

Use& operator+=(Use& to, const Use& more);
// As far as there is any: what was charged may have decayed more than once since.
Use& operator-=(Use& from, const Use& less);

// All that is kept of use, by the id of the association or QoS.
//
// It is kept in rows of text. A row is written when something was charged to it, not whenever it
// decays: it says when it was true, and decays on the way back. So a period costs as many rows as
// jobs were charged in it.
class UsageBook {
 public:
  struct Row {
    std::string kind, name, data;  // empty data: there is none any more
  };
  using Shelf = std::map<uint32_t, Use>;

  // Nothing, where there is none.
  const Use& of_association(uint32_t id) const { return find(associations_, id); }
  const Use& of_qos(uint32_t id) const { return find(qos_, id); }
  // Until when running jobs have been charged, and a single one.
  int64_t last_run() const { return last_run_; }
  int64_t charged_until(uint32_t job_id, int64_t start) const;
  int64_t last_reset() const { return last_reset_; }

  void charge_association(uint32_t id, const Use& use);
  void charge_qos(uint32_t id, const Use& use);
  // Charged further than the others, because it has changed or pauses; until the next advance().
  void note_charged(uint32_t job_id, int64_t until);
  void forget_job(uint32_t job_id);
  // A period is over: what there is decays (but for these QoS), and running jobs are charged until
  // `now` by the caller, with what it asks charged_until() for before.
  void advance(int64_t now, int64_t half_life_s, const std::set<uint32_t>& lasting_qos);

  void take_from_association(uint32_t id, const Use& use);
  void clear_association(uint32_t id);
  void clear_qos(uint32_t id);
  // PriorityUsageResetPeriod.
  void clear(int64_t now, const std::set<uint32_t>& lasting_qos);

  // What has changed since the last call.
  std::vector<Row> take_changes();
  // False for a row of another kind. After the last one: restored().
  bool restore(std::string_view kind, std::string_view name, std::string_view data);
  void restored();

 private:
  static const Use& find(const Shelf& in, uint32_t id);
  void note_all();
  std::string clock_text() const;
  void read_clock(std::string_view text);

  Shelf associations_, qos_;
  int64_t last_run_ = 0, last_reset_ = 0;
  int64_t half_life_s_ = 0;  // by which the rows decay
  std::map<uint32_t, int64_t> charged_;
  std::set<uint32_t> changed_associations_, changed_qos_;
  std::set<uint32_t> lasting_;  // QoS that keep what they have
  bool clock_changed_ = false;
  std::vector<std::pair<Use*, int64_t>> read_;  // while it is restored: when each row was true
};

// For keeping: "billed wall cpu=8.5 mem=1000", to the last bit.
std::string format_use(const Use& use);
Use parse_use(std::string_view text);

}  // namespace grappe::sched
