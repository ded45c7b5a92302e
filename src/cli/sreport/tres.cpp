#include "cli/sreport/tres.h"

#include <algorithm>
#include <ctime>
#include <set>

#include "base/text.h"
#include "grappe/v1/books.pb.h"
#include "grappe/v1/reports.pb.h"

namespace grappe::sreport {
namespace {

// Those of the books, by their number, and after them what the cluster has beside them.
Result<std::vector<std::string>> known_tres(Calls& calls) {
  v1::BooksRequest request;
  request.set_tres(true);
  auto books = calls.call<v1::BooksResponse>("Books/List", request);
  if (!books) return tl::unexpected<Error>(books.error());
  std::vector<std::string> known;
  for (const v1::Tres& tres : books->tres()) {
    known.push_back(tres.name().empty() ? tres.type() : tres.type() + "/" + tres.name());
  }
  v1::EventsRequest now;
  now.set_cluster_only(true);
  now.set_start_time(std::time(nullptr));
  auto events = calls.call<v1::EventsResponse>("Reports/Events", now);
  if (!events) return known;
  std::set<std::string> more;
  for (const v1::ClusterEvent& event : events->events()) {
    for (const auto& [name, count] : event.tres()) more.insert(name);
  }
  for (const std::string& name : more) {
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  }
  return known;
}

}  // namespace

Status choose_tres(Session& session, const std::string& names) {
  auto found = known_tres(session.calls);
  if (!found) return tl::unexpected<Error>(found.error());
  const std::vector<std::string>& known = *found;
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
