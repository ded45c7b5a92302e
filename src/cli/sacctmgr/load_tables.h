// What `load` tells of a file: tables of what is new, and a line for each change of what was there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/sacctmgr/associations.h"
#include "cli/sacctmgr/listing.h"

namespace grappe::sacctmgr {

// Shares of which the file says nothing are shown as nothing.
inline constexpr uint32_t kNoShares = 0xfffffffe;

struct LoadTables {
  Session& session;
  const v1::BooksResponse& books;
  const Names& admin_told;  // users whose level the file says

  // Each is empty where there are no rows.
  std::string accounts(const std::vector<v1::Account>& accounts) const;
  std::string users(const std::vector<v1::User>& users,
                    const std::map<std::string, Names>& coordinated) const;
  std::string associations(const std::vector<v1::Association>& records, bool of_users) const;
};

// " Changed fairshare              for Account cs              50 -> 20"
std::string changes_text(const v1::ClusterRecord& before, const v1::ClusterRecord& after);
std::string changes_text(const v1::Association& before, const v1::Association& after);
std::string changes_text(const v1::Account& before, const v1::Account& after);
std::string changes_text(const v1::User& before, const v1::User& after);

}  // namespace grappe::sacctmgr
