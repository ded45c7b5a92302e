#include "base/array_spec.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace grappe {
namespace {

using Range = TaskSet::Range;

Range make_range(uint32_t first, uint32_t last, uint32_t step) {
  // A step that reaches no second id is a single id, and `last` is one of the set.
  last = first + (last - first) / step * step;
  return {first, last, first == last ? 1 : step};
}

size_t next_set(const std::vector<bool>& bits, size_t from) {
  while (from < bits.size() && !bits[from]) ++from;
  return from;
}

// As few ranges with steps as taking each as long as it goes gives.
std::vector<Range> ranges_of(const std::vector<bool>& bits) {
  std::vector<Range> ranges;
  size_t first = next_set(bits, 0);
  while (first < bits.size()) {
    size_t second = next_set(bits, first + 1);
    size_t step = second - first;
    size_t last = first;
    size_t next = second;
    while (next < bits.size() && next == last + step) {
      last = next;
      next = next_set(bits, last + 1);
    }
    // Two that are not neighbours are no pattern: the second may begin one.
    if (last == second && step > 1) {
      last = first;
      next = second;
    }
    ranges.push_back(make_range(static_cast<uint32_t>(first), static_cast<uint32_t>(last),
                                static_cast<uint32_t>(step)));
    first = next;
  }
  return ranges;
}

std::optional<Range> parse_range(std::string_view text, uint32_t greatest, uint32_t& step) {
  size_t colon = text.find(':');
  std::string_view span = text.substr(0, colon);
  size_t dash = span.find('-');
  auto first = parse_uint(span.substr(0, dash), greatest);
  if (!first) return {};
  if (dash == span.npos) {
    if (colon != text.npos) return {};
    return make_range(*first, *first, 1);
  }
  auto last = parse_uint(span.substr(dash + 1), greatest);
  if (!last || *last < *first) return {};
  if (colon == text.npos) return make_range(*first, *last, 1);
  auto by = parse_uint(text.substr(colon + 1), UINT32_MAX);
  if (!by || *by == 0) return {};
  step = static_cast<uint32_t>(*by);
  return make_range(*first, *last, step);
}

// The number behind the first '%'. What is none is no limit, as in Slurm.
uint32_t limit_of(std::string_view text) {
  size_t percent = text.find('%');
  if (percent == text.npos) return 0;
  std::string_view number = trim(text.substr(percent + 1));
  number = number.substr(0, number.find_first_not_of("0123456789"));
  return static_cast<uint32_t>(parse_uint(number, UINT32_MAX).value_or(0));
}

// Each item up to its '%'; one that has nothing before it is task 0, as in Slurm.
std::string without_limits(std::string_view text) {
  std::string kept;
  for (std::string_view item : split(text, ',')) {
    size_t percent = item.find('%');
    if (!kept.empty()) kept += ',';
    kept += percent == 0 ? "0" : item.substr(0, percent);
  }
  return kept;
}

}  // namespace

TaskSet TaskSet::of(const std::vector<Range>& ranges) {
  TaskSet set;
  if (ranges.size() == 1) {
    const Range& range = ranges.front();
    set.ranges_ = {make_range(range.first, range.last, range.step)};
    set.count_ = range.count();
    return set;
  }
  uint32_t greatest = 0;
  for (const Range& range : ranges) greatest = std::max(greatest, range.last);
  std::vector<bool> bits(ranges.empty() ? 0 : size_t{greatest} + 1);
  for (const Range& range : ranges) {
    for (uint64_t id = range.first; id <= range.last; id += range.step) bits[id] = true;
  }
  set.ranges_ = ranges_of(bits);
  for (const Range& range : set.ranges_) set.count_ += range.count();
  return set;
}

// The first range that ends at or after `id`.
size_t TaskSet::find(uint32_t id) const {
  auto found = std::partition_point(ranges_.begin() + static_cast<ptrdiff_t>(head_), ranges_.end(),
                                    [id](const Range& range) { return range.last < id; });
  return static_cast<size_t>(found - ranges_.begin());
}

bool TaskSet::contains(uint32_t id) const {
  size_t at = find(id);
  return at < ranges_.size() && ranges_[at].contains(id);
}

std::optional<uint32_t> TaskSet::first() const {
  if (empty()) return {};
  return ranges_[head_].first;
}

std::optional<uint32_t> TaskSet::last() const {
  if (empty()) return {};
  return ranges_.back().last;
}

std::optional<uint32_t> TaskSet::next_after(uint32_t id) const {
  if (id == UINT32_MAX) return {};
  size_t at = find(id + 1);
  if (at == ranges_.size()) return {};
  const Range& range = ranges_[at];
  if (id < range.first) return range.first;
  return range.first + ((id - range.first) / range.step + 1) * range.step;
}

