// sacct --json: the jobs and steps as Slurm's OpenAPI plugin for its database writes them.
#pragma once

#include <string>

#include "cli/sacct/record_ids.h"
#include "grappe/v1/books.pb.h"
#include "grappe/v1/history.pb.h"

namespace grappe {

// `books` says which number each kind of resource has.
void append_history_json(std::string& out, const v1::HistoryResponse& history,
                         const v1::BooksResponse& books, const RecordIds& numbers);

}  // namespace grappe
