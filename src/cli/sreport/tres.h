// Which trackable resources a report is about: --tres.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/sreport/session.h"

namespace grappe::sreport {

// "cpu,gres/gpu" or "ALL". Fails if the service knows none of them.
Status choose_tres(Session& session, const std::string& names);

}  // namespace grappe::sreport
