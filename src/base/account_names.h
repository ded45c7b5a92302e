// The names of users and groups, as the machine's user database has them.
//
// Every request is somebody's, and the database is read from its beginning or asked over the
// network each time. So what it said serves the next requests: until /etc/passwd or /etc/group
// changes, and for some seconds at most, as a directory server tells nobody of a change.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace grappe {

struct UserName {
  std::string name;
  gid_t gid = 0;  // of the user's own group
};

std::optional<UserName> user_of(uid_t uid);
std::optional<std::string> group_of(gid_t gid);

// Remembers what `look_up` found until `version`, which must be cheap, says something else. What
// was not found is asked for again: somebody may be about to add it.
template <class Value>
class Remembered {
 public:
  using Clock = std::chrono::steady_clock;
  using Version = std::pair<int64_t, int64_t>;
  struct Source {
    std::function<std::optional<Value>(uint32_t)> look_up;
    std::function<Version()> version;
    std::chrono::milliseconds lifetime;
  };

  explicit Remembered(Source source) : source_(std::move(source)) {}

  std::optional<Value> get(uint32_t id) {
    const Clock::time_point now = Clock::now();
    const Version version = source_.version();
    {
      const std::lock_guard lock(mutex_);
      if (version != version_ || now - since_ >= source_.lifetime) known_.clear();
      if (const auto found = known_.find(id); found != known_.end()) return found->second;
      if (known_.empty()) {
        version_ = version;
        since_ = now;
      }
    }
    const std::optional<Value> found = source_.look_up(id);  // slow: others need not wait for it
    if (!found) return std::nullopt;
    const std::lock_guard lock(mutex_);
    if (version == version_) known_.insert_or_assign(id, *found);
    return found;
  }

 private:
  const Source source_;
  std::mutex mutex_;
  std::unordered_map<uint32_t, Value> known_;
  Version version_;
  Clock::time_point since_;
};

}  // namespace grappe
