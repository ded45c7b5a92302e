// What can be set of a QoS.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/words.h"

namespace grappe::sacctmgr {

struct QosSettings {
  Names names;
  std::optional<std::string> description, preempt_mode, raw_usage;
  // kInfinite clears these.
  std::optional<uint32_t> grace_time, priority, preempt_exempt;
  // Below zero clears these.
  std::optional<double> usage_factor, usage_threshold, limit_factor;
  char flag_operation = 0;
  std::optional<Names> flags;
  QosChange preempt;
  std::vector<LimitChange> limits;

  bool any() const;
};

// The code of an Error for a number that is none: Slurm goes on without it.
inline constexpr int kBadNumber = 4;

// True: the word was one of a QoS's. An Error's message lacks the word as typed where its code is
// 2, and goes to standard output where it is 3.
Result<bool> set_qos_setting(QosSettings& settings, const Word& word,
                             const v1::BooksResponse& books);
void apply(const QosSettings& settings, v1::Qos& qos);
// The lines of " Settings": "  GrpJobs                  = 4\n".
std::string qos_settings_text(const QosSettings& settings);

}  // namespace grappe::sacctmgr
