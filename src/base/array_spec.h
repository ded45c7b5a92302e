// Job arrays: the text of --array ("0-15:4,20%4"), and the set of tasks that have not started.
//
// Arrays have up to millions of tasks, so the set is kept as ranges and stays small until tasks
// are taken out of it one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

class TaskSet {
 public:
  // first, first + step, ... last. A single id has step 1.
  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;
    uint32_t step = 1;
    uint32_t count() const { return (last - first) / step + 1; }
    bool contains(uint32_t id) const {
      return id >= first && id <= last && (id - first) % step == 0;
    }
  };

  TaskSet() = default;
  // In any order and with repetitions. Costs memory for a bit per id up to the greatest one.
  static TaskSet of(const std::vector<Range>& ranges);

  bool empty() const { return count_ == 0; }
  uint32_t count() const { return count_; }
  bool contains(uint32_t id) const;
  std::optional<uint32_t> first() const;
  std::optional<uint32_t> last() const;
  // The least id greater than `id`.
  std::optional<uint32_t> next_after(uint32_t id) const;
  // False when it was not there.
  bool remove(uint32_t id);

  // The distance of each id to the next if it is the same for all; 0 if not, or if there are
  // fewer than two.
  uint32_t regular_step() const;

  // "0-3,5,9"; stops somewhere beyond `enough` letters.
  std::string list(size_t enough = SIZE_MAX) const;

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (size_t i = head_; i < ranges_.size(); ++i) {
      const Range& range = ranges_[i];
      for (uint64_t id = range.first; id <= range.last; id += range.step) {
        visit(static_cast<uint32_t>(id));
      }
    }
  }

 private:
  size_t find(uint32_t id) const;
  void erase(size_t at);

  // Ascending, each ends before the next begins. Those before head_ are used up: starting a task
  // takes the least id, and moving all the others each time would be slow.
  std::vector<Range> ranges_;
  size_t head_ = 0;
  uint32_t count_ = 0;
};

bool operator==(const TaskSet& a, const TaskSet& b);

struct ArraySpec {
  TaskSet tasks;
  uint32_t max_running = 0;  // after '%'; 0 is no limit
  uint32_t step = 1;         // as written after ':', for SLURM_ARRAY_TASK_STEP
};

// Ids must be below `max_array_size`. Slurm's wording on failure. The list may be in brackets.
Result<ArraySpec> parse_array_spec(std::string_view text, uint32_t max_array_size);

// Where squeue cuts a long list: SLURM_BITSTR_LEN, 64 at first, 0 is never.
inline constexpr size_t kArrayTextLength = 64;
size_t array_text_length(std::string_view slurm_bitstr_len);

// As in squeue's "12_[2-5,9%2]": "0-98:2" for a regular one, a cut list ends in "...".
std::string format_tasks(const TaskSet& tasks, uint32_t max_running,
                         size_t text_length = kArrayTextLength);

}  // namespace grappe
