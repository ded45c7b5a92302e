// The reports of sreport, by their kind. The words after the report's name are its conditions.
#pragma once

#include "cli/sreport/session.h"

namespace grappe::sreport {

void report_account_by_user(Session& session, Words words);
void report_user_by_account(Session& session, Words words);
void report_user_by_wckey(Session& session, Words words);
void report_wckey_by_user(Session& session, Words words);
void report_utilization(Session& session, Words words);
void report_top_users(Session& session, Words words);
void report_sizes_by_account(Session& session, Words words);
void report_sizes_by_wckey(Session& session, Words words);
void report_sizes_by_account_and_wckey(Session& session, Words words);
void report_reservations(Session& session, Words words);

}  // namespace grappe::sreport
