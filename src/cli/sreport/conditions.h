// The words after the name of a report: "start=9/01/20", "accounts=cs,es", "tree".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/sreport/session.h"

namespace grappe::sreport {

struct Conditions {
  std::string start, end, format;
  std::vector<std::string> clusters, accounts, users, wckeys, names, nodes, partitions, groups,
      jobs, grouping;
  bool all_clusters = false;
  bool tree = false;            // cluster AccountUtilizationByUser
  bool group_accounts = false;  // user TopUsage
  bool acct_as_parent = false, flat_view = false, job_count = false;  // job Sizes...
  bool individual = false;                                            // grouping=individual
  uint32_t top_count = 10;
};

// A word that a kind of report understands.
struct ConditionRow {
  std::string_view name;
  // Where the values go; nothing: see `text` and `flag`.
  std::vector<std::string> Conditions::*list = nullptr;
  std::string Conditions::*text = nullptr;
  bool Conditions::*flag = nullptr;  // a word without a value
};

// A word that is none is said, and left out; without a value it is the name of a cluster.
void read_conditions(Session& session, std::span<const ConditionRow> rows, Words words,
                     Conditions& out);

// The window that the conditions ask for; nothing: it is wrong, and it was said.
std::optional<Window> window_for(Session& session, const Conditions& conditions);

// The nodes that are named, each by itself; nothing: it is no list of nodes, and it was said.
std::optional<std::vector<std::string>> nodes_for(Session& session, const Conditions& conditions);

// Does the report concern this cluster? When not, it has no rows.
bool concerns_us(Session& session, const Conditions& conditions);

// In no list at all, or in this one (names without regard to case).
bool chosen(const std::vector<std::string>& list, std::string_view name);

}  // namespace grappe::sreport
