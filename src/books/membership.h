// On whose account a job runs, and with which QoS: what was asked for, the user's defaults, and
// what AccountingStorageEnforce says of those who are not in the books.
//
// Pure.
#pragma once

#include <string>

#include "base/result.h"
#include "books/books.h"
#include "model/config.h"

namespace grappe {

struct MembershipWish {
  std::string user, account, partition, qos, wckey;  // as typed; empty: the default
};

struct Membership {
  uint32_t assoc_id = 0;  // 0: none
  std::string account, qos, wckey;
};

Result<Membership> membership(const Books& books, const AccountingConfig& rules,
                              const std::string& cluster, const MembershipWish& wish);

}  // namespace grappe
