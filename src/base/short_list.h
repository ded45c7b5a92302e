// A list that is nearly always short: its first N values need no memory of their own.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace grappe {

template <class T, size_t N>
class ShortList {
 public:
  ShortList() = default;
  ShortList(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t i) const { return i < N ? first_[i] : more_[i - N]; }

  void push_back(const T& value) {
    if (size_ < N) {
      first_[size_] = value;
    } else {
      more_.push_back(value);
    }
    ++size_;
  }
  // Leaves the first `count`, if there are more.
  void shorten(size_t count) {
    if (count >= size_) return;
    more_.resize(count > N ? count - N : 0);
    size_ = count;
  }

 private:
  size_t size_ = 0;
  T first_[N] = {};
  std::vector<T> more_;
};

}  // namespace grappe
