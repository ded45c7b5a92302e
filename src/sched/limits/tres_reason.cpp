#include "sched/limits/tres_reason.h"

namespace grappe::sched {
namespace {

struct FamilyName {
  std::string_view start;
  TresFamily family;
};

constexpr FamilyName kFamilies[] = {
    {"cpu", TresFamily::kCpu},          {"mem", TresFamily::kMemory},
    {"node", TresFamily::kNode},        {"energy", TresFamily::kEnergy},
    {"billing", TresFamily::kBilling},  {"gres/", TresFamily::kGres},
    {"license/", TresFamily::kLicense}, {"bb/", TresFamily::kBurstBuffer},
};

using R = Reason;
// By TresLimit, then by TresFamily. Where Slurm has no reason of its own it is the unknown one.
constexpr Reason kReasons[][9] = {
    {R::kAssocGrpUnknown, R::kAssocGrpCpuLimit, R::kAssocGrpMemLimit, R::kAssocGrpNodeLimit,
     R::kAssocGrpEnergy, R::kAssocGrpGRES, R::kAssocGrpLicense, R::kAssocGrpBB,
     R::kAssocGrpBilling},
    {R::kAssocGrpUnknownMinutes, R::kAssocGrpCPUMinutesLimit, R::kAssocGrpMemMinutes,
     R::kAssocGrpNodeMinutes, R::kAssocGrpEnergyMinutes, R::kAssocGrpGRESMinutes,
     R::kAssocGrpLicenseMinutes, R::kAssocGrpBBMinutes, R::kAssocGrpBillingMinutes},
    {R::kAssocGrpUnknownRunMinutes, R::kAssocGrpCPURunMinutesLimit, R::kAssocGrpMemRunMinutes,
     R::kAssocGrpNodeRunMinutes, R::kAssocGrpEnergyRunMinutes, R::kAssocGrpGRESRunMinutes,
     R::kAssocGrpLicenseRunMinutes, R::kAssocGrpBBRunMinutes, R::kAssocGrpBillingRunMinutes},
    {R::kAssocMaxUnknownPerJob, R::kAssocMaxCpuPerJobLimit, R::kAssocMaxMemPerJob,
     R::kAssocMaxNodePerJobLimit, R::kAssocMaxEnergyPerJob, R::kAssocMaxGRESPerJob,
     R::kAssocMaxLicensePerJob, R::kAssocMaxBBPerJob, R::kAssocMaxBillingPerJob},
    {R::kAssocMaxUnknownPerNode, R::kAssocMaxCpuPerNode, R::kAssocMaxMemPerNode,
     R::kAssocMaxUnknownPerNode, R::kAssocMaxEnergyPerNode, R::kAssocMaxGRESPerNode,
     R::kAssocMaxUnknownPerNode, R::kAssocMaxBBPerNode, R::kAssocMaxBillingPerNode},
    {R::kAssocMaxUnknownMinutesPerJob, R::kAssocMaxCpuMinutesPerJobLimit,
     R::kAssocMaxMemMinutesPerJob, R::kAssocMaxNodeMinutesPerJob, R::kAssocMaxEnergyMinutesPerJob,
     R::kAssocMaxGRESMinutesPerJob, R::kAssocMaxLicenseMinutesPerJob, R::kAssocMaxBBMinutesPerJob,
     R::kAssocMaxBillingMinutesPerJob},
    {R::kQOSGrpUnknown, R::kQOSGrpCpuLimit, R::kQOSGrpMemLimit, R::kQOSGrpNodeLimit,
     R::kQOSGrpEnergy, R::kQOSGrpGRES, R::kQOSGrpLicense, R::kQOSGrpBB, R::kQOSGrpBilling},
    {R::kQOSGrpUnknownMinutes, R::kQOSGrpCPUMinutesLimit, R::kQOSGrpMemoryMinutes,
     R::kQOSGrpNodeMinutes, R::kQOSGrpEnergyMinutes, R::kQOSGrpGRESMinutes,
     R::kQOSGrpLicenseMinutes, R::kQOSGrpBBMinutes, R::kQOSGrpBillingMinutes},
    {R::kQOSGrpUnknownRunMinutes, R::kQOSGrpCPURunMinutesLimit, R::kQOSGrpMemoryRunMinutes,
     R::kQOSGrpNodeRunMinutes, R::kQOSGrpEnergyRunMinutes, R::kQOSGrpGRESRunMinutes,
     R::kQOSGrpLicenseRunMinutes, R::kQOSGrpBBRunMinutes, R::kQOSGrpBillingRunMinutes},
    {R::kQOSMaxUnknownPerJob, R::kQOSMaxCpuPerJobLimit, R::kQOSMaxMemoryPerJob,
     R::kQOSMaxNodePerJobLimit, R::kQOSMaxEnergyPerJob, R::kQOSMaxGRESPerJob,
     R::kQOSMaxLicensePerJob, R::kQOSMaxBBPerJob, R::kQOSMaxBillingPerJob},
    {R::kQOSMaxUnknownPerNode, R::kQOSMaxCpuPerNode, R::kQOSMaxMemoryPerNode,
     R::kQOSMaxUnknownPerNode, R::kQOSMaxEnergyPerNode, R::kQOSMaxGRESPerNode,
     R::kQOSMaxUnknownPerNode, R::kQOSMaxBBPerNode, R::kQOSMaxBillingPerNode},
    {R::kQOSMaxUnknownMinutesPerJob, R::kQOSMaxCpuMinutesPerJobLimit, R::kQOSMaxMemoryMinutesPerJob,
     R::kQOSMaxNodeMinutesPerJob, R::kQOSMaxEnergyMinutesPerJob, R::kQOSMaxGRESMinutesPerJob,
     R::kQOSMaxLicenseMinutesPerJob, R::kQOSMaxBBMinutesPerJob, R::kQOSMaxBillingMinutesPerJob},
    {R::kQOSMaxUnknownPerUser, R::kQOSMaxCpuPerUserLimit, R::kQOSMaxMemoryPerUser,
     R::kQOSMaxNodePerUserLimit, R::kQOSMaxEnergyPerUser, R::kQOSMaxGRESPerUser,
     R::kQOSMaxLicensePerUser, R::kQOSMaxBBPerUser, R::kQOSMaxBillingPerUser},
    {R::kMaxUnknownPerAccount, R::kMaxCpuPerAccount, R::kMaxMemoryPerAccount, R::kMaxNodePerAccount,
     R::kMaxEnergyPerAccount, R::kMaxGRESPerAccount, R::kMaxLicensePerAccount, R::kMaxBBPerAccount,
     R::kMaxBillingPerAccount},
    {R::kQOSMinUnknown, R::kQOSMinCpuNotSatisfied, R::kQOSMinMemory, R::kQOSMinNode,
     R::kQOSMinEnergy, R::kQOSMinGRES, R::kQOSMinLicense, R::kQOSMinBB, R::kQOSMinBilling},
};

}  // namespace

TresFamily tres_family(std::string_view name) {
  for (const FamilyName& row : kFamilies) {
    if (row.start.ends_with('/') ? name.starts_with(row.start) : name == row.start) {
      return row.family;
    }
  }
  return TresFamily::kOther;
}

Reason tres_reason(TresLimit limit, TresFamily family) {
  return kReasons[static_cast<uint8_t>(limit)][static_cast<uint8_t>(family)];
}

}  // namespace grappe::sched
