#include "exec/step_name.h"

#include <fmt/core.h>

#include <charconv>

namespace grappe::exec {
namespace {

struct Label {
  uint32_t step_id;
  std::string_view text;
};
constexpr Label kLabels[] = {
    {kBatchStep, "batch"}, {kExternStep, "extern"}, {kInteractiveStep, "interactive"}};

std::optional<uint32_t> parse_number(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<uint32_t> parse_label(std::string_view text) {
  for (const Label& label : kLabels) {
    if (label.text == text) return label.step_id;
  }
  return parse_number(text);
}

}  // namespace

std::string step_label(uint32_t step_id) {
  for (const Label& label : kLabels) {
    if (label.step_id == step_id) return std::string(label.text);
  }
  return std::to_string(step_id);
}

std::string step_name(StepKey key) {
  return fmt::format("{}.{}.{}", key.job_id, step_label(key.step_id), key.restart);
}

std::optional<StepKey> parse_step_name(std::string_view name) {
  const size_t first = name.find('.');
  const size_t second = name.find('.', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const auto job = parse_number(name.substr(0, first));
  const auto step = parse_label(name.substr(first + 1, second - first - 1));
  const auto restart = parse_number(name.substr(second + 1));
  if (!job || !step || !restart) return std::nullopt;
  const StepKey key{*job, *step, *restart};
  if (step_name(key) != name) return std::nullopt;
  return key;
}

}  // namespace grappe::exec
