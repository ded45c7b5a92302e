#include "embedded/boosts.h"

#include <algorithm>

#include "base/log.h"
#include "base/plain_text.h"
#include "embedded/core.h"
#include "embedded/priority.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

constexpr int64_t kUsualPoints = 100'000;
constexpr int64_t kMostPoints = 1'000'000'000;
constexpr int64_t kLongest = 366 * int64_t{86400};
constexpr size_t kLongestReason = 1000;

// An operator will read it at a terminal.
std::string plain(std::string text) {
  hide_control_characters(text);
  return text;
}

void save(Core& core, const v1::Boost& boost) {
  core.state.save_setting({kBoostSetting, boost.user(), boost.SerializeAsString()});
}

void forget(Core& core, const std::string& user) {
  core.boosts.erase(user);
  core.state.save_setting({kBoostSetting, user, ""});
  weigh_user(core, user);
}

Status check(const Core& core, const v1::Boost& boost) {
  if (boost.until() <= core.now) return fail("a boost needs a time in the future: --until=...");
  if (boost.until() > core.now + kLongest) return fail("a boost lasts a year at most");
  if (boost.points() < 1 || boost.points() > kMostPoints) {
    return fail("a boost is of 1 to 1000000000 points");
  }
  if (boost.reason().size() > kLongestReason) return fail("the reason is too long");
  return {};
}

Status ask(Core& core, const Caller& caller, const v1::ChangeBoostRequest& request) {
  if (request.user() != caller.user) {
    return fail(kErrAccessDenied, "a boost is asked for by the user himself");
  }
  const auto known = core.boosts.find(caller.user);
  if (known != core.boosts.end() && known->second.granted()) {
    return fail("you have a boost already; it may be asked for again when it is over");
  }
  v1::Boost boost;
  boost.set_user(caller.user);
  boost.set_points(request.has_points() ? request.points() : kUsualPoints);
  boost.set_until(request.until());
  boost.set_reason(plain(request.reason()));
  boost.set_asked_at(core.now);
  Status fine = check(core, boost);
  if (!fine) return fine;
  save(core, boost);
  core.boosts[caller.user] = std::move(boost);
  return {};
}

Status grant(Core& core, const Caller& caller, const v1::ChangeBoostRequest& request) {
  if (!caller.is_operator) return fail(kErrAccessDenied, "only operators grant a boost");
  const auto asked = core.boosts.find(request.user());
  v1::Boost boost = asked == core.boosts.end() ? v1::Boost() : asked->second;
  boost.set_user(request.user());
  if (request.has_points() || !boost.points()) {
    boost.set_points(request.has_points() ? request.points() : kUsualPoints);
  }
  if (request.until()) boost.set_until(request.until());
  if (!request.reason().empty()) boost.set_reason(plain(request.reason()));
  boost.set_granted(true);
  boost.set_granted_by(caller.user);
  if (!core.state.books.user(request.user())) return fail("there is no user " + request.user());
  Status fine = check(core, boost);
  if (!fine) return fine;
  save(core, boost);
  log_info("{} grants {} a boost of {} points", caller.user, request.user(), boost.points());
  core.boosts[request.user()] = std::move(boost);
  weigh_user(core, request.user());
  return {};
}

Status end(Core& core, const Caller& caller, const v1::ChangeBoostRequest& request) {
  if (!caller.is_operator && request.user() != caller.user) return slurm_fail(kErrAccessDenied);
  if (!core.boosts.contains(request.user())) return fail(request.user() + " has no boost");
  forget(core, request.user());
  return {};
}

}  // namespace

int64_t boost_of(const Boosts& boosts, const std::string& user, int64_t now) {
  const auto found = boosts.find(user);
  if (found == boosts.end() || !found->second.granted()) return 0;
  return found->second.until() > now ? found->second.points() : 0;
}

v1::BoostsResponse list_boosts(const Core& core, const Caller& caller) {
  v1::BoostsResponse out;
  out.set_now(core.now);
  for (const auto& [user, boost] : core.boosts) {
    if (caller.is_operator || user == caller.user) *out.add_boosts() = boost;
  }
  return out;
}

Result<v1::BoostsResponse> change_boost(Core& core, const Caller& caller,
                                        const v1::ChangeBoostRequest& request) {
  using Request = v1::ChangeBoostRequest;
  Status done = request.action() == Request::ASK     ? ask(core, caller, request)
                : request.action() == Request::GRANT ? grant(core, caller, request)
                                                     : end(core, caller, request);
  if (!done) return tl::unexpected<Error>(done.error());
  return list_boosts(core, caller);
}

int64_t tick_boosts(Core& core) {
  std::vector<std::string> over;
  int64_t next = INT64_MAX;
  for (const auto& [user, boost] : core.boosts) {
    if (boost.until() <= core.now) {
      over.push_back(user);
    } else {
      next = std::min(next, boost.until());
    }
  }
  for (const std::string& user : over) {
    log_info("the boost of {} is over", user);
    forget(core, user);
  }
  return next;
}

void restore_boost(Core& core, const SavedSetting& setting) {
  v1::Boost boost;
  if (boost.ParseFromString(setting.data)) core.boosts[setting.name] = std::move(boost);
}

}  // namespace grappe::embedded
