// Parts of a job's record: its share of each node (-d), its files, and what follows "Power=".
#pragma once

#include "cli/scontrol/record.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe::scontrol {

// "JOB_GRES=gpu:2" and a line "Nodes=node1 CPU_IDs=0-5 Mem=2048 GRES=gpu:1(IDX:0)" for nodes that
// give the same; nothing before the job has started.
void share_lines(Record& record, const v1::JobInfo& job);
void extra_lines(Record& record, const v1::JobInfo& job);
// A file as it was asked for, with the signs in it that Slurm writes out here: %A, %a, %j, %u and
// %x, without a width. The others stay, as does a '\\'. `standard` if none was asked for.
std::string shown_file(const v1::JobInfo& job, std::string_view asked, const std::string& standard);

}  // namespace grappe::scontrol
