// The lines of a job that are only there sometimes: its share of each node (-d), and what follows
// "Power=".
#pragma once

#include "cli/scontrol/record.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe::scontrol {

// "JOB_GRES=gpu:2" and a line "Nodes=node1 CPU_IDs=0-5 Mem=2048 GRES=gpu:1(IDX:0)" for nodes that
// give the same; nothing before the job has started.
void share_lines(Record& record, const v1::JobInfo& job);
void extra_lines(Record& record, const v1::JobInfo& job);

}  // namespace grappe::scontrol
