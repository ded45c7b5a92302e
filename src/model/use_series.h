// What a step used over time: a bounded list of points, however long the step runs.
//
// When the list is full, every two points become one and each further point stands for twice as
// many samples. As bytes it is a column for each quantity, each value as the difference to the one
// before: a day of samples is about a kilobyte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grappe {

struct UsePoint {
  int64_t time = 0;      // seconds since 1970
  uint64_t cpu_ms = 0;   // used until then
  uint64_t rss_kb = 0;   // the most since the point before
  uint64_t read_kb = 0;  // until then
  uint64_t written_kb = 0;
  uint64_t processes = 0;  // the most, as of the two below
  uint64_t gpu_percent = 0;
  uint64_t gpu_memory_kb = 0;

  bool operator==(const UsePoint&) const = default;
};

class UseSeries {
 public:
  static constexpr size_t kMostPoints = 240;

  void add(const UsePoint& sample);
  const std::vector<UsePoint>& points() const { return points_; }

  std::string encode() const;
  // Whatever the bytes are: what can't be understood is an empty series.
  static UseSeries decode(std::string_view bytes);

 private:
  std::vector<UsePoint> points_;
  uint64_t per_point_ = 1;  // samples that a point stands for
  uint64_t in_last_ = 0;    // of them, those that the last point has
};

}  // namespace grappe
