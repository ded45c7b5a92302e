// The tables behind the reports: events, windows of reservations, shares of jobs, and the sums of
// hours, days and months.
#pragma once

#include <cstdint>
#include <vector>

#include "model/usage.h"

namespace soci {
class session;
}

namespace grappe {
struct Changes;
}

namespace grappe::sql {

// What follows in this transaction sees one moment.
void see_one_moment(soci::session& session);

// In the transaction of a commit.
void write_usage_facts(soci::session& session, const Changes& changes);

std::vector<NodeEvent> open_events(soci::session& session);
std::vector<NodeEvent> events_between(soci::session& session, int64_t start, int64_t end);
std::vector<ReservationWindow> windows_between(soci::session& session, int64_t start, int64_t end);

UsageSums usage_between(soci::session& session, int64_t start, int64_t end);

// Store::roll_up, in transactions of its own.
int64_t roll_up(soci::session& session, int64_t until);

}  // namespace grappe::sql
