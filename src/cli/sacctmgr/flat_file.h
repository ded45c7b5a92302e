// The file of `dump` and `load`: the associations of one cluster, a line each.
//
//   Cluster - 'tux':Fairshare=1:QOS='normal'
//   Parent - 'root'
//   Account - 'cs':Description='Computer Science':Organization='lc':Fairshare=50
//   Parent - 'cs'
//   User - 'alice':DefaultAccount='cs':Fairshare=10
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/sacctmgr/words.h"

namespace grappe::sacctmgr {

struct FileLine {
  size_t number;      // in the file, from 1
  std::string title;  // "cluster", "parent", "account", "user"
  std::string name;
  std::vector<Word> options;
};

// Comments and empty lines are left out. An Error's message is complete as it is.
Result<std::vector<FileLine>> parse_flat_file(std::string_view text);

// What stands at the head of a dump, for whoever edits it.
std::string_view flat_file_head();

}  // namespace grappe::sacctmgr
