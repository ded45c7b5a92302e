#include "cli/squeue/array_tasks.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace grappe {
namespace {

// No array is larger; a longer one in a message is a mistake that must not cost memory.
constexpr uint64_t kMaxTask = 4000000;
// Slurm looks for a regular step only when first and last task are further apart than this.
constexpr uint32_t kStepSpread = 10;

void read_range(std::string_view text, std::vector<uint32_t>& tasks) {
  uint64_t step = 1;
  if (size_t colon = text.find(':'); colon != std::string_view::npos) {
    step = parse_uint(text.substr(colon + 1), kMaxTask).value_or(0);
    text = text.substr(0, colon);
  }
  size_t dash = text.find('-');
  auto first = parse_uint(text.substr(0, dash), kMaxTask);
  auto last = dash == std::string_view::npos ? first : parse_uint(text.substr(dash + 1), kMaxTask);
  if (!first || !last || step == 0) return;
  for (uint64_t task = *first; task <= *last; task += step) {
    tasks.push_back(static_cast<uint32_t>(task));
  }
}

bool has_regular_step(const std::vector<uint32_t>& tasks) {
  if (tasks.size() < 3 || tasks.back() - tasks.front() <= kStepSpread) return false;
  uint32_t step = tasks[1] - tasks[0];
  if (step == 1) return false;
  for (size_t i = 2; i < tasks.size(); ++i) {
    if (tasks[i] - tasks[i - 1] != step) return false;
  }
  return true;
}

}  // namespace

ArrayTasks read_array_tasks(std::string_view text) {
  ArrayTasks array;
  if (size_t percent = text.find('%'); percent != std::string_view::npos) {
    array.throttle = text.substr(percent);
    text = text.substr(0, percent);
  }
  for (std::string_view range : split_words(text, ",")) read_range(range, array.tasks);
  std::sort(array.tasks.begin(), array.tasks.end());
  array.tasks.erase(std::unique(array.tasks.begin(), array.tasks.end()), array.tasks.end());
  return array;
}

std::string write_array_tasks(const ArrayTasks& array) {
  const std::vector<uint32_t>& tasks = array.tasks;
  if (has_regular_step(tasks)) {
    return fmt::format("{}-{}:{}{}", tasks.front(), tasks.back(), tasks[1] - tasks[0],
                       array.throttle);
  }
  std::string out;
  for (size_t i = 0; i < tasks.size();) {
    size_t last = i;
    while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1) ++last;
    if (!out.empty()) out += ',';
    out += std::to_string(tasks[i]);
    if (last > i) out += "-" + std::to_string(tasks[last]);
    i = last + 1;
  }
  return out + array.throttle;
}

std::string shorten_array_tasks(std::string_view text, size_t size) {
  size_t percent = std::min(text.find('%'), text.size());
  std::string list(text.substr(0, percent));
  if (size == 0 || list.size() < size) return std::string(text);
  list.resize(size - 1);
  if (list.size() >= 3) list.replace(list.size() - 3, 3, "...");
  return list + std::string(text.substr(percent));
}

}  // namespace grappe
