// The priority of pending jobs.
#pragma once

#include "model/job.h"

namespace grappe::embedded {

// Of a job that has just been submitted.
void set_first_priority(Job& job);

}  // namespace grappe::embedded
