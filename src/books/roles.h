// Who may change what in the books. A role never gives away more than it holds.
//
// Administrators change everything, operators everything but QoS, clusters and those above them;
// the coordinator of an account its sub-accounts and its users. Anybody may choose which of his
// accounts is his default.
#pragma once

#include <string>

#include "base/result.h"
#include "books/books.h"

namespace grappe {

struct Role {
  std::string user;
  v1::AdminLevel level = v1::ADMIN_NONE;

  bool at_least(v1::AdminLevel wanted) const { return level >= wanted; }
};

// He coordinates this account, or one that it belongs to.
bool coordinates(const Books& books, const Role& role, const std::string& cluster,
                 const std::string& account);
bool is_coordinator(const Books& books, const Role& role);

// RawUsage=0: with it a coordinator would put his group before all others.
Status may_reset_usage(const Role& role);

// `before` is null when the record is new, `after` when it goes.
Status may_change(const Books& books, const Role& role, const v1::Account* before,
                  const v1::Account* after);
Status may_change(const Books& books, const Role& role, const v1::User* before,
                  const v1::User* after);
Status may_change(const Books& books, const Role& role, const v1::Association* before,
                  const v1::Association* after);
Status may_change(const Books& books, const Role& role, const v1::Qos* before,
                  const v1::Qos* after);
Status may_change(const Books& books, const Role& role, const v1::ClusterRecord* before,
                  const v1::ClusterRecord* after);
Status may_change(const Books& books, const Role& role, const v1::Wckey* before,
                  const v1::Wckey* after);
Status may_change(const Books& books, const Role& role, const v1::Resource* before,
                  const v1::Resource* after);

}  // namespace grappe
