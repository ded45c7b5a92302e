// The text of sdiag.
#pragma once

#include <string>

#include "grappe/v1/cluster.pb.h"

namespace grappe {

enum class CallOrder { kByCount, kById, kByTotalTime, kByMeanTime };

std::string sdiag_text(const v1::DiagResponse& diag, CallOrder order);

}  // namespace grappe
