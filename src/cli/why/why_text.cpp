#include "cli/why/why_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/datetime.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "cli/why/phrases.h"
#include "model/job_state.h"

namespace grappe {
namespace {

constexpr int kMostNodes = 4;
constexpr int kMostEnds = 3;

class Teller {
 public:
  Teller(const v1::WhyResponse& why, Language language) : why_(why), language_(language) {}

  std::string tell() {
    const JobState state = base_state(why_.job().state());
    if (state != JobState::kPending) return tell_not_waiting(state);
    line(say(Phrase::kWaits, id(), why_.job().name(), why_.reason()));
    tell_reason();
    if (why_.planned()) {
      // Whom only limits keep, waits neither for others nor for nodes.
      if (!only_limits()) {
        tell_ahead();
        tell_nodes();
      }
      tell_start();
      tell_remedies();
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  std::string say(Phrase which, const Args&... args) const {
    return fmt::format(fmt::runtime(phrase(which, language_)), args...);
  }
  std::string and_more(int64_t count) const {
    return count == 1 ? say(Phrase::kAndOneMore) : say(Phrase::kAndMore, count);
  }
  void line(const std::string& text) { out_ += text + "\n"; }
  void indented(const std::string& text) { out_ += "  " + text + "\n"; }

  std::string id() const {
    const v1::JobInfo& job = why_.job();
    if (!job.array_job_id()) return std::to_string(job.job_id());
    return job.has_array_task_id() ? fmt::format("{}_{}", job.array_job_id(), job.array_task_id())
                                   : std::to_string(job.array_job_id());
  }

  std::string tell_not_waiting(JobState state) {
    if (!is_finished(state)) return say(Phrase::kRuns, id(), why_.job().name()) + "\n";
    return say(Phrase::kIsOver, id(), why_.job().name(),
               job_state_name(static_cast<uint32_t>(state))) +
           "\n";
  }

  void tell_reason() {
    const std::string_view meaning = reason_meaning(why_.reason(), language_);
    const bool limit = why_.reason().starts_with("QOS") || why_.reason().starts_with("Assoc");
    if (why_.partitions_size() > 1) {
      tell_partitions();
    } else if (why_.partitions_size() == 1 && why_.partitions(0).has_limit()) {
      tell_limit(why_.partitions(0).limit(), "  ");
    } else if (limit) {
      indented(say(Phrase::kLimitAdvice, why_.reason()));
    } else if (!meaning.empty()) {
      indented(std::string(meaning));
    }
    if (!why_.detail().empty()) indented(why_.detail());
    if (why_.reason() == "Dependency") indented(why_.job().dependency());
    if (why_.reason() == "BeginTime") indented(moment(why_.job().start_time()));
    if (why_.reason() == "Reservation" && why_.expected_start()) {
      indented(say(Phrase::kReservationBegins, why_.job().resv_name(),
                   moment(why_.expected_start()), from_now(why_.expected_start())));
    }
  }

  bool only_limits() const {
    return !why_.partitions().empty() &&
           std::all_of(why_.partitions().begin(), why_.partitions().end(),
                       [](const v1::PartitionReason& row) { return row.has_limit(); });
  }

  // Only limits keep it, and when they let it go was said with them.
  bool limits_say_when() const {
    return only_limits() &&
           std::any_of(why_.partitions().begin(), why_.partitions().end(),
                       [](const v1::PartitionReason& row) { return row.limit().frees_at() != 0; });
  }

  void tell_partitions() {
    for (const v1::PartitionReason& row : why_.partitions()) {
      const std::string_view meaning = reason_meaning(row.reason(), language_);
      std::string text = say(Phrase::kInPartition, row.partition(), row.reason());
      if (!meaning.empty()) text += fmt::format(". {}", meaning);
      indented(text);
      if (row.has_limit()) tell_limit(row.limit(), "    ");
    }
  }

  std::string owner(const v1::BrokenLimit& limit) const {
    if (limit.qos().empty()) {
      return limit.user().empty() ? say(Phrase::kOfAccount, limit.account())
                                  : say(Phrase::kOfUser, limit.user(), limit.account());
    }
    const std::string qos =
        say(limit.of_partition() ? Phrase::kOfPartition : Phrase::kOfQos, limit.qos());
    if (!limit.user().empty()) return say(Phrase::kEachUser, qos, limit.user());
    if (!limit.account().empty()) return say(Phrase::kEachAccount, qos, limit.account());
    return qos;
  }

  // How much of what the limit is about.
  std::string amount(const v1::BrokenLimit& limit, uint64_t value) const {
    if (limit.name() == "UsageThreshold") {
      return fmt::format("{:.3f}", static_cast<double>(value) / 1e6);
    }
    if (limit.name().ends_with("Wall")) return fmt::format("{} min", value);
    if (limit.name().ends_with("Mins")) return fmt::format("{} {}-min", value, limit.tres());
    if (limit.tres() == "mem") return memory(value);
    return limit.tres().empty() ? std::to_string(value) : fmt::format("{} {}", value, limit.tres());
  }

  void tell_limit(const v1::BrokenLimit& limit, std::string_view indent) {
    const auto tell = [&](const std::string& text) { out_ += fmt::format("{}{}\n", indent, text); };
    const std::string is = fmt::format("{}={}", limit.name(), amount(limit, limit.limit()));
    tell(say(Phrase::kLimit, is, owner(limit)));
    const std::string asked = amount(limit, limit.asked()), used = amount(limit, limit.used());
    const bool decays = limit.name() == "GrpTRESMins" || limit.name() == "GrpWall";
    if (limit.name() == "UsageThreshold") return tell(say(Phrase::kHasShare, used));
    if (limit.name() == "MinTRES") return tell(say(Phrase::kAtLeast, asked));
    if (limit.never() && limit.limit()) return tell(say(Phrase::kAlone, asked));
    if (decays) {
      tell(say(Phrase::kUsedSoFar, used, asked));
    } else if (limit.job_count() == 1) {
      tell(say(Phrase::kInUseOne, used, asked));
    } else {
      tell(say(Phrase::kInUse, used, limit.job_count(), asked));
    }
    if (limit.jobs_size()) tell(say(Phrase::kTakers, takers(limit)));
    if (!limit.frees_at()) return tell(say(Phrase::kStaysTaken));
    tell(say(decays ? Phrase::kDecays : Phrase::kFrees, moment(limit.frees_at()),
             from_now(limit.frees_at())));
  }

  std::string takers(const v1::BrokenLimit& limit) const {
    std::vector<std::string> jobs;
    for (const v1::CountedJob& job : limit.jobs()) {
      jobs.push_back(say(Phrase::kTaker, job.job_id(), job.user(), amount(limit, job.amount()),
                         moment(job.end_time())));
    }
    const uint32_t unnamed = limit.job_count() - static_cast<uint32_t>(jobs.size());
    if (unnamed) jobs.push_back(and_more(unnamed));
    return join(jobs, ", ");
  }

  void tell_ahead() {
    if (why_.fits_now() && why_.ahead_count()) indented(say(Phrase::kFitsNow));
    if (!why_.ahead_count()) return;
    std::vector<std::string> jobs;
    for (const v1::AheadJob& job : why_.ahead()) {
      jobs.push_back(say(Phrase::kAheadJob, job.job_id(), job.user(), job.priority()));
    }
    const uint32_t unnamed = why_.ahead_count() - static_cast<uint32_t>(jobs.size());
    if (unnamed && jobs.empty()) {
      jobs.push_back(say(Phrase::kSomebody));
    } else if (unnamed) {
      jobs.push_back(and_more(unnamed));
    }
    indented(why_.ahead_count() == 1 ? say(Phrase::kAheadOne, join(jobs, ", "))
                                     : say(Phrase::kAhead, why_.ahead_count(), join(jobs, ", ")));
  }

  std::string amount(const v1::Supply& supply, uint64_t value) const {
    return supply.what() == "mem" ? memory(value) : std::to_string(value);
  }
  static std::string memory(uint64_t mb) {
    return mb >= 1024 ? fmt::format("{:.3g}G", static_cast<double>(mb) / 1024)
                      : fmt::format("{}M", mb);
  }
  std::string name(const v1::Supply& supply) const {
    if (supply.what() == "cpu") return say(Phrase::kCpus);
    if (supply.what() == "mem") return say(Phrase::kMemory);
    return supply.what();
  }

  void tell_node(const v1::NodeSupply& node) {
    if (!node.available()) return indented(say(Phrase::kUnavailable, node.node()));
    std::vector<std::string> free, short_of;
    for (const v1::Supply& supply : node.supplies()) {
      free.push_back(say(Phrase::kFreeOf, amount(supply, supply.free()),
                         amount(supply, supply.total()), name(supply)));
      if (supply.is_short()) short_of.push_back(name(supply));
    }
    std::string text = say(Phrase::kFree, node.node(), join(free, ", "));
    if (!short_of.empty()) text += say(Phrase::kTooLittle, join(short_of, ", "));
    indented(text);
  }

  void tell_nodes() {
    const int shown = std::min(why_.nodes_size(), kMostNodes);
    for (int i = 0; i < shown; ++i) tell_node(why_.nodes(i));
    for (const v1::ReservedNodes& row : why_.reserved()) {
      const std::string end = row.end_time() ? moment(row.end_time()) : "...";
      indented(
          say(Phrase::kReserved, row.reservation(), row.nodes(), moment(row.start_time()), end));
    }
    if (why_.nodes_size() > shown) indented(and_more(why_.nodes_size() - shown));
  }

  std::string moment(int64_t time) const { return format_datetime(time, "", why_.now()); }

  std::string from_now(int64_t time) const {
    return grappe::from_now(time - why_.now(), language_);
  }

  void tell_start() {
    if (!why_.expected_start()) {
      if (!limits_say_when()) indented(say(Phrase::kNotInSight));
      return;
    }
    std::vector<std::string> nodes(why_.expected_nodes().begin(), why_.expected_nodes().end());
    indented(say(Phrase::kExpected, moment(why_.expected_start()), from_now(why_.expected_start()),
                 fold_hostlist(nodes)));
    std::vector<std::string> ends;
    for (const v1::EndingJob& job : why_.waits_for()) {
      if (static_cast<int>(ends.size()) == kMostEnds) {
        ends.push_back(and_more(why_.waits_for_size() - kMostEnds));
        break;
      }
      ends.push_back(fmt::format("{} ({}, {})", job.job_id(), job.user(), moment(job.end_time())));
    }
    if (!ends.empty()) indented(say(Phrase::kAfterEnd, join(ends, ", ")));
    if (why_.may_be_passed()) indented(say(Phrase::kMayBePassed));
  }

  void tell_remedies() {
    if (why_.remedies().empty()) return line(say(Phrase::kNoRemedy));
    line(say(Phrase::kSooner));
    size_t widest = 0;
    std::vector<std::string> options;
    for (const v1::Remedy& remedy : why_.remedies()) {
      options.push_back(remedy.drop() ? say(Phrase::kWithout, remedy.option()) : remedy.option());
      widest = std::max(widest, options.back().size());
    }
    for (int i = 0; i < why_.remedies_size(); ++i) {
      indented(fmt::format("{:<{}}  {}", options[static_cast<size_t>(i)], widest,
                           say(Phrase::kStarts, from_now(why_.remedies(i).start_time()))));
    }
  }

  const v1::WhyResponse& why_;
  Language language_;
  std::string out_;
};

}  // namespace

Language language_of(std::string_view locale) {
  const bool french = locale == "fr" || locale.starts_with("fr_") || locale.starts_with("fr.");
  return french ? Language::kFrench : Language::kEnglish;
}

Language language_for(std::string_view chosen) {
  if (!chosen.empty()) return language_of(chosen);
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value && *value) return language_of(value);
  }
  return Language::kEnglish;
}

std::string from_now(int64_t seconds, Language language) {
  if (seconds <= 0) return std::string(phrase(Phrase::kNow, language));
  const std::string span = seconds < 90      ? fmt::format("{} s", seconds)
                           : seconds < 5400  ? fmt::format("{} min", (seconds + 30) / 60)
                           : seconds < 86400 ? fmt::format("{:.1f} h", double(seconds) / 3600)
                           : language == Language::kFrench
                               ? fmt::format("{:.1f} jours", double(seconds) / 86400)
                               : fmt::format("{:.1f} days", double(seconds) / 86400);
  return fmt::format(fmt::runtime(phrase(Phrase::kInAbout, language)), span);
}

std::string why_text(const v1::WhyResponse& why, Language language) {
  return Teller(why, language).tell();
}

}  // namespace grappe
