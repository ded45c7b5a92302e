// The values of squeue's fields that take more than naming a member: used by job_fields.cpp.
#pragma once

#include <string>

#include "cli/squeue/job_row.h"

namespace grappe::job_values {

void number(std::string& out, uint64_t value);
void text_or(std::string& out, std::string_view text, std::string_view if_empty);
// "(null)" for an empty text: what Slurm prints for a pointer it does not have.
void text_or_null(std::string& out, std::string_view text);
void time_or_na(std::string& out, const JobContext& context, int64_t time);
void flag(std::string& out, bool set);
// "*" for what was not asked for.
void number_or_star(std::string& out, bool given, uint64_t value);
void number_or_na(std::string& out, bool given, uint64_t value);
// "2K" where the unit is exact and may be converted.
void count(std::string& out, const JobContext& context, uint64_t value);
void megabytes(std::string& out, const JobContext& context, uint64_t mb);
void minutes(std::string& out, uint32_t limit);

void id(std::string& out, const JobRow& row, const JobContext& context);
void task_id(std::string& out, const JobRow& row, const JobContext& context);
void reason(std::string& out, const JobRow& row);
void reason_or_nodes(std::string& out, const JobRow& row);
void time_left(std::string& out, const v1::JobInfo& job, int64_t now);
void priority_fraction(std::string& out, uint32_t priority);
// A file that -o or -e names, with the % signs as they were written; "" where they name none.
std::string named_file(const v1::JobInfo& job, std::string_view given);
void profile(std::string& out, std::string_view asked);
// "gres:gpu:2" of a count per GPU.
void per_gpu(std::string& out, bool given, uint64_t value);
// "gpu:closest" of --gpu-bind and the like.
void gpu_option(std::string& out, std::string_view text);

}  // namespace grappe::job_values
