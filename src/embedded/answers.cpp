#include "embedded/answers.h"

#include "grappe/store/v1/record.pb.h"

namespace grappe::embedded {
namespace {

constexpr int64_t kLifetime = 120;  // seconds
constexpr int64_t kSlack = 60;      // so that many are removed with one commit

// A token is worth nothing to another user.
std::string name_of(const Caller& caller) {
  return std::to_string(caller.uid) + "." + caller.token;
}

}  // namespace

const std::string* Answers::find(const Caller& caller) const {
  if (caller.token.empty()) return nullptr;
  auto found = by_name_.find(name_of(caller));
  return found == by_name_.end() ? nullptr : &found->second;
}

void Answers::keep(State& state, const Caller& caller, int64_t now, std::string answer) {
  if (caller.token.empty()) return;
  store::v1::Answer saved;
  saved.set_time(now);
  saved.set_body(answer);
  std::string name = name_of(caller);
  state.save_setting({kAnswerSetting, name, saved.SerializeAsString()});
  remember(std::move(name), now, std::move(answer));
}

void Answers::expire(State& state, int64_t now) {
  if (by_time_.empty() || by_time_.begin()->first > now - kLifetime - kSlack) return;
  const auto end = by_time_.upper_bound(now - kLifetime);
  for (auto it = by_time_.begin(); it != end; ++it) {
    by_name_.erase(it->second);
    state.save_setting({kAnswerSetting, std::move(it->second), ""});
  }
  by_time_.erase(by_time_.begin(), end);
}

void Answers::restore(const SavedSetting& setting) {
  store::v1::Answer saved;
  if (!saved.ParseFromString(setting.data)) return;
  remember(setting.name, saved.time(), std::move(*saved.mutable_body()));
}

void Answers::remember(std::string name, int64_t time, std::string answer) {
  by_time_.emplace(time, name);
  by_name_[std::move(name)] = std::move(answer);
}

}  // namespace grappe::embedded
