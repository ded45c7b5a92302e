// Updates of what is not a job.
#pragma once

#include <vector>

#include "cli/scontrol/settings.h"

namespace grappe::scontrol {

void update_node(Session& session, const std::vector<Setting>& settings);
void update_partition(Session& session, const std::vector<Setting>& settings);
void update_reservation(Session& session, const std::vector<Setting>& settings);
void update_step(Session& session, const std::vector<Setting>& settings);

void create_partition(Session& session, const std::vector<Setting>& settings);
void create_reservation(Session& session, const std::vector<Setting>& settings);
void create_node(Session& session, const std::vector<Setting>& settings);

}  // namespace grappe::scontrol
