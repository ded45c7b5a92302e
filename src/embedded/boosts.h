// A higher place in the queue for a while: asked for by a user, granted by an operator, and over by
// itself.
#pragma once

#include <map>
#include <string>

#include "engine/engine.h"
#include "store/store.h"

namespace grappe::embedded {

class Core;

inline constexpr char kBoostSetting[] = "boost";  // the kind of what is saved

// By user. At most one each.
using Boosts = std::map<std::string, v1::Boost, std::less<>>;

// What is added to the priority of the user's jobs now.
int64_t boost_of(const Boosts& boosts, const std::string& user, int64_t now);

v1::BoostsResponse list_boosts(const Core& core, const Caller& caller);
Result<v1::BoostsResponse> change_boost(Core& core, const Caller& caller,
                                        const v1::ChangeBoostRequest& request);

// Ends those whose time is over. Says when the next one will be; INT64_MAX: none.
int64_t tick_boosts(Core& core);

void restore_boost(Core& core, const SavedSetting& setting);

}  // namespace grappe::embedded
