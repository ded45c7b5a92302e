// How a step ended, on disk: what survives the death of the launcher and of grapped.
//
// The launcher creates the file empty before the shepherd exists. The shepherd marks it as begun
// before the first task is made, and writes the end with a single write that carries a checksum,
// so that a reader finds all of it or none. Only kills of processes have to be survived, not a
// power cut: the processes would be gone too.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "exec/executor.h"

namespace grappe::exec {

struct ExitRecord {
  bool begun = false;
  pid_t shepherd = 0;
  int64_t start_time = 0;
  bool complete = false;
  StepEnded ended;  // if complete
};

// Takes the room that the end of a step of `tasks` needs at once: a disk that fills up meanwhile
// must not cost an exit code.
Status write_begun(int fd, pid_t shepherd, int64_t start_time, size_t tasks);
Status write_ended(int fd, const StepEnded& ended);

// Whatever the bytes are, this only says what can be trusted.
ExitRecord read_exit_record(const std::string& bytes);

}  // namespace grappe::exec
