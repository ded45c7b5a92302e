#include "cli/sreport/table.h"

#include <fmt/core.h>

namespace grappe::sreport {

void append_head(std::string& out, const Session& session, const std::string& title,
                 const std::string& units) {
  if (session.no_header) return;
  const std::string line(80, '-');
  out += line + "\n" + title + "\n" + units + "\n" + line + "\n";
}

int time_width(const Session& session, int width) {
  constexpr int kForPercent = 9;  // "(100.00%)"
  const bool both = has_percent(session.time) && session.time != TimeForm::kPercent;
  return both ? width + kForPercent : width;
}

std::string usage_units(const Session& session, std::string_view of) {
  const bool bare = session.time == TimeForm::kPercent;
  return fmt::format("Usage reported in {}{}", bare ? "" : std::string(of) + " ",
                     time_form_name(session.time));
}

}  // namespace grappe::sreport
