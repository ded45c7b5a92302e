#include "sim/world.h"

#include <algorithm>

#include "sched/occupy.h"

namespace grappe::sim {

namespace {

// Nobody asks here when the turn of those comes whose planned starts are not kept.
Trial without_foretelling(Trial trial) {
  trial.policy.foretell = false;
  return trial;
}

}  // namespace

World::World(const Trial& trial, Observer* observer)
    : trial_(std::make_shared<Trial>(without_foretelling(trial))),
      shapes_(std::make_shared<Shapes>(trial.machine)),
      history_(std::make_shared<sched::RunHistory>()),
      observer_(observer),
      snapshot_(empty_machine(trial.machine)),
      free_cpus_(trial.machine.cpus()) {}

Time World::next_end() const {
  Time next = kForever;
  for (const Active& active : active_) next = std::min(next, active.end);
  return next;
}

void World::advance(Time to) {
  snapshot_.now = to;
  for (std::size_t i = active_.size(); i-- > 0;) {
    if (active_[i].end <= to) end(i);
  }
}

uint64_t World::submit(const TraceJob& asked) {
  TraceJob job = asked;
  if (job.limit > trial_->max_time) {
    job.limit = trial_->max_time;
    job.rest = std::max<Time>(job.run - job.limit, 0);
    job.run = std::min(job.run, job.limit);
  }
  sched::PendingJob pending = pending_job(job);
  if (!shapes_->fits(snapshot_, pending.shape)) {
    if (observer_) observer_->refused(job);
    return 0;
  }
  snapshot_.pending.push_back(std::move(pending));
  waiting_.push_back(job);
  if (observer_) observer_->submitted(job, now());
  return last_tag_;
}

sched::Arrival World::arrival_of(const TraceJob& job) {
  sched::PendingJob pending = pending_job(job);
  pending.submit_time = job.submit;
  // The shapes live as long as this.
  return {pending, {shapes_, pending.shape}, nullptr};
}

sched::PendingJob World::pending_job(const TraceJob& job) {
  sched::PendingJob pending;
  pending.tag = pending.job_id = ++last_tag_;
  pending.shape = shapes_->of(job);
  pending.partitions = {0};
  pending.submit_time = now();
  pending.time_limit = job.limit;
  pending.expected_run = history_->expected(job.user, job.limit);
  pending.user = job.user;
  return pending;
}

void World::schedule() {
  if (waiting_.empty() || free_cpus_ == 0) return;
  sched::Plan plan = sched::plan(snapshot_, trial_->policy);
  if (plan.starts.empty()) return;
  for (const sched::Start& start : plan.starts) begin(start);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (snapshot_.pending[i].copies == 0) continue;
    if (kept != i) {
      snapshot_.pending[kept] = std::move(snapshot_.pending[i]);
      waiting_[kept] = waiting_[i];
    }
    ++kept;
  }
  snapshot_.pending.resize(kept);
  waiting_.resize(kept);
}

void World::begin(const sched::Start& start) {
  auto before = [](const sched::PendingJob& job, uint64_t tag) { return job.tag < tag; };
  auto found =
      std::lower_bound(snapshot_.pending.begin(), snapshot_.pending.end(), start.tag, before);
  found->copies = 0;
  const TraceJob& job = waiting_[static_cast<std::size_t>(found - snapshot_.pending.begin())];
  for (const sched::NodeShare& share : start.shares) free_cpus_ -= share.cpus.count();
  sched::occupy(snapshot_, sched::running_job(snapshot_, *found, start));
  active_.push_back({job, now(), now() + job.run});
  if (!observer_) return;
  observer_->started(job, now());
  observer_->placed(job, snapshot_.running.back(), snapshot_);
}

void World::end(std::size_t index) {
  for (const sched::NodeShare& share : snapshot_.running[index].shares) {
    free_cpus_ += share.cpus.count();
  }
  Active gone = active_[index];
  sched::vacate(snapshot_, index);
  active_[index] = active_.back();
  active_.pop_back();
  history_->add(gone.job.user, gone.end - gone.start, gone.job.limit);
  if (observer_) observer_->ended(gone.job, gone.start, gone.end);
  if (gone.job.rest == 0) return;
  gone.job.submit = now();
  gone.job.run = std::exchange(gone.job.rest, 0);
  gone.job.limit = std::max(gone.job.limit, gone.job.run);
  submit(gone.job);
}

void replay(World& world, Source& jobs, Time until) {
  std::optional<TraceJob> next = jobs.next();
  while (next || !world.idle()) {
    Time at = std::min(next ? next->submit : kForever, world.next_end());
    if (at == kForever || at > until) return;
    world.advance(std::max(at, world.now()));
    for (; next && next->submit <= at; next = jobs.next()) world.submit(*next);
    world.schedule();
  }
}

}  // namespace grappe::sim