bool TaskSet::remove(uint32_t id) {
  size_t at = find(id);
  if (at == ranges_.size() || !ranges_[at].contains(id)) return false;
  Range range = ranges_[at];
  --count_;
  if (range.first == range.last) {
    erase(at);
  } else if (id == range.first) {
    ranges_[at] = make_range(id + range.step, range.last, range.step);
  } else {
    ranges_[at] = make_range(range.first, id - range.step, range.step);
    if (id != range.last) {
      ranges_.insert(ranges_.begin() + static_cast<ptrdiff_t>(at) + 1,
                     make_range(id + range.step, range.last, range.step));
    }
  }
  return true;
}

void TaskSet::erase(size_t at) {
  if (at != head_) {
    ranges_.erase(ranges_.begin() + static_cast<ptrdiff_t>(at));
    return;
  }
  ++head_;
  if (head_ * 2 > ranges_.size()) {
    ranges_.erase(ranges_.begin(), ranges_.begin() + static_cast<ptrdiff_t>(head_));
    head_ = 0;
  }
}

uint32_t TaskSet::regular_step() const {
  if (count_ < 2) return 0;
  uint32_t step = *next_after(ranges_[head_].first) - ranges_[head_].first;
  for (size_t i = head_; i < ranges_.size(); ++i) {
    const Range& range = ranges_[i];
    if (range.first != range.last && range.step != step) return 0;
    if (i > head_ && range.first - ranges_[i - 1].last != step) return 0;
  }
  return step;
}

std::string TaskSet::list(size_t enough) const {
  std::string text;
  uint64_t low = 0, high = 0;  // the run being gathered, if `gathering`
  bool gathering = false;
  auto flush = [&] {
    if (!text.empty()) text += ',';
    text += low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high);
  };
  auto add_run = [&](uint64_t from, uint64_t to) {
    if (gathering && from == high + 1) {
      high = to;
      return;
    }
    if (gathering) flush();
    low = from;
    high = to;
    gathering = true;
  };
  for (size_t i = head_; i < ranges_.size() && text.size() <= enough; ++i) {
    const Range& range = ranges_[i];
    if (range.step == 1) {
      add_run(range.first, range.last);
      continue;
    }
    for (uint64_t id = range.first; id <= range.last && text.size() <= enough; id += range.step) {
      add_run(id, id);
    }
  }
  if (gathering) flush();
  return text;
}

bool operator==(const TaskSet& a, const TaskSet& b) {
  if (a.count() != b.count()) return false;
  bool same = true;
  a.for_each([&](uint32_t id) { same = same && b.contains(id); });
  return same;
}

Result<ArraySpec> parse_array_spec(std::string_view text, uint32_t max_array_size) {
  const auto refusal = fail("Invalid job array specification");
  if (max_array_size == 0) return refusal;
  ArraySpec spec;
  spec.max_running = limit_of(text);
  std::string tasks = without_limits(text);
  std::string_view body = trim(tasks);
  if (body.size() >= 2 && body.front() == '[' && body.back() == ']') {
    body = body.substr(1, body.size() - 2);
  }
  std::vector<Range> ranges;
  // Overlapping ranges are fine, but not so many that counting them out takes seconds.
  uint64_t work = 0;
  for (std::string_view item : split_words(body, ", ")) {
    auto range = parse_range(item, max_array_size - 1, spec.step);
    if (!range) return refusal;
    work += range->count();
    if (work > uint64_t{16} * max_array_size) return refusal;
    ranges.push_back(*range);
  }
  if (ranges.empty()) return refusal;
  spec.tasks = TaskSet::of(ranges);
  return spec;
}

size_t array_text_length(std::string_view slurm_bitstr_len) {
  constexpr int64_t kLongest = 4096;
  if (slurm_bitstr_len.empty()) return kArrayTextLength;
  int64_t length = parse_int(slurm_bitstr_len).value_or(0);
  if (length < 0) return kArrayTextLength;
  return static_cast<size_t>(std::min(length, kLongest));
}

std::string format_tasks(const TaskSet& tasks, uint32_t max_running, size_t text_length) {
  constexpr uint32_t kFewest = 6, kNarrowest = 11;  // from here on a step says it shorter
  std::string text;
  uint32_t step = tasks.regular_step();
  if (step > 1 && tasks.count() >= kFewest && *tasks.last() - *tasks.first() >= kNarrowest) {
    text = fmt::format("{}-{}:{}", *tasks.first(), *tasks.last(), step);
  } else {
    text = tasks.list(text_length == 0 ? SIZE_MAX : text_length);
    // Slurm's buffer holds the text, a comma and two more.
    if (text_length > 0 && text.size() + 3 > text_length) {
      size_t dots = std::min<size_t>(3, text_length - 1);
      text.resize(text_length - 1 - dots);
      text.append(dots, '.');
    }
  }
  if (max_running > 0) text += fmt::format("%{}", max_running);
  return text;
}

}  // namespace grappe
