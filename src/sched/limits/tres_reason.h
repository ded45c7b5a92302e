// Which reason a limit on a trackable resource gives: Slurm has one for each pair of a limit and a
// family of resources.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/reason.h"

namespace grappe::sched {

enum class TresFamily : uint8_t {
  kOther,
  kCpu,
  kMemory,
  kNode,
  kEnergy,
  kGres,
  kLicense,
  kBurstBuffer,
  kBilling,
};
// Of "cpu", "gres/gpu", "license/matlab" ...
TresFamily tres_family(std::string_view name);

enum class TresLimit : uint8_t {
  kAssocGrp,
  kAssocGrpMinutes,
  kAssocGrpRunMinutes,
  kAssocMaxPerJob,
  kAssocMaxPerNode,
  kAssocMaxMinutesPerJob,
  kQosGrp,
  kQosGrpMinutes,
  kQosGrpRunMinutes,
  kQosMaxPerJob,
  kQosMaxPerNode,
  kQosMaxMinutesPerJob,
  kQosMaxPerUser,
  kQosMaxPerAccount,
  kQosMin,
};
Reason tres_reason(TresLimit limit, TresFamily family);

}  // namespace grappe::sched
