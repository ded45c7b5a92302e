// Brings a database to the schema of this program, one numbered step after the other.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace soci {
class session;
}

namespace grappe::sql {

// The files of store/migrations, in order; the build puts them into the program.
struct Migration {
  int number;
  const char* name;
  const char* text;
};
const std::vector<Migration>& migrations();

// Each migration is one transaction with the version it leads to. A database that is newer than
// the program is refused: an old program must not write what it does not understand.
Status migrate(soci::session& session);

}  // namespace grappe::sql
