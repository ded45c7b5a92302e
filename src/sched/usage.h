// What has been used: charged second by second as jobs run, decayed as time goes by.
//
// Pure arithmetic, with Slurm's factor. Who is charged for a job, when, and how it is kept is for
// the engine (embedded/usage.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
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

// All that is kept of use, by association and QoS.
class UsageBook {
 public:
  // Nothing, where there is none.
  const Use& of_association(uint32_t id) const { return find(associations_, id); }
  const Use& of_qos(uint32_t id) const { return find(qos_, id); }
  const std::map<uint32_t, Use>& associations() const { return associations_; }
  const std::map<uint32_t, Use>& qos() const { return qos_; }
  // Until when running jobs have been charged.
  int64_t last_run() const { return last_run_; }

  Use& association(uint32_t id) { return associations_[id]; }
  Use& qos(uint32_t id) { return qos_[id]; }
  void set_last_run(int64_t time) { last_run_ = time; }

 private:
  static const Use& find(const std::map<uint32_t, Use>& in, uint32_t id);

  std::map<uint32_t, Use> associations_, qos_;
  int64_t last_run_ = 0;
};

// For keeping: "billed wall cpu=8.5 mem=1000", to the last bit.
std::string format_use(const Use& use);
Use parse_use(std::string_view text);

}  // namespace grappe::sched
