// What the sub-commands of sacctmgr share: the options, the service, and how they answer.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/calls.h"
#include "cli/format/report_table.h"
#include "cli/sacctmgr/words.h"
#include "grappe/v1/books.pb.h"

namespace grappe::sacctmgr {

// What is asked of the books, in one request.
enum Kind : unsigned {
  kAccounts = 1,
  kUsers = 2,
  kAssociations = 4,
  kQos = 8,
  kClusters = 16,
  kTres = 32,
  kWckeys = 64,
  kResources = 128,
  kEverything = 255,
};

struct Session {
  explicit Session(Calls& service) : calls(service) {}

  Calls& calls;
  bool associations = false;  // -s: as if withassoc was typed
  bool immediate = false;     // -i
  bool no_header = false;
  bool quiet = false;
  bool readonly = false;
  int verbosity = 0;
  ReportStyle style;

  bool ended = false;       // exit, quit
  int exit_code = 0;        // 1 once anything failed
  unsigned complaints = 0;  // how many there were: a line with one is not carried out

  // Who decides when a change is to be confirmed: the terminal, unless a test stands there.
  std::function<bool(std::string_view question)> ask;

  // To standard output.
  void say(std::string_view text) const;
  // Lines on standard error; the program's exit code becomes 1.
  void complain(std::string_view text);
  // " Nothing modified": a line on standard output that is a failure all the same.
  void fail(std::string_view text);
  // "sacctmgr: ..." on standard error, unless quiet.
  void info(std::string_view text) const;
  // "sacctmgr: error: ...", with the exit code 1.
  void error(std::string_view text);
  // Yes at once with -i, else as it is answered within half a minute.
  bool confirm(std::string_view question);
  // The records of these kinds. What goes wrong has been said.
  std::optional<v1::BooksResponse> books(unsigned kinds, bool deleted = false);
};

}  // namespace grappe::sacctmgr
