#include "cli/scontrol/record.h"

#include "base/datetime.h"
#include "base/plain_text.h"
#include "base/text.h"

namespace grappe::scontrol {

void Record::line(std::string text) {
  hide_control_characters(text);
  lines_.push_back(std::move(text));
}

std::string Record::text(const Style& style) const {
  return join(lines_, style.one_line ? " " : "\n   ") + (style.one_line ? "\n" : "\n\n");
}

std::string_view or_null(std::string_view text) {
  return text.empty() ? "(null)" : text;
}

std::string moment(const Style& style, int64_t time, std::string_view absent) {
  if (time == 0) return std::string(absent);
  return format_datetime(time, style.time_format, style.now);
}

}  // namespace grappe::scontrol
