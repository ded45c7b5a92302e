#include "model/use_series.h"

#include <algorithm>
#include <array>

namespace grappe {
namespace {

constexpr uint8_t kVersion = 1;

constexpr std::array kColumns = {
    &UsePoint::cpu_ms,    &UsePoint::rss_kb,      &UsePoint::read_kb,       &UsePoint::written_kb,
    &UsePoint::processes, &UsePoint::gpu_percent, &UsePoint::gpu_memory_kb,
};

// The later of two points, with the peaks of both.
void merge(const UsePoint& later, UsePoint& into) {
  const UsePoint earlier = into;
  into = later;
  into.rss_kb = std::max(earlier.rss_kb, later.rss_kb);
  into.processes = std::max(earlier.processes, later.processes);
  into.gpu_percent = std::max(earlier.gpu_percent, later.gpu_percent);
  into.gpu_memory_kb = std::max(earlier.gpu_memory_kb, later.gpu_memory_kb);
}

void put_number(std::string& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

// Differences may be below zero: the sign goes to the last bit, so that small ones stay short.
void put_difference(std::string& out, uint64_t value, uint64_t before) {
  const auto difference = static_cast<int64_t>(value - before);
  put_number(out,
             (static_cast<uint64_t>(difference) << 1) ^ static_cast<uint64_t>(difference >> 63));
}

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  bool bad() const { return bad_; }
  bool done() const { return rest_.empty(); }

  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (!(byte & 0x80)) return value;
    }
    bad_ = true;
    return 0;
  }
  uint64_t after(uint64_t before) {
    const uint64_t coded = number();
    return before + ((coded >> 1) ^ (~(coded & 1) + 1));
  }

 private:
  std::string_view rest_;
  bool bad_ = false;
};

}  // namespace

void UseSeries::add(const UsePoint& sample) {
  if (!points_.empty() && in_last_ < per_point_) {
    merge(sample, points_.back());
    ++in_last_;
    return;
  }
  if (points_.size() == kMostPoints) {
    for (size_t i = 0; i < kMostPoints / 2; ++i) {
      UsePoint both = points_[2 * i];
      merge(points_[2 * i + 1], both);
      points_[i] = both;
    }
    points_.resize(kMostPoints / 2);
    per_point_ *= 2;
  }
  points_.push_back(sample);
  in_last_ = 1;
}

std::string UseSeries::encode() const {
  std::string out;
  if (points_.empty()) return out;
  out += static_cast<char>(kVersion);
  put_number(out, per_point_);
  put_number(out, in_last_);
  put_number(out, points_.size());
  // Samples come at even times: the difference of the differences is mostly zero.
  uint64_t time = 0, step = 0;
  for (const UsePoint& point : points_) {
    const auto now = static_cast<uint64_t>(point.time);
    put_difference(out, now - time, step);
    step = now - time;
    time = now;
  }
  for (const auto column : kColumns) {
    uint64_t before = 0;
    for (const UsePoint& point : points_) {
      put_difference(out, point.*column, before);
      before = point.*column;
    }
  }
  return out;
}

UseSeries UseSeries::decode(std::string_view bytes) {
  UseSeries series;
  if (bytes.empty() || static_cast<uint8_t>(bytes.front()) != kVersion) return series;
  Bytes in(bytes.substr(1));
  series.per_point_ = std::max<uint64_t>(in.number(), 1);
  series.in_last_ = in.number();
  const uint64_t count = in.number();
  if (in.bad() || count > kMostPoints) return {};
  series.points_.resize(count);
  uint64_t time = 0, step = 0;
  for (UsePoint& point : series.points_) {
    step = in.after(step);
    time += step;
    point.time = static_cast<int64_t>(time);
  }
  for (const auto column : kColumns) {
    uint64_t before = 0;
    for (UsePoint& point : series.points_) point.*column = before = in.after(before);
  }
  if (in.bad() || !in.done()) return {};
  return series;
}

}  // namespace grappe
