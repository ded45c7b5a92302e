// One table of sacctmgr: the columns that were asked for, or the list's own, and its rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/sacctmgr/fields.h"
#include "cli/sacctmgr/session.h"

namespace grappe::sacctmgr {

class Listing {
 public:
  // `typed` are the words of format=, `fallback` is a format of the same form. Nothing if a word
  // is no field: then it has been said.
  static std::optional<Listing> make(Session& session, const Names& typed,
                                     std::string_view fallback, bool tree = false);

  template <class Value>
  void row(Value&& value) {
    std::vector<std::string> cells;
    for (F field : fields_) cells.push_back(value(field));
    append_row(cells);
  }
  // Another word above the column of this field.
  void retitle(F field, std::string_view title);
  // What was collected, below its titles.
  std::string text() const;
  void print() { session_.say(text()); }

 private:
  explicit Listing(Session& session) : session_(session) {}
  void append_row(std::vector<std::string>& cells);

  Session& session_;
  std::vector<F> fields_;
  std::vector<ReportColumn> columns_;
  std::string text_;
};

}  // namespace grappe::sacctmgr
