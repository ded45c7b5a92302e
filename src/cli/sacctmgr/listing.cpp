#include "cli/sacctmgr/listing.h"

#include <fmt/core.h>

#include "base/plain_text.h"
#include "base/text.h"
#include "cli/report.h"

namespace grappe::sacctmgr {
namespace {

constexpr int kTreeWidth = -20;  // room for the indentation

}  // namespace

std::optional<Listing> Listing::make(Session& session, const Names& typed,
                                     std::string_view fallback, bool tree) {
  Listing listing(session);
  const std::string format = typed.empty() ? std::string(fallback) : join(typed, ",");
  for (const ReportWord& word : parse_report_format(format)) {
    const FieldName* found = find_field(word.name);
    if (!found) {
      session.complain(fmt::format("Unknown field '{}'\n", word.name));
      const std::vector<std::string_view> names = field_names();
      suggest(word.name, names);
      return std::nullopt;
    }
    const bool indented = tree && found->field == F::kAccount;
    const int own = indented ? kTreeWidth : found->width;
    listing.fields_.push_back(found->field);
    listing.columns_.push_back({std::string(found->title), word.width_or(own)});
  }
  return listing;
}

void Listing::retitle(F field, std::string_view title) {
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i] == field) columns_[i].title = title;
  }
}

void Listing::append_row(std::vector<std::string>& cells) {
  for (std::string& cell : cells) hide_control_characters(cell);
  append_report_row(text_, columns_, cells, session_.style);
}

std::string Listing::text() const {
  std::string titles;
  if (!session_.no_header) append_report_titles(titles, columns_, session_.style);
  return titles + text_;
}

}  // namespace grappe::sacctmgr
