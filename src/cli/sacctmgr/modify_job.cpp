#include <fmt/core.h>

#include <cstdlib>
#include <ctime>

#include "base/datetime.h"
#include "base/text.h"
#include "cli/accounts.h"
#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/entities.h"
#include "grappe/v1/history.pb.h"
#include "model/slurm_error.h"

namespace grappe::sacctmgr {
namespace {

struct JobCondition {
  Names ids, users, wckeys, clusters;
  std::optional<std::string> start, end;
  bool chooses() const { return !ids.empty() || !users.empty() || !wckeys.empty() || start || end; }
};

constexpr Key<JobCondition> kJobKeys[] = {
    {"JobID", 1, [](JobCondition& c, const Word& w) { add_names(c.ids, w.value); }},
    {"Users", 1, [](JobCondition& c, const Word& w) { add_names(c.users, w.value); }},
    {"WCKeys", 1, [](JobCondition& c, const Word& w) { add_names(c.wckeys, w.value); }},
    {"Clusters", 1, [](JobCondition& c, const Word& w) { add_names(c.clusters, w.value); }},
    {"StartTime", 1, [](JobCondition& c, const Word& w) { c.start = w.value; }},
    {"EndTime", 1, [](JobCondition& c, const Word& w) { c.end = w.value; }},
};

bool take_job_word(JobCondition& condition, const Word& word) {
  return set_by_key<JobCondition>(kJobKeys, condition, word);
}

// False: the word is none of what can be set; what is wrong with a value has been said.
bool take_job_setting(Session& session, v1::AmendJobsRequest& set, const Word& word) {
  if (!word.has_value) return false;
  if (is_key(word, "AdminComment", 2)) {
    set.set_admin_comment(word.value);
  } else if (is_key(word, "Comment", 1)) {
    set.set_comment(word.value);
  } else if (is_key(word, "DerivedExitCode", 12) || is_key(word, "DerivedEC", 9)) {
    auto code = parse_uint(word.value, UINT32_MAX);
    if (!code) {
      session.error(fmt::format("Invalid value for DerivedExitCode ({})", word.value));
      return true;
    }
    // A status as wait(2) has it: 22 is signal 22, 256 is exit code 1.
    set.set_derived_exit_code(static_cast<uint32_t>(*code));
  } else if (is_key(word, "NewWCKey", 1) || is_key(word, "WCKey", 1)) {
    set.set_wckey(to_lower(word.value));
  } else if (is_key(word, "SystemComment", 1)) {
    set.set_system_comment(word.value);
  } else {
    return false;
  }
  return true;
}

// The jobs that are meant, with the times of their submission.
Result<v1::HistoryResponse> find_jobs(Session& session, const JobCondition& condition) {
  v1::HistoryRequest request;
  const int64_t now = std::time(nullptr);
  request.set_end_time(now + 1);
  for (const std::string& id : condition.ids) {
    auto number = parse_uint(id, UINT32_MAX);
    if (!number)
      return fail(fmt::format("Invalid job id(s) {} specified", join(condition.ids, ",")));
    request.add_jobs()->set_job_id(static_cast<uint32_t>(*number));
  }
  for (const std::string& name : condition.users) {
    if (auto account = find_account(name)) request.add_uids(account->uid);
  }
  if (condition.start) {
    auto time = parse_datetime(*condition.start, now, true);
    if (!time) return tl::unexpected<Error>(time.error());
    request.set_start_time(*time);
  }
  if (condition.end) {
    auto time = parse_datetime(*condition.end, now, true);
    if (!time) return tl::unexpected<Error>(time.error());
    request.set_end_time(*time);
  }
  return session.calls.call<v1::HistoryResponse>("History/Jobs", request);
}

bool is_meant(const JobCondition& condition, const v1::JobInfo& job) {
  return admits(condition.users, job.user()) && admits(condition.wckeys, job.wckey()) &&
         admits(condition.clusters, job.cluster());
}

}  // namespace

void modify_jobs(Session& session, Words words) {
  const ModifyWords parts = split_modify(words);
  const unsigned before = session.complaints;
  JobCondition where;
  v1::AmendJobsRequest set;
  take_conditions(session, parts.where, where, take_job_word);
  for (const Word& word : parts.set) {
    if (!take_job_setting(session, set, word)) complain_of_option(session, word);
  }
  if (!may_modify(session, before, set.ByteSizeLong() > 0, where.chooses())) return;
  auto found = find_jobs(session, where);
  if (!found) return session.error(found.error().message);
  Names lines;
  for (const v1::JobRecord& job : found->jobs()) {
    if (!is_meant(where, job.info())) continue;
    set.add_job_ids(job.info().job_id());
    lines.push_back(fmt::format("{} submitted at {}", job.info().job_id(),
                                format_datetime(job.info().submit_time())));
  }
  if (lines.empty()) return session.fail(" Nothing modified\n");
  // What is told comes before the question, and there is no way to only ask the service.
  const std::string text = " Modified jobs...\n" + indented(lines);
  if (!session.immediate) {
    session.say(text);
    if (!session.confirm("Would you like to commit changes?")) {
      return session.say(" Changes Discarded\n");
    }
  }
  auto done = session.calls.call<v1::AmendJobsResponse>("Books/AmendJobs", set);
  if (!done) {
    if (done.error().code == kErrAccessDenied) {
      session.error("Your user doesn't have privilege to perform this action");
    }
    return session.complain(fmt::format(" Error with request: {}\n", done.error().message));
  }
  if (session.immediate) session.say(text);
}

}  // namespace grappe::sacctmgr
