// The SQL side of store/archive.h. Both throw what SOCI throws.
#pragma once

#include "store/archive.h"

namespace soci {
class session;
}

namespace grappe::sql {

// First the files, complete and on disk, then the removal, a few rows at a time: a commit of the
// service never waits long, and a kill in between leaves rows that are in the file too.
Result<ArchiveCounts> archive(soci::session& session, const ArchiveWish& wish);

// All rows of the file or none: one that is there already is a failure.
Result<ArchiveCounts> load_archive(soci::session& session, const std::string& file);

}  // namespace grappe::sql
