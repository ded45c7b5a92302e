// Equal values kept once, for as long as somebody holds them.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>

namespace grappe::embedded {

template <class T>
class Pool {
 public:
  // What is known under the key, or else `value`.
  std::shared_ptr<const T> share(const std::string& key, std::shared_ptr<const T> value) {
    if (known_.size() >= purge_at_) purge();
    std::weak_ptr<const T>& known = known_[key];
    if (auto shared = known.lock()) return shared;
    known = value;
    return value;
  }
  size_t size() const { return known_.size(); }

 private:
  // Keys whose values are gone; seldom enough to cost nothing.
  void purge() {
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
    purge_at_ = std::max(kFirstPurge, 2 * known_.size());
  }

  static constexpr size_t kFirstPurge = 1024;
  std::unordered_map<std::string, std::weak_ptr<const T>> known_;
  size_t purge_at_ = kFirstPurge;
};

}  // namespace grappe::embedded
