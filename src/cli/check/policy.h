// What `grappe check` looks at, and what it finds: settings of a site that can't work as they were
// meant.
//
// A rule is a function over the whole policy that adds what it finds; a new one is a row in
// rules.cpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grappe/v1/books.pb.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe {

struct SitePolicy {
  std::map<std::string, std::string, std::less<>> config;  // as `scontrol show config` has it
  v1::PartitionsResponse partitions;
  v1::NodesResponse nodes;
  v1::BooksResponse books;

  std::string_view setting(std::string_view key) const;  // empty: not there
  bool enforces(std::string_view word) const;            // of AccountingStorageEnforce
  bool by_multifactor() const;
};

struct Finding {
  std::string what;    // what is so, and what follows
  std::string remedy;  // what to type or write
};

std::vector<Finding> check_policy(const SitePolicy& policy);

}  // namespace grappe
