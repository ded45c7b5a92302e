// What `grappe forecast --score` prints.
#pragma once

#include <string>

#include "grappe/v1/when.pb.h"

namespace grappe {

std::string score_text(const v1::ScoreResponse& scores, bool parsable);

}  // namespace grappe
