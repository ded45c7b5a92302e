#include "sched/usage.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace grappe::sched {
namespace {

constexpr std::string_view kAssociationRow = "usage.association", kQosRow = "usage.qos",
                           kClockRow = "usage.clock";
constexpr int64_t kNeverDecays = 0;  // in place of the time when a row was true

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

const Use& UsageBook::find(const Shelf& in, uint32_t id) {
  static const Use kNothing;
  const auto found = in.find(id);
  return found == in.end() ? kNothing : found->second;
}

int64_t UsageBook::charged_until(uint32_t job_id, int64_t start) const {
  const auto own = charged_.find(job_id);
  return std::max({start, last_run_, own == charged_.end() ? 0 : own->second});
}

void UsageBook::charge_association(uint32_t id, const Use& use) {
  associations_[id] += use;
  changed_associations_.insert(id);
}

void UsageBook::charge_qos(uint32_t id, const Use& use) {
  qos_[id] += use;
  changed_qos_.insert(id);
}

void UsageBook::note_charged(uint32_t job_id, int64_t until) {
  charged_[job_id] = until;
  clock_changed_ = true;
}

void UsageBook::forget_job(uint32_t job_id) {
  if (charged_.erase(job_id)) clock_changed_ = true;
}

void UsageBook::advance(int64_t now, int64_t half_life_s, const std::set<uint32_t>& lasting_qos) {
  // A clock that was set back stands still until it has caught up.
  const double factor = decay_factor(half_life_s, now - last_run_);
  if (half_life_s != half_life_s_) note_all();
  half_life_s_ = half_life_s;
  for (auto& [id, use] : associations_) decay(use, factor);
  for (auto& [id, use] : qos_) {
    if (!lasting_qos.contains(id)) decay(use, factor);
    if (lasting_qos.contains(id) != lasting_.contains(id)) changed_qos_.insert(id);
  }
  lasting_ = lasting_qos;
  last_run_ = std::max(now, last_run_);
  std::erase_if(charged_, [&](const auto& job) { return job.second <= last_run_; });
}

void UsageBook::take_from_association(uint32_t id, const Use& use) {
  associations_[id] -= use;
  changed_associations_.insert(id);
}

void UsageBook::clear_association(uint32_t id) {
  if (associations_.erase(id)) changed_associations_.insert(id);
}

void UsageBook::clear_qos(uint32_t id) {
  if (qos_.erase(id)) changed_qos_.insert(id);
}

void UsageBook::clear(int64_t now, const std::set<uint32_t>& lasting_qos) {
  note_all();
  associations_.clear();
  std::erase_if(qos_, [&](const auto& use) { return !lasting_qos.contains(use.first); });
  last_reset_ = now;
}

void UsageBook::note_all() {
  for (const auto& [id, use] : associations_) changed_associations_.insert(id);
  for (const auto& [id, use] : qos_) changed_qos_.insert(id);
  clock_changed_ = true;
}

std::string UsageBook::clock_text() const {
  std::string out = std::to_string(last_run_) + " " + std::to_string(last_reset_) + " " +
                    std::to_string(half_life_s_);
  for (const auto& [job, until] : charged_) {
    out += " " + std::to_string(job) + "=" + std::to_string(until);
  }
  return out;
}

void UsageBook::read_clock(std::string_view text) {
  const auto words = split_words(text, " ");
  int64_t* const fields[] = {&last_run_, &last_reset_, &half_life_s_};
  for (size_t i = 0; i < words.size(); ++i) {
    if (i < std::size(fields)) {
      *fields[i] = static_cast<int64_t>(parse_uint(words[i], INT64_MAX).value_or(0));
      continue;
    }
    const size_t equals = words[i].find('=');
    const auto job = parse_uint(words[i].substr(0, equals), UINT32_MAX);
    if (equals == std::string_view::npos || !job) continue;
    charged_[static_cast<uint32_t>(*job)] =
        static_cast<int64_t>(parse_uint(words[i].substr(equals + 1), INT64_MAX).value_or(0));
  }
}

std::vector<UsageBook::Row> UsageBook::take_changes() {
  std::vector<Row> rows;
  auto add = [&](std::string_view kind, uint32_t id, const Shelf& shelf, int64_t at) {
    const auto use = shelf.find(id);
    const bool gone = use == shelf.end();
    rows.push_back({std::string(kind), std::to_string(id),
                    gone ? "" : std::to_string(at) + " " + format_use(use->second)});
  };
  for (uint32_t id : changed_associations_) add(kAssociationRow, id, associations_, last_run_);
  for (uint32_t id : changed_qos_) {
    add(kQosRow, id, qos_, lasting_.contains(id) ? kNeverDecays : last_run_);
  }
  // Nobody need know that time has passed in which nothing was charged.
  if (clock_changed_ || !rows.empty()) {
    rows.push_back({std::string(kClockRow), "clock", clock_text()});
  }
  changed_associations_.clear();
  changed_qos_.clear();
  clock_changed_ = false;
  return rows;
}

bool UsageBook::restore(std::string_view kind, std::string_view name, std::string_view data) {
  if (kind == kClockRow) return read_clock(data), true;
  if (kind != kAssociationRow && kind != kQosRow) return false;
  const auto id = static_cast<uint32_t>(parse_uint(name, UINT32_MAX).value_or(0));
  const size_t blank = std::min(data.find(' '), data.size());
  const auto at = static_cast<int64_t>(parse_uint(data.substr(0, blank), INT64_MAX).value_or(0));
  Use& use = kind == kQosRow ? qos_[id] : associations_[id];
  use = parse_use(data.substr(std::min(blank + 1, data.size())));
  if (kind == kQosRow && at == kNeverDecays) lasting_.insert(id);
  read_.push_back({&use, at});
  return true;
}

void UsageBook::restored() {
  for (const auto& [use, at] : read_) {
    if (at != kNeverDecays) decay(*use, decay_factor(half_life_s_, last_run_ - at));
  }
  read_.clear();
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
