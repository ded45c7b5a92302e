// Random numbers that are the same on every machine for the same seed.
//
// The standard library's distributions differ between its versions; a simulation must not.
#pragma once

#include <cmath>
#include <cstdint>

namespace grappe {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // SplitMix64: small, fast, and every seed is as good as another.
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Below `n`, which is not 0.
  uint64_t below(uint64_t n) { return next() % n; }
  // In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }
  // Mean 0, deviation 1.
  double normal() {
    constexpr double kTwoPi = 6.283185307179586;
    double radius = std::sqrt(exponential(2));
    return radius * std::cos(kTwoPi * uniform());
  }

 private:
  uint64_t state_;
};

}  // namespace grappe
