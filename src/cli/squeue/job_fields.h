// Everything squeue can show of a job: the letters of -o and the names of -O in one table.
#pragma once

#include <span>

#include "cli/format/field.h"
#include "cli/squeue/job_row.h"

namespace grappe {

using JobField = Field<JobRow, JobContext>;
using JobTable = Table<JobRow, JobContext>;

// Field::needs: the value is not in the brief view of a job.
inline constexpr unsigned kNeedsFullJob = 1;

std::span<const JobField> job_fields();

inline constexpr std::string_view kJobFormat = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
inline constexpr std::string_view kJobLongFormat = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
inline constexpr std::string_view kJobStartFormat = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";
// What "%all" stands for.
inline constexpr std::string_view kJobAllFormat =
    "%a|%b|%c|%d|%e|%f|%g|%h|%i|%j|%k|%l|%m|%n|%o|%p|%q|%r|%s|%t|%u|%v|%w|%x|%y|%z|"
    "%A|%B|%C|%D|%E|%F|%G|%H|%I|%J|%K|%L|%M|%N|%O|%P|%Q|%R|%S|%T|%U|%V|%W|%X|%Y|%Z";

}  // namespace grappe
