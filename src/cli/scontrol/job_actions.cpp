// Sub-commands that act on jobs: hold, release, requeue, suspend, ...
#include <fmt/core.h>

#include "base/text.h"
#include "cli/scontrol/job_lists.h"
#include "cli/scontrol/keywords.h"
#include "model/job_state.h"

namespace grappe::scontrol {
namespace {

using v1::JobActionRequest;

// Returns the last error's text, empty if all is well.
std::string act(Session& session, const JobActionRequest& request, std::string_view id,
                bool* of_array = nullptr) {
  auto changed = session.calls.call<v1::JobsChanged>("Jobs/Act", request);
  if (!changed) return report_failure(session, changed.error(), id);
  for (const v1::JobOutcome& outcome : changed->outcomes()) {
    if (of_array && outcome.job_id().find('_') != std::string::npos) *of_array = true;
  }
  return report_outcomes(session, changed->outcomes());
}

// One word: a list of jobs, "jobid=" before it or "jobname=" in its place.
std::string act_on_word(Session& session, JobActionRequest request, std::string_view word,
                        bool* of_array = nullptr) {
  for (std::string_view key : {"jobname=", "name="}) {
    if (!istarts_with(word, key)) continue;
    request.set_job_name(std::string(word.substr(key.size())));
    return act(session, request, request.job_name(), of_array);
  }
  for (std::string_view key : {"jobid=", "job="}) {
    if (istarts_with(word, key)) word.remove_prefix(key.size());
  }
  std::string last;
  for (const std::string& id : split_job_list(word)) {
    request.clear_job_ids();
    request.add_job_ids(id);
    std::string text = act(session, request, id, of_array);
    if (!text.empty()) last = text;
  }
  return last;
}

JobActionRequest action(JobActionRequest::Action what) {
  JobActionRequest request;
  request.set_action(what);
  return request;
}

// hold and release end with a line of their own for each word that is no task of an array; its odd
// name is Slurm's.
void change_hold(Session& session, Words words, JobActionRequest::Action what) {
  for (const std::string& word : words.subspan(1)) {
    bool of_array = false;
    std::string last = act_on_word(session, action(what), word, &of_array);
    if (!last.empty() && !of_array) session.complain("slurm_suspend error: " + last);
  }
}

void for_each_word(Session& session, Words words, const JobActionRequest& request) {
  for (const std::string& word : words) act_on_word(session, request, word);
}

// Leading words that are options: "incomplete", "State=SpecialExit".
void requeue_words(Session& session, Words words, JobActionRequest request) {
  words = words.subspan(1);
  while (!words.empty()) {
    if (iequals(words[0], "incomplete")) {
      request.set_incomplete(true);
    } else if (iequals(words[0], "state=specialexit")) {
      request.set_special_exit(true);
    } else if (istarts_with(words[0], "state=")) {
      return session.complain("Invalid state: " + words[0].substr(6));
    } else {
      break;
    }
    words = words.subspan(1);
  }
  for_each_word(session, words, request);
}

}  // namespace

void hold(Session& session, Words words) {
  change_hold(session, words, JobActionRequest::HOLD);
}

void user_hold(Session& session, Words words) {
  change_hold(session, words, JobActionRequest::HOLD_USER);
}

void release(Session& session, Words words) {
  change_hold(session, words, JobActionRequest::RELEASE);
}

void requeue(Session& session, Words words) {
  requeue_words(session, words, action(JobActionRequest::REQUEUE));
}

void requeue_hold(Session& session, Words words) {
  requeue_words(session, words, action(JobActionRequest::REQUEUE_HOLD));
}

void suspend(Session& session, Words words) {
  for_each_word(session, words.subspan(1), action(JobActionRequest::SUSPEND));
}

void resume(Session& session, Words words) {
  for_each_word(session, words.subspan(1), action(JobActionRequest::RESUME));
}

// One request: the order of the list is the order of the jobs.
void top(Session& session, Words words) {
  JobActionRequest request = action(JobActionRequest::TOP);
  for (const std::string& word : words.subspan(1)) {
    for (const std::string& id : split_job_list(word)) request.add_job_ids(id);
  }
  if (request.job_ids_size()) act(session, request, request.job_ids(0));
}

void notify(Session& session, Words words) {
  JobActionRequest request = action(JobActionRequest::NOTIFY);
  request.add_job_ids(words[1]);
  request.set_message(join(words.subspan(2), " "));
  auto changed = session.calls.call<v1::JobsChanged>("Jobs/Act", request);
  if (!changed) return session.failed("job notify failure", changed.error());
  for (const v1::JobOutcome& outcome : changed->outcomes()) {
    if (outcome.error()) session.complain("job notify failure: " + outcome.message());
  }
}

// Nodes here need no boot, so a job is ready or it is not: nothing is waited for.
void wait_job(Session& session, Words words) {
  std::string_view text = words[1];
  auto id = parse_uint(text.substr(0, text.find_first_of("._")), UINT32_MAX);
  if (!id) return session.complain("Invalid job_id " + words[1]);
  v1::WaitRequest request;
  request.set_job_id(static_cast<uint32_t>(*id));
  request.set_until(v1::WaitRequest::STARTED);
  request.set_timeout_ms(1);
  auto answer = session.calls.call<v1::WaitResponse>("Jobs/Wait", request);
  if (!answer) return session.complain(fmt::format("scontrol: Problem running job {}", *id));
  JobState state = base_state(answer->job().state());
  bool ready = state == JobState::kRunning || state == JobState::kSuspended;
  if (answer->timed_out() || !ready)
    return session.complain(fmt::format("scontrol: Job {} no longer running", *id));
  if (session.quiet) return;
  std::fputs(fmt::format("scontrol: Nodes are ready for job {}\n", *id).c_str(), stderr);
}

}  // namespace grappe::scontrol
