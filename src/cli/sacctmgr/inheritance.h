// What a change of an association means for those below it.
#pragma once

#include <vector>

#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/associations.h"

namespace grappe::sacctmgr {

// How a change tells the association: itself, and the users who have from it what is set.
Names lines_with_heirs(const v1::Association& record, const AssociationSettings& settings,
                       const v1::BooksResponse& books);

// Associations that would not be allowed the QoS that is their default. Nothing is said if there
// are none.
bool check_default_qos(Session& session, const std::vector<const v1::Association*>& records,
                       const AssociationSettings& settings, const v1::BooksResponse& books);

// "  DefQOS = normal     C = peer       A = cs                   U = alice    "
std::string default_qos_line(const std::string& qos, const v1::Association& record);

}  // namespace grappe::sacctmgr
