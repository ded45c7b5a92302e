// The lines of gres.conf.
#pragma once

#include <span>

#include "model/config_line_keys.h"
#include "model/config_nodes.h"

namespace grappe {

std::span<const LineKey<GresConfig>> gres_line_keys();

}  // namespace grappe
