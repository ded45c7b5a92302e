// What counts against limits, for whoever looks (scontrol show assoc_mgr).
#pragma once

#include <functional>

#include "embedded/state.h"
#include "grappe/v1/books.pb.h"

namespace grappe::embedded {

// What of it may be shown.
struct UseSight {
  std::function<bool(const v1::Association&)> association;
  std::function<bool(const std::string&)> user, account;
};

void list_limit_use(const State& state, const UseSight& sight, v1::BooksResponse& out);

}  // namespace grappe::embedded
