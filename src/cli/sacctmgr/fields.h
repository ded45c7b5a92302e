// The columns of sacctmgr. Every list knows all of them; what it has nothing to say about stays
// empty, as in Slurm.
#pragma once

#include <string_view>
#include <vector>

#include "cli/format/report_table.h"

namespace grappe::sacctmgr {

enum class F {
  kAccount,
  kAction,
  kActionRaw,
  kActor,
  kAdmin,
  kAllocated,
  kAllowed,
  kAssocs,
  kClass,
  kCluster,
  kClusterNodes,
  kControlHost,
  kControlPort,
  kCoordinators,
  kCount,
  kCountAllowed,
  kCountUsed,
  kCpuCount,
  kDefaultAccount,
  kDefaultQos,
  kDefaultWckey,
  kDescription,
  kDuration,
  kEnd,
  kEvent,
  kEventRaw,
  kFeatures,
  kFederation,
  kFedState,
  kFedStateRaw,
  kFlags,
  kGraceTime,
  kGrpCpuMins,
  kGrpCpuRunMins,
  kGrpCpus,
  kGrpJobs,
  kGrpJobsAccrue,
  kGrpMem,
  kGrpNodes,
  kGrpSubmit,
  kGrpTres,
  kGrpTresMins,
  kGrpTresRunMins,
  kGrpWall,
  kId,
  kInfo,
  kLft,
  kLimitFactor,
  kMaxCpuMins,
  kMaxCpuRunMins,
  kMaxCpus,
  kMaxCpusPerUser,
  kMaxJobs,
  kMaxJobsAccrue,
  kMaxJobsAccruePerAccount,
  kMaxJobsAccruePerUser,
  kMaxJobsPerAccount,
  kMaxJobsPerUser,
  kMaxNodes,
  kMaxNodesPerUser,
  kMaxSubmit,
  kMaxSubmitPerAccount,
  kMaxSubmitPerUser,
  kMaxTres,
  kMaxTresMins,
  kMaxTresPerAccount,
  kMaxTresPerNode,
  kMaxTresPerUser,
  kMaxTresRunMins,
  kMaxTresRunMinsPerAccount,
  kMaxTresRunMinsPerUser,
  kMaxWall,
  kMinCpus,
  kMinPrioThreshold,
  kMinTres,
  kName,
  kNodeCount,
  kNodeIndex,
  kNodeName,
  kNodeNames,
  kOrganization,
  kParentId,
  kParentName,
  kPartition,
  kPluginSelect,
  kPreempt,
  kPreemptExempt,
  kPreemptMode,
  kPriority,
  kProblem,
  kQos,
  kQosRaw,
  kReason,
  kRgt,
  kRpc,
  kServer,
  kServerType,
  kShare,
  kStart,
  kState,
  kStateRaw,
  kSubmit,
  kEligible,
  kTime,
  kTres,
  kType,
  kUnused,
  kUsageFactor,
  kUsageThreshold,
  kUser,
  kWckeys,
  kWhere,
};

struct FieldName {
  std::string_view name;
  size_t shortest;  // letters that must be typed
  F field;
  std::string_view title;
  int width;
};

// nullptr: there is none.
const FieldName* find_field(std::string_view typed);
std::vector<std::string_view> field_names();

}  // namespace grappe::sacctmgr
