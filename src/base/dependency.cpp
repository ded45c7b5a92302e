#include "base/dependency.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "base/index_set.h"
#include "base/text.h"

namespace grappe {
namespace {

constexpr size_t kMaxItems = 10000;
constexpr uint32_t kMaxId = kNoValue - 1;

struct KindName {
  DependencyKind kind;
  std::string_view name;
};

constexpr KindName kKindNames[] = {
    {DependencyKind::kAfter, "after"},
    {DependencyKind::kAfterAny, "afterany"},
    {DependencyKind::kAfterBurstBuffer, "afterburstbuffer"},
    {DependencyKind::kAfterCorr, "aftercorr"},
    {DependencyKind::kAfterOk, "afterok"},
    {DependencyKind::kAfterNotOk, "afternotok"},
    {DependencyKind::kExpand, "expand"},
    {DependencyKind::kSingleton, "singleton"},
};

std::optional<DependencyKind> kind_of(std::string_view name) {
  for (const KindName& known : kKindNames) {
    if (iequals(known.name, name)) return known.kind;
  }
  return {};
}

std::string_view name_of(DependencyKind kind) {
  for (const KindName& known : kKindNames) {
    if (known.kind == kind) return known.name;
  }
  return {};
}

// Takes off a trailing "(failed)" or "(unfulfilled)": shown texts can be given back.
DependencyState take_state(std::string_view& text) {
  constexpr std::string_view kFailed = "(failed)", kUnfulfilled = "(unfulfilled)";
  if (text.ends_with(kFailed)) {
    text.remove_suffix(kFailed.size());
    return DependencyState::kFailed;
  }
  if (text.ends_with(kUnfulfilled)) text.remove_suffix(kUnfulfilled.size());
  return DependencyState::kUnfulfilled;
}

class Parser {
 public:
  Result<DependencyList> parse(std::string_view text) {
    while (true) {
      size_t end = end_of_item(text);
      if (!parse_item(text.substr(0, end))) return refusal();
      if (end == text.size()) break;
      // Where both are written any one of all is enough, as in Slurm.
      list_.any |= text[end] == '?';
      text.remove_prefix(end + 1);
    }
    return std::move(list_);
  }

 private:
  static tl::unexpected<Error> refusal() { return fail("Job dependency problem"); }

  // A ',' inside brackets belongs to a list of tasks.
  static size_t end_of_item(std::string_view text) {
    bool inside = false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '[') inside = true;
      if (text[i] == ']') inside = false;
      if (!inside && (text[i] == ',' || text[i] == '?')) return i;
    }
    return text.size();
  }

  bool parse_item(std::string_view item) {
    if (item.empty()) return false;
    if (is_digit(item[0])) return parse_job(DependencyKind::kAfterAny, item);
    std::string_view bare = item;
    DependencyState state = take_state(bare);
    if (kind_of(bare) == DependencyKind::kSingleton) {
      return add({DependencyKind::kSingleton, 0, kNoValue, 0, state});
    }
    size_t colon = item.find(':');
    auto kind = kind_of(item.substr(0, colon));
    if (!kind || *kind == DependencyKind::kSingleton || colon == item.npos) return false;
    for (std::string_view job : split(item.substr(colon + 1), ':')) {
      if (!parse_job(*kind, job)) return false;
    }
    return true;
  }

  // "12", "12_3", "12_*", "12_[1-3]", each with "+minutes" and a state after it.
  bool parse_job(DependencyKind kind, std::string_view text) {
    Dependency item{.kind = kind, .state = take_state(text)};
    size_t plus = text.find('+');
    if (plus != text.npos) {
      auto minutes = parse_uint(text.substr(plus + 1), UINT32_MAX / 60);
      if (!minutes || *minutes == 0) return false;
      item.delay_minutes = static_cast<uint32_t>(*minutes);
      text = text.substr(0, plus);
    }
    size_t underscore = text.find('_');
    auto id = parse_uint(text.substr(0, underscore), kMaxId);
    if (!id || *id == 0) return false;
    item.job_id = static_cast<uint32_t>(*id);
    if (underscore == text.npos) return add(item);
    return parse_tasks(item, text.substr(underscore + 1));
  }

  bool parse_tasks(Dependency item, std::string_view text) {
    if (text == "*") {
      item.task_id = kInfinite;
      return add(item);
    }
    if (text.starts_with('[')) {
      if (!text.ends_with(']') || text.size() < 3) return false;
      auto tasks = parse_index_set(text.substr(1, text.size() - 2), kMaxId, kMaxItems);
      if (!tasks || tasks->empty()) return false;
      return std::all_of(tasks->begin(), tasks->end(), [&](uint32_t task) {
        item.task_id = task;
        return add(item);
      });
    }
    auto task = parse_uint(text, kMaxId);
    if (!task) return false;
    item.task_id = static_cast<uint32_t>(*task);
    return add(item);
  }

  bool add(const Dependency& item) {
    if (!seen_.emplace(item.kind, item.job_id, item.task_id).second) return true;
    if (list_.items.size() >= kMaxItems) return false;
    list_.items.push_back(item);
    return true;
  }

  DependencyList list_;
  std::set<std::tuple<DependencyKind, uint32_t, uint32_t>> seen_;
};

std::string format_dependency(const Dependency& item) {
  std::string text(name_of(item.kind));
  if (item.kind != DependencyKind::kSingleton) {
    text += fmt::format(":{}", item.job_id);
    if (item.task_id == kInfinite) {
      text += "_*";
    } else if (item.task_id != kNoValue) {
      text += fmt::format("_{}", item.task_id);
    }
    if (item.delay_minutes > 0) text += fmt::format("+{}", item.delay_minutes);
  }
  return text + (item.state == DependencyState::kFailed ? "(failed)" : "(unfulfilled)");
}

}  // namespace

Result<DependencyList> parse_dependencies(std::string_view text) {
  return Parser().parse(text);
}

std::string format_dependencies(const DependencyList& list) {
  std::string text;
  for (const Dependency& item : list.items) {
    if (!text.empty()) text += list.any ? '?' : ',';
    text += format_dependency(item);
  }
  return text;
}

}  // namespace grappe
