#include "cli/when/when_text.h"

#include <fmt/core.h>

#include "base/datetime.h"
#include "cli/why/phrases.h"
#include "model/job_state.h"

namespace grappe {
namespace {

// As many as say something.
constexpr uint64_t kEnoughScored = 20;

struct WhenWords {
  std::string_view this_job;    // of a script
  std::string_view job;         // number, name
  std::string_view starts;      // who, when, from now
  std::string_view starts_now;  // who
  std::string_view bound;       // when, from now
  std::string_view planned;     // when, from now
  std::string_view way;         // futures
  std::string_view runs;        // number
  std::string_view new_user;
  std::string_view scored;  // number, part
  std::string_view unknown;
  std::string_view never;
};

constexpr WhenWords kEnglishWords = {
    "This job",
    "Job {} ({})",
    "{} will probably start at {} ({}).",
    "{} will probably start now.",
    "Nine of ten such jobs start until {} ({}).",
    "If every job ran until its limit and nobody came, it would start at {} ({}).",
    "The queue was run {} times into the future; ",
    "{} earlier runs say how long this user's jobs take.",
    "nothing is known yet of how long this user's jobs take.",
    "Of the {} forecasts that have come due here, {:.0f} % kept their bound.",
    "There is no forecast: it does not wait for the machine alone.",
    "There is no forecast: it starts in none of the futures that were tried.",
};

constexpr WhenWords kFrenchWords = {
    "Ce job",
    "Le job {} ({})",
    "{} commencera probablement à {} ({}).",
    "{} commencera probablement tout de suite.",
    "Neuf sur dix de ces jobs commencent avant {} ({}).",
    "Si chaque job durait jusqu'à sa limite et que personne n'arrivait, il commencerait à {} ({}).",
    "La file a été déroulée {} fois dans le futur ; ",
    "{} exécutions passées disent combien durent les jobs de cette personne.",
    "rien n'est encore connu de la durée des jobs de cette personne.",
    "Des {} prévisions échues ici, {:.0f} % ont tenu leur borne.",
    "Pas de prévision : il n'attend pas que la machine.",
    "Pas de prévision : il ne commence dans aucun des futurs essayés.",
};

class WhenTeller {
 public:
  WhenTeller(const v1::WhenResponse& when, Language language)
      : when_(when),
        language_(language),
        words_(language == Language::kFrench ? kFrenchWords : kEnglishWords) {}

  std::string tell() {
    if (when_.has_job() && base_state(when_.job().state()) != JobState::kPending) {
      return tell_not_waiting();
    }
    if (!when_.reason().empty()) tell_reason();
    if (when_.known()) {
      tell_forecast();
    } else {
      line(std::string(when_.futures() ? words_.never : words_.unknown));
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  static std::string say(std::string_view text, const Args&... args) {
    return fmt::format(fmt::runtime(text), args...);
  }
  void line(const std::string& text) { out_ += text + "\n"; }

  std::string id() const {
    const v1::JobInfo& job = when_.job();
    if (!job.array_job_id()) return std::to_string(job.job_id());
    return job.has_array_task_id() ? fmt::format("{}_{}", job.array_job_id(), job.array_task_id())
                                   : std::to_string(job.array_job_id());
  }
  std::string who() const {
    return when_.has_job() ? say(words_.job, id(), when_.job().name())
                           : std::string(words_.this_job);
  }
  std::string moment(int64_t time) const { return format_datetime(time, "", when_.now()); }
  std::string span(int64_t time) const { return from_now(time - when_.now(), language_); }

  std::string tell_not_waiting() {
    const JobState state = base_state(when_.job().state());
    if (!is_finished(state)) {
      return say(phrase(Phrase::kRuns, language_), id(), when_.job().name()) + "\n";
    }
    return say(phrase(Phrase::kIsOver, language_), id(), when_.job().name(),
               job_state_name(static_cast<uint32_t>(state))) +
           "\n";
  }

  void tell_reason() {
    if (when_.has_job()) {
      line(say(phrase(Phrase::kWaits, language_), id(), when_.job().name(), when_.reason()));
    }
    const std::string_view meaning = reason_meaning(when_.reason(), language_);
    if (!meaning.empty()) line("  " + std::string(meaning));
  }

  void tell_forecast() {
    const bool now = when_.median() <= when_.now();
    line(now ? say(words_.starts_now, who())
             : say(words_.starts, who(), moment(when_.median()), span(when_.median())));
    if (!now || when_.bound() > when_.now()) {
      line("  " + say(words_.bound, moment(when_.bound()), span(when_.bound())));
    }
    if (when_.planned_start() > when_.now()) {
      line("  " + say(words_.planned, moment(when_.planned_start()), span(when_.planned_start())));
    }
    line("  " + say(words_.way, when_.futures()) +
         (when_.runs() ? say(words_.runs, when_.runs()) : std::string(words_.new_user)));
    if (when_.scored() >= kEnoughScored) {
      line("  " + say(words_.scored, when_.scored(), 100 * when_.covered()));
    }
  }

  const v1::WhenResponse& when_;
  Language language_;
  const WhenWords& words_;
  std::string out_;
};

}  // namespace

std::string when_text(const v1::WhenResponse& when, Language language) {
  return WhenTeller(when, language).tell();
}

}  // namespace grappe
