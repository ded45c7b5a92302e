// Memory for the answer to squeue: 10,000 jobs are some ten megabytes, and the kernel would take
// longer to hand them out in small pages than the jobs take to decode.
#pragma once

#include <google/protobuf/arena.h>

namespace grappe {

// Small blocks at first, then ones in huge pages where the kernel grants them.
google::protobuf::ArenaOptions job_arena_options();

}  // namespace grappe
