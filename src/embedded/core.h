// What the handlers of the embedded engine work with: the state, the time of this batch, and
// lists of what is to follow.
//
// A handler is a plain function over Core, one file per duty (submit, cancel, steps, exits ...).
// It changes the state and adds effects; effects happen after the commit, never before.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "embedded/answers.h"
#include "embedded/boosts.h"
#include "embedded/committer.h"
#include "embedded/forecasts.h"
#include "embedded/meters.h"
#include "embedded/noted.h"
#include "embedded/shares.h"
#include "embedded/state.h"
#include "engine/engine.h"
#include "exec/executor.h"

namespace grappe::embedded {

// A caller that waits for a job to start or to end.
struct Waiter {
  uid_t uid = 0;
  v1::WaitRequest::Until until = v1::WaitRequest::STARTED;
  int64_t deadline_ms = 0;
  Reply<v1::WaitResponse> reply;
};

// A step that waits for resources inside its job.
struct StepWaiter {
  Caller caller;
  v1::CreateStepRequest request;
  int64_t deadline_ms = 0;
  Reply<v1::CreateStepResponse> reply;
};

struct Counters {
  int64_t since = 0;
  uint64_t submitted = 0, started = 0, completed = 0, canceled = 0, failed = 0;
  uint64_t backfilled = 0, backfilled_since_reset = 0;
  v1::CycleStats main, backfill;
};

// How this installation runs: constant while the engine lives.
struct Site {
  std::string socket;     // of the service, for commands inside jobs
  std::string conf;       // what SLURM_CONF says in a job; may be empty
  std::string bin_dir;    // our commands, put on the PATH of jobs; may be empty
  bool personal = false;  // everything runs as one user
  uid_t owner = 0;        // who the service belongs to
  std::string owner_name;
  std::string state_dir;               // where the service may write; empty: nowhere
  std::vector<std::string> tmp_roots;  // where $SLURM_TMPDIR may be, fastest first
  // When a process of this machine began, 0: it is not there; empty: no client is watched.
  std::function<uint64_t(uint32_t pid)> process_start;
};

class Core {
 public:
  Core(State& state_, exec::Executor& executor_, Store& store_, const Site& site_)
      : state(state_), executor(executor_), store(store_), site(site_) {
    state.fair_shares = &shares;
  }

  State& state;
  exec::Executor& executor;
  Store& store;
  const Site& site;
  int64_t now = 0;  // seconds, the same for a whole batch
  int64_t now_ms = 0;
  bool plan_wanted = false;
  bool executor_ready = false;

  // After the commit of this batch.
  void after_commit(std::function<void()> run, uint32_t job_id = 0) {
    effects.push_back({std::move(run), job_id});
  }
  // After the plan of this batch, before its commit: answers that tell whether a job started.
  void after_plan(std::function<void()> run) { after_plan_.push_back(std::move(run)); }
  bool somebody_waits_for_the_plan() const { return !after_plan_.empty(); }
  void run_after_plan() {
    std::vector<std::function<void()>> todo;
    todo.swap(after_plan_);
    for (auto& run : todo) run();
  }
  template <class T>
  void answer(const Reply<T>& reply, Result<T> result, uint32_t job_id = 0) {
    if (asking && result) answers.keep(state, *asking, now, result->SerializeAsString());
    after_commit([reply, result = std::move(result)]() mutable { reply(std::move(result)); },
                 job_id);
  }

  std::vector<Effect> effects;
  std::vector<uint32_t> created;
  Answers answers;
  const Caller* asking = nullptr;  // whose request is being answered, if it changes something
  // Answers to submissions of this batch, for when it can't be written.
  std::map<uint32_t, Reply<v1::SubmitResponse>> unconfirmed;

  std::multimap<uint32_t, Waiter> waiters;
  std::multimap<uint32_t, StepWaiter> step_waiters;
  std::map<uint32_t, uint32_t> evicted_for;  // jobs suspended so that another can start
  std::map<uint32_t, int64_t> leases;  // jobs of a salloc or srun; since when that is gone, or 0
  int64_t leases_due = 0;
  int64_t limits_due = 0;  // when limits that the clock concerns are looked at again
  // Of jobs (and their restarts) whose PrologSlurmctld runs: the EpilogSlurmctld to run after it,
  // when the job has ended meanwhile.
  std::map<std::pair<uint32_t, uint32_t>, std::optional<exec::SiteProgram>> prologs;
  // The last interactive jobs that it has failed: whoever waits for one to be ready may ask late.
  std::set<uint32_t> failed_prologs;
  Noted noted;
  std::vector<std::string> unconfined;
  Meters meters;  // of running steps
  ShareTable shares;
  Boosts boosts;
  ForecastBook forecasts;
  int64_t shares_due = 0;  // not before then, after a change of the books
  Counters counters;

 private:
  std::vector<std::function<void()>> after_plan_;
};

exec::StepKey key_of(const Step& step);

}  // namespace grappe::embedded
