#include "api/call_counts.h"

#include <string>

#include "base/account_names.h"

namespace grappe::api {
namespace {

std::string user_name(uid_t uid) {
  const auto user = user_of(uid);
  return user ? user->name : std::to_string(uid);
}

}  // namespace

void CallCounts::add(const SlurmMessage& message, uid_t uid, uint64_t micros) {
  std::lock_guard lock(mutex_);
  Count& kind = by_message_[message.id];
  kind.name = message.name;
  for (Count* count : {&kind, &by_user_[uid]}) {
    ++count->calls;
    count->micros += micros;
  }
}

void CallCounts::fill(v1::DiagResponse& diag) const {
  std::lock_guard lock(mutex_);
  for (const auto& [id, count] : by_message_) {
    v1::CallStats& row = *diag.add_by_call();
    row.set_name(std::string(count.name));
    row.set_id(id);
    row.set_count(count.calls);
    row.set_total_us(count.micros);
  }
  for (const auto& [uid, count] : by_user_) {
    v1::CallStats& row = *diag.add_by_user();
    row.set_name(user_name(uid));
    row.set_id(uid);
    row.set_count(count.calls);
    row.set_total_us(count.micros);
  }
}

void CallCounts::reset() {
  std::lock_guard lock(mutex_);
  by_message_.clear();
  by_user_.clear();
}

}  // namespace grappe::api
