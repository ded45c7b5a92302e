// What the flags of a QoS are called, as sacctmgr writes them.
#pragma once

#include <algorithm>
#include <string_view>

#include "grappe/v1/books.pb.h"

namespace grappe {

inline constexpr std::string_view kQosDenyOnLimit = "DenyOnLimit";
inline constexpr std::string_view kQosEnforceUsageThreshold = "EnforceUsageThreshold";
inline constexpr std::string_view kQosNoReserve = "NoReserve";
inline constexpr std::string_view kQosOverPartition = "OverPartQOS";
inline constexpr std::string_view kQosPartitionMaxNodes = "PartitionMaxNodes";
inline constexpr std::string_view kQosPartitionMinNodes = "PartitionMinNodes";
inline constexpr std::string_view kQosPartitionTimeLimit = "PartitionTimeLimit";
inline constexpr std::string_view kQosRequiresReservation = "RequiresReservation";
inline constexpr std::string_view kQosUsageFactorSafe = "UsageFactorSafe";

inline bool has_flag(const v1::Qos& qos, std::string_view flag) {
  return std::find(qos.flags().begin(), qos.flags().end(), flag) != qos.flags().end();
}

}  // namespace grappe
