#include "model/mail.h"

#include "base/text.h"

namespace grappe {
namespace {

struct Name {
  std::string_view name;
  uint32_t bits;
};

constexpr uint32_t kAll =
    kMailBegin | kMailEnd | kMailFail | kMailRequeue | kMailStageOut | kMailInvalidDepend;

// Single events in the order that scontrol prints them.
constexpr Name kNames[] = {
    {"ARRAY_TASKS", kMailArrayTasks},
    {"INVALID_DEPEND", kMailInvalidDepend},
    {"BEGIN", kMailBegin},
    {"END", kMailEnd},
    {"FAIL", kMailFail},
    {"REQUEUE", kMailRequeue},
    {"STAGE_OUT", kMailStageOut},
    {"TIME_LIMIT_50", kMailTimeLimit50},
    {"TIME_LIMIT_80", kMailTimeLimit80},
    {"TIME_LIMIT_90", kMailTimeLimit90},
    {"TIME_LIMIT", kMailTimeLimit},
};

std::optional<uint32_t> bits_of(std::string_view word) {
  if (iequals(word, "NONE")) return 0;
  if (iequals(word, "ALL")) return kAll;
  for (const Name& n : kNames) {
    if (iequals(word, n.name)) return n.bits;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint32_t> parse_mail_type(std::string_view text) {
  uint32_t events = 0;
  for (std::string_view word : split(text, ',')) {
    auto bits = bits_of(word);
    if (!bits) return std::nullopt;
    // NONE says that nothing before it counts.
    events = *bits == 0 ? 0 : events | *bits;
  }
  return events;
}

std::string mail_type_text(uint32_t events) {
  if (events == 0) return "NONE";
  std::string out;
  for (const Name& n : kNames) {
    if (!(events & n.bits)) continue;
    if (!out.empty()) out += ',';
    out += n.name;
  }
  return out;
}

}  // namespace grappe
