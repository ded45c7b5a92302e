#include "cli/sreport/tres.h"

#include <algorithm>

#include "base/text.h"
#include "grappe/v1/books.pb.h"

namespace grappe::sreport {

Status choose_tres(Session& session, const std::string& names) {
  v1::BooksRequest request;
  request.set_tres(true);
  auto books = session.calls.call<v1::BooksResponse>("Books/List", request);
  if (!books) return tl::unexpected<Error>(books.error());
  std::vector<std::string> known;
  for (const v1::Tres& tres : books->tres()) {
    known.push_back(tres.name().empty() ? tres.type() : tres.type() + "/" + tres.name());
  }
  session.tres_given = true;
  session.tres.clear();
  session.all_tres = iequals(names, "ALL");
  if (session.all_tres) {
    session.tres = known;
    return {};
  }
  for (std::string_view word : split_words(names, ",")) {
    for (const std::string& name : known) {
      if (iequals(name, word)) session.tres.push_back(name);
    }
  }
  if (session.tres.empty()) return fail("No valid TRES given");
  const bool node =
      std::find(session.tres.begin(), session.tres.end(), "node") != session.tres.end();
  if (node && has_percent(session.time)) {
    return fail(
        "TRES node usage is no longer reported in percent format reports.  Please use TRES CPU "
        "instead.");
  }
  return {};
}

}  // namespace grappe::sreport
