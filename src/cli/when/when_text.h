// What `grappe when` says: the forecast in sentences, in English or French.
#pragma once

#include <string>

#include "cli/why/why_text.h"
#include "grappe/v1/when.pb.h"

namespace grappe {

std::string when_text(const v1::WhenResponse& when, Language language);

}  // namespace grappe
