// QoS as lists show them and as conditions choose them.
#pragma once

#include <string>

#include "cli/sacctmgr/fields.h"
#include "cli/sacctmgr/session.h"

namespace grappe::sacctmgr {

struct QosCondition {
  Names names, ids, descriptions, preempt_modes;
  Names clusters;  // where the usage is; a QoS itself is of all of them and found by none
  bool deleted = false;
  Names format;
  bool chooses() const;
};
// Slurm's own slip.
inline constexpr std::string_view kQosHint = " Use keyword 'set' to modify SLURM_PRINT_VALUE\n";
bool take_qos_word(QosCondition& condition, const Word& word);
bool matches(const QosCondition& condition, const v1::Qos& qos);

std::string qos_value(F field, const v1::Qos& qos);

}  // namespace grappe::sacctmgr
