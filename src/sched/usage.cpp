#include "sched/usage.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace grappe::sched {
namespace {

std::string exact(double number) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  return {buffer, end};
}

double number_of(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

double decay_factor(int64_t half_life_s, int64_t seconds) {
  if (half_life_s <= 0 || seconds <= 0) return 1;
  const double per_second = 1 - 0.693 / static_cast<double>(half_life_s);
  if (per_second <= 0) return std::numeric_limits<double>::min();
  return std::max(std::pow(per_second, static_cast<double>(seconds)),
                  std::numeric_limits<double>::min());
}

void decay(Use& use, double factor) {
  use.billed *= factor;
  use.wall *= factor;
  for (auto& [name, seconds] : use.tres) seconds *= factor;
}

Use use_of(const Charge& charge) {
  const double seconds = static_cast<double>(charge.seconds) *
                         decay_factor(charge.half_life_s, charge.seconds) * charge.usage_factor;
  Use use;
  use.wall = seconds;
  use.billed = seconds * charge.billing;
  for (const auto& [name, amount] : charge.tres) {
    use.tres[name] = seconds * static_cast<double>(amount);
  }
  use.tres["billing"] = use.billed;
  return use;
}

Use& operator+=(Use& to, const Use& more) {
  to.billed += more.billed;
  to.wall += more.wall;
  for (const auto& [name, seconds] : more.tres) to.tres[name] += seconds;
  return to;
}

Use& operator-=(Use& from, const Use& less) {
  from.billed = std::max(from.billed - less.billed, 0.0);
  from.wall = std::max(from.wall - less.wall, 0.0);
  for (const auto& [name, seconds] : less.tres) {
    double& left = from.tres[name];
    left = std::max(left - seconds, 0.0);
  }
  return from;
}

const Use& UsageBook::find(const std::map<uint32_t, Use>& in, uint32_t id) {
  static const Use kNothing;
  const auto found = in.find(id);
  return found == in.end() ? kNothing : found->second;
}

std::string format_use(const Use& use) {
  std::string out = exact(use.billed) + " " + exact(use.wall);
  for (const auto& [name, seconds] : use.tres) out += " " + name + "=" + exact(seconds);
  return out;
}

Use parse_use(std::string_view text) {
  const auto words = split_words(text, " ");
  Use use;
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t equals = words[i].rfind('=');
    if (i == 0) {
      use.billed = number_of(words[i]);
    } else if (i == 1) {
      use.wall = number_of(words[i]);
    } else if (equals != std::string_view::npos) {
      use.tres[std::string(words[i].substr(0, equals))] = number_of(words[i].substr(equals + 1));
    }
  }
  return use;
}

}  // namespace grappe::sched
