// The figures behind sdiag.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

v1::DiagResponse diagnose(Core& core, const Committer::Stats& commits, bool reset);

}  // namespace grappe::embedded
