// Lists of node names in Slurm's notation: "node[1-3,07-10],login,rack[1-2]-ib[0-1]".
//
// A name is a prefix and the number it ends in; only that number folds into a range. Leading
// zeros are part of the name: n1 and n01 are two nodes. An expression is untrusted input, so what
// it may grow to is bounded; what Slurm reads as something nobody meant ("a[1-3" is the node "a]"
// to it) is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

// The names in the order of the expression, with repetitions. Names are separated by commas or
// blanks. The message of a failure is Slurm's ("Invalid hostlist: a[3-1]").
Result<std::vector<std::string>> expand_hostlist(std::string_view expression);

// Neighbours that count up fold into a range, and the order stays: `scontrol show hostlist`.
std::string fold_hostlist(const std::vector<std::string>& names);

// Sorted first, with numbers by value; repetitions stay: `scontrol show hostlistsorted`.
std::string fold_sorted_hostlist(std::vector<std::string> names);

// The order of fold_sorted_hostlist: node2 before node10, rack9-1 before rack10-1.
bool hostname_less(std::string_view a, std::string_view b);

}  // namespace grappe
