// The database in the long run: old jobs out of it, and copies of the whole.
//
// Any thread but the engine's: it may take minutes.
#pragma once

#include <string>

#include "grappe/v1/books.pb.h"
#include "store/store.h"

namespace grappe::embedded {

Result<v1::ArchiveResponse> archive_jobs(Store& store, const std::string& state_dir,
                                         const std::string& cluster, int64_t now,
                                         const v1::ArchiveRequest& request);
Result<v1::ArchiveResponse> load_archived(Store& store, const v1::LoadArchiveRequest& request);
Result<v1::BackupResponse> back_up(Store& store, const std::string& state_dir, int64_t now,
                                   const v1::BackupRequest& request);

}  // namespace grappe::embedded
