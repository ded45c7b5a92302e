#include "sched/run_history.h"

#include <algorithm>

namespace grappe::sched {
namespace {

constexpr std::size_t kKept = 64;  // runs of a user
constexpr std::size_t kAlike = 2;  // the last so many are the best guide: people repeat themselves

}  // namespace

void RunHistory::add(uint32_t user, Time run, Time limit) {
  std::vector<Run>& runs = users_[user];
  if (runs.size() == 2 * kKept) runs.erase(runs.begin(), runs.begin() + kKept);
  runs.push_back({run, limit});
}

std::span<const RunHistory::Run> RunHistory::recent(uint32_t user) const {
  auto found = users_.find(user);
  if (found == users_.end()) return {};
  std::span<const Run> all(found->second);
  return all.size() > kKept ? all.subspan(all.size() - kKept) : all;
}

Time RunHistory::expected(uint32_t user, Time limit) const {
  std::span<const Run> runs = recent(user);
  if (runs.empty()) return limit;
  Time sum = 0;
  std::size_t alike = 0;
  for (std::size_t i = runs.size(); i-- > 0 && alike < kAlike;) {
    if (runs[i].limit != limit) continue;
    sum += runs[i].run;
    ++alike;
  }
  if (alike) return std::min(limit, sum / static_cast<Time>(alike));
  double part = 0;
  std::span<const Run> last = runs.last(std::min(runs.size(), kAlike));
  for (const Run& r : last)
    part += static_cast<double>(r.run) / static_cast<double>(std::max<Time>(r.limit, 1));
  return std::min(limit, static_cast<Time>(part / static_cast<double>(last.size()) *
                                           static_cast<double>(limit)));
}

}  // namespace grappe::sched
