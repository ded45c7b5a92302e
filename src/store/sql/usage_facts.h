// Out of the tables what the sums of a time are made of.
#pragma once

#include "store/usage.h"

namespace soci {
class session;
}

namespace grappe::sql {

// `each_job` reads on the same connection, in the same transaction.
UsageFacts facts_between(soci::session& session, int64_t start, int64_t end);

}  // namespace grappe::sql
