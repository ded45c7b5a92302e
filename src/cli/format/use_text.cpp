#include "cli/format/use_text.h"

#include <algorithm>
#include <functional>
#include <span>

#include "base/duration.h"

namespace grappe {
namespace {

std::string seconds_text(uint64_t micros, const UseStyle&) {
  return format_duration(static_cast<int64_t>(micros / 1'000'000));
}

std::string count_text(uint64_t count, const UseStyle&) {
  return std::to_string(count);
}

struct UseRow {
  const char* name;
  const v1::Spread& (v1::StepUse::*spread)() const;
  std::string (*text)(uint64_t value, const UseStyle& style);
};

// In the order of their names. Energy, which is not measured, and GPUs, which belong to no task,
// stand between them.
constexpr UseRow kUsedIn[] = {
    {"cpu", &v1::StepUse::cpu_us, seconds_text}, {"fs/disk", &v1::StepUse::read, use_amount},
    {"mem", &v1::StepUse::rss, use_amount},      {"pages", &v1::StepUse::pages, count_text},
    {"vmem", &v1::StepUse::vsize, use_amount},
};
constexpr UseRow kUsedOut[] = {{"fs/disk", &v1::StepUse::written, use_amount}};

std::span<const UseRow> use_rows(UseWay way) {
  return way == UseWay::kIn ? std::span<const UseRow>(kUsedIn) : std::span<const UseRow>(kUsedOut);
}

class WordList {
 public:
  void add(std::string_view name, const std::string& value) {
    if (!text_.empty()) text_ += ',';
    text_ += name;
    text_ += '=' + value;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Goes through the names in order: `quantity` for what tasks use, `other` for the rest.
template <class Quantity, class Other>
void each_name(UseWay way, Quantity quantity, Other other) {
  bool energy = false;
  for (const UseRow& row : use_rows(way)) {
    if (!energy && std::string_view(row.name) > "energy") {
      other("energy");
      energy = true;
    }
    quantity(row);
    if (way == UseWay::kIn && std::string_view(row.name) == "fs/disk") other("gres/gpu");
  }
}

void add_gpus(WordList& words, const v1::StepUse& use, UsePart part, const UseStyle& style) {
  if (!use.gpu_samples()) return;
  const bool peak = part == UsePart::kMost || part == UsePart::kTotal;
  words.add("gres/gpumem", use_amount(peak ? use.max_gpu_memory() : use.gpu_memory(), style));
  const uint64_t average = use.gpu_percent_sum() / use.gpu_samples();
  words.add("gres/gpuutil", std::to_string(peak ? use.max_gpu_percent() : average));
}

uint32_t task_of(const v1::Spread& spread, UsePart part) {
  return part == UsePart::kLeast ? spread.min_task() : spread.max_task();
}

}  // namespace

std::string use_amount(uint64_t bytes, const UseStyle& style) {
  const auto value = static_cast<double>(bytes);
  if (style.unit) return convert_units_to(value, Unit::kNone, *style.unit);
  return convert_units(value, Unit::kNone, style.shorten);
}

std::string use_node(const v1::StepUse& use, uint32_t task) {
  const auto place = static_cast<int>(task);
  const uint32_t node = place < use.task_node_size() ? use.task_node(place) : 0;
  return static_cast<int>(node) < use.nodes_size() ? use.nodes(static_cast<int>(node)) : "";
}

uint64_t use_part(const v1::Spread& spread, UsePart part, uint32_t tasks) {
  switch (part) {
    case UsePart::kAverage:
      return spread.total() / std::max(tasks, 1u);
    case UsePart::kMost:
      return spread.max();
    case UsePart::kLeast:
      return spread.min();
    case UsePart::kTotal:
      return spread.total();
  }
  return 0;
}

std::string use_tres(const v1::StepUse& use, UseWay way, UsePart part, uint32_t tasks,
                     const UseStyle& style) {
  WordList words;
  each_name(
      way,
      [&](const UseRow& row) {
        words.add(row.name, row.text(use_part((use.*row.spread)(), part, tasks), style));
      },
      [&](std::string_view name) {
        if (name == "energy") {
          words.add(name, "0");
        } else {
          add_gpus(words, use, part, style);
        }
      });
  return words.take();
}

std::string use_tres_nodes(const v1::StepUse& use, UseWay way, UsePart part) {
  WordList words;
  each_name(
      way,
      [&](const UseRow& row) {
        words.add(row.name, use_node(use, task_of((use.*row.spread)(), part)));
      },
      [&](std::string_view name) {
        if (name == "energy") words.add(name, use_node(use, 0));
      });
  return words.take();
}

std::string use_tres_tasks(const v1::StepUse& use, UseWay way, UsePart part) {
  WordList words;
  each_name(
      way,
      [&](const UseRow& row) {
        words.add(row.name, std::to_string(task_of((use.*row.spread)(), part)));
      },
      [](std::string_view) {});
  return words.take();
}

}  // namespace grappe
