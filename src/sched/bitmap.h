// A set of small numbers: CPUs of a node, nodes of a partition, features.
//
// Up to 64 bits live in place, more on the heap; sets of different length compare and combine
// as if the shorter one were padded with zeros.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace grappe::sched {

class Bitmap {
 public:
  Bitmap() = default;
  static Bitmap first(uint32_t count) {
    Bitmap b;
    for (uint32_t i = 0; i < count; ++i) b.set(i);
    return b;
  }

  bool test(uint32_t i) const { return (word(i / 64) >> (i % 64)) & 1; }
  void set(uint32_t i) { grow(i / 64) |= uint64_t{1} << (i % 64); }
  void clear(uint32_t i) {
    if (i / 64 < words()) grow(i / 64) &= ~(uint64_t{1} << (i % 64));
  }
  bool any() const {
    for (uint32_t w = 0; w < words(); ++w) {
      if (word(w)) return true;
    }
    return false;
  }
  bool none() const { return !any(); }
  uint32_t count() const {
    uint32_t n = 0;
    for (uint32_t w = 0; w < words(); ++w) n += std::popcount(word(w));
    return n;
  }
  // The first set bit at or after `from`; UINT32_MAX when there is none.
  uint32_t next(uint32_t from) const {
    for (uint32_t w = from / 64; w < words(); ++w) {
      uint64_t bits = word(w);
      if (w == from / 64) bits &= ~uint64_t{0} << (from % 64);
      if (bits) return w * 64 + static_cast<uint32_t>(std::countr_zero(bits));
    }
    return UINT32_MAX;
  }
  std::vector<uint32_t> members() const {
    std::vector<uint32_t> out;
    for (uint32_t i = next(0); i != UINT32_MAX; i = next(i + 1)) out.push_back(i);
    return out;
  }
  bool contains(const Bitmap& other) const {
    for (uint32_t w = 0; w < other.words(); ++w) {
      if (other.word(w) & ~word(w)) return false;
    }
    return true;
  }
  bool intersects(const Bitmap& other) const {
    for (uint32_t w = 0; w < words() && w < other.words(); ++w) {
      if (word(w) & other.word(w)) return true;
    }
    return false;
  }
  Bitmap& operator|=(const Bitmap& other) {
    for (uint32_t w = 0; w < other.words(); ++w) {
      if (other.word(w)) grow(w) |= other.word(w);
    }
    return *this;
  }
  Bitmap& operator&=(const Bitmap& other) {
    for (uint32_t w = 0; w < words(); ++w) grow(w) &= other.word(w);
    return *this;
  }
  Bitmap& operator-=(const Bitmap& other) {
    for (uint32_t w = 0; w < words(); ++w) grow(w) &= ~other.word(w);
    return *this;
  }
  friend Bitmap operator|(Bitmap a, const Bitmap& b) { return a |= b; }
  friend Bitmap operator&(Bitmap a, const Bitmap& b) { return a &= b; }
  friend Bitmap operator-(Bitmap a, const Bitmap& b) { return a -= b; }
  friend bool operator==(const Bitmap& a, const Bitmap& b) {
    return a.contains(b) && b.contains(a);
  }

 private:
  uint32_t words() const { return 1 + static_cast<uint32_t>(more_.size()); }
  uint64_t word(uint32_t w) const {
    if (w == 0) return low_;
    return w - 1 < more_.size() ? more_[w - 1] : 0;
  }
  uint64_t& grow(uint32_t w) {
    if (w == 0) return low_;
    if (more_.size() < w) more_.resize(w);
    return more_[w - 1];
  }

  uint64_t low_ = 0;
  std::vector<uint64_t> more_;
};

}  // namespace grappe::sched
