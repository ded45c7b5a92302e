// Answers that were given lately, kept with the changes that they speak of: a request whose answer
// was lost with a killed grapped is sent again with the same token, gets the same answer, and
// nothing happens twice.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "embedded/state.h"
#include "engine/engine.h"

namespace grappe::embedded {

class Answers {
 public:
  // What this request was answered before; none if its token is new or it has none.
  const std::string* find(const Caller& caller) const;
  void keep(State& state, const Caller& caller, int64_t now, std::string answer);
  // Clients give up long before an answer is forgotten.
  void expire(State& state, int64_t now);
  void restore(const SavedSetting& setting);

 private:
  void remember(std::string name, int64_t time, std::string answer);

  std::unordered_map<std::string, std::string> by_name_;
  std::multimap<int64_t, std::string> by_time_;
};

inline constexpr char kAnswerSetting[] = "answer";

}  // namespace grappe::embedded
