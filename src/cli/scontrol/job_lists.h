// Lists of jobs as scontrol takes them, and what is said about each job of one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/scontrol/session.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe::scontrol {

// "12,14_[1,3],jobid=15": the commas inside brackets don't count.
std::vector<std::string> split_job_list(std::string_view text);

// Says what went wrong with which job and returns the last error's text, empty if all is well.
// A job: "TEXT for job 12". Tasks of an array, also the good ones beside bad ones:
// "12_1,3: No error", "12_2: Invalid job id specified".
std::string report_outcomes(Session& session,
                            const google::protobuf::RepeatedPtrField<v1::JobOutcome>& outcomes);

// A call that failed as a whole, told as that of job `id`. Returns the error's text.
std::string report_failure(Session& session, const Error& failure, std::string_view id);

}  // namespace grappe::scontrol
