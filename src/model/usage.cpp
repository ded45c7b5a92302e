#include "model/usage.h"

#include <algorithm>

#include "base/text.h"
#include "model/node_state.h"
#include "model/reservation_flags.h"

namespace grappe {
namespace {

struct Piece {
  int64_t start, end;
};

uint64_t length(int64_t start, int64_t end) {
  return end > start ? static_cast<uint64_t>(end - start) : 0;
}

// Takes what lies in [start, end) out of `pieces` and gives it back.
std::vector<Piece> cut_out(std::vector<Piece>& pieces, int64_t start, int64_t end) {
  std::vector<Piece> inside, left;
  for (const Piece& piece : pieces) {
    const Piece common{std::max(piece.start, start), std::min(piece.end, end)};
    if (common.start >= common.end) {
      left.push_back(piece);
      continue;
    }
    inside.push_back(common);
    if (piece.start < common.start) left.push_back({piece.start, common.start});
    if (common.end < piece.end) left.push_back({common.end, piece.end});
  }
  pieces = std::move(left);
  return inside;
}

// No more than there was: first what was allocated, then what was down, then the rest.
ClusterUse within(uint64_t total, ClusterUse use) {
  uint64_t left = total;
  auto take = [&left](uint64_t& seconds) {
    seconds = std::min(seconds, left);
    left -= seconds;
  };
  take(use.allocated);
  take(use.down);
  take(use.planned_down);
  const uint64_t wanted = use.planned;
  take(use.planned);
  use.overcommitted = wanted - use.planned;
  use.idle = left;
  return use;
}

}  // namespace

std::string format_tres_counts(const TresCounts& counts) {
  std::string out;
  for (const auto& [name, count] : counts) {
    out += (out.empty() ? "" : ",") + name + "=" + std::to_string(count);
  }
  return out;
}

TresCounts parse_tres_counts(std::string_view text) {
  TresCounts counts;
  for (std::string_view word : split_words(text, ",")) {
    const size_t sign = word.rfind('=');
    if (sign == std::string_view::npos) continue;
    if (auto count = parse_uint(word.substr(sign + 1))) {
      counts[std::string(word.substr(0, sign))] = *count;
    }
  }
  return counts;
}

ClusterUse& ClusterUse::operator+=(const ClusterUse& other) {
  amount = std::max(amount, other.amount);
  allocated += other.allocated;
  down += other.down;
  planned_down += other.planned_down;
  idle += other.idle;
  planned += other.planned;
  overcommitted += other.overcommitted;
  return *this;
}

UsageSums& UsageSums::operator+=(const UsageSums& other) {
  for (const auto& [id, tres] : other.by_association) {
    for (const auto& [name, seconds] : tres) by_association[id][name] += seconds;
  }
  for (const auto& [key, tres] : other.by_wckey) {
    for (const auto& [name, seconds] : tres) by_wckey[key][name] += seconds;
  }
  for (const auto& [name, use] : other.cluster) cluster[name] += use;
  return *this;
}

UsageSpans::UsageSpans(std::vector<int64_t> bounds)
    : bounds_(std::move(bounds)), spans_(bounds_.empty() ? 0 : bounds_.size() - 1) {}

template <class Visit>
void UsageSpans::each_span(int64_t start, int64_t end, Visit visit) {
  const auto after = std::upper_bound(bounds_.begin(), bounds_.end(), start);
  size_t i = after == bounds_.begin() ? 0 : static_cast<size_t>(after - bounds_.begin()) - 1;
  for (; i < spans_.size() && bounds_[i] < end; ++i) {
    const uint64_t seconds = length(std::max(start, bounds_[i]), std::min(end, bounds_[i + 1]));
    if (seconds) visit(spans_[i], seconds);
  }
}

void UsageSpans::add(const NodeEvent& event) {
  const int64_t end = event.end ? event.end : INT64_MAX;
  const bool planned = node_base(event.state) == NodeBase::kFuture;
  each_span(event.start, end, [&](Span& span, uint64_t seconds) {
    for (const auto& [name, count] : event.tres) {
      Capacity& capacity = span.cluster[name];
      if (event.node.empty()) {
        capacity.total += seconds * count;
        capacity.use.amount = std::max(capacity.use.amount, count);
      } else {
        (planned ? capacity.use.planned_down : capacity.use.down) += seconds * count;
      }
    }
  });
}

void UsageSpans::add(const ReservationWindow& window) {
  if (window.flags & kResvIgnoreJobs) return;
  each_span(window.start, window.end, [&](Span& span, uint64_t seconds) {
    for (const auto& [name, count] : window.tres) {
      ClusterUse& use = span.cluster[name].use;
      (window.flags & kResvMaint ? use.planned_down : use.allocated) += seconds * count;
    }
  });
  windows_.push_back(window);
}

void UsageSpans::add(const UsageJob& job) {
  const int64_t end = job.end ? job.end : INT64_MAX;
  if (job.start && job.shares.empty()) add_use(job, job.start, end, job.tres);
  for (size_t i = 0; job.start && i < job.shares.size(); ++i) {
    const int64_t until = i + 1 < job.shares.size() ? job.shares[i + 1].since : end;
    add_use(job, std::max(job.shares[i].since, job.start), std::min(until, end),
            job.shares[i].tres);
  }
  if (!job.eligible) return;
  const int64_t waited_until = job.start ? job.start : end;
  each_span(job.eligible, waited_until, [&](Span& span, uint64_t seconds) {
    span.cluster["cpu"].use.planned += seconds * job.asked_cpus * job.waiting;
  });
}

void UsageSpans::add_use(const UsageJob& job, int64_t start, int64_t end, const TresCounts& tres) {
  if (start >= end || tres.empty()) return;
  each_span(start, end, [&](Span& span, uint64_t seconds) {
    for (const auto& [name, count] : tres) {
      if (!count) continue;
      span.sums.by_association[job.assoc_id][name] += seconds * count;
      if (!job.wckey.empty()) {
        span.sums.by_wckey[{job.wckey, job.user}][name] += seconds * count;
      }
    }
  });
  add_cluster_use(job, start, end, tres);
}

// What a job has of its reservation is allocated already.
void UsageSpans::add_cluster_use(const UsageJob& job, int64_t start, int64_t end,
                                 const TresCounts& tres) {
  auto add_to_cluster = [&](const Piece& piece, const TresCounts& reserved) {
    each_span(piece.start, piece.end, [&](Span& span, uint64_t seconds) {
      for (const auto& [name, count] : tres) {
        if (!reserved.contains(name)) span.cluster[name].use.allocated += seconds * count;
      }
    });
  };
  std::vector<Piece> outside{{start, end}};
  for (std::string_view name : split_words(job.reservations, ",")) {
    for (size_t i = 0; i < windows_.size(); ++i) {
      if (windows_[i].name != name) continue;
      for (const Piece& piece : cut_out(outside, windows_[i].start, windows_[i].end)) {
        add_to_cluster(piece, windows_[i].tres);
        each_span(piece.start, piece.end, [&](Span& span, uint64_t seconds) {
          TresCounts& used = span.used_of_window[i];
          for (const auto& [tres_name, count] : tres) used[tres_name] += seconds * count;
        });
      }
    }
  }
  for (const Piece& piece : outside) add_to_cluster(piece, {});
}

void UsageSpans::share_out_idle(size_t at) {
  const ReservationWindow& window = windows_[at];
  if (window.associations.empty()) return;
  each_span(window.start, window.end, [&](Span& span, uint64_t seconds) {
    const TresCounts& used = span.used_of_window[at];
    for (const auto& [name, count] : window.tres) {
      const auto found = used.find(name);
      const uint64_t busy = found == used.end() ? 0 : found->second;
      const uint64_t idle = seconds * count - std::min(busy, seconds * count);
      const uint64_t each = idle / window.associations.size();
      if (!each) continue;
      for (uint32_t id : window.associations) span.sums.by_association[id][name] += each;
    }
  });
}

std::vector<UsageSums> UsageSpans::finish() {
  for (size_t i = 0; i < windows_.size(); ++i) share_out_idle(i);
  std::vector<UsageSums> out;
  for (Span& span : spans_) {
    for (const auto& [name, capacity] : span.cluster) {
      if (capacity.total) span.sums.cluster[name] = within(capacity.total, capacity.use);
    }
    out.push_back(std::move(span.sums));
  }
  return out;
}

}  // namespace grappe
