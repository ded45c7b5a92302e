// How long the texts of a request may be: what one user sends is kept in memory and on disk, and
// shown to all. The limits are Slurm's.
#pragma once

#include <google/protobuf/message.h>

namespace grappe {

// Every text of a JobSpec or StepSpec (and of what they hold) is within its bounds and without a
// NUL, which would end it early where it becomes a word of a program's arguments.
bool texts_fit(const google::protobuf::Message& message);

}  // namespace grappe
