// The embedded engine for tests: no threads, no processes, a clock that the test moves.
//
//   TEST_F(EngineTest, ...) {
//     uint32_t id = must_submit(alice, job().minutes(10));
//     advance(600);                       // ten minutes pass, with everything that is due in them
//     EXPECT_EQ(find(id).base(), JobState::kTimeout);
//     restart();                          // another engine on the same store and executor
//   }
//
// What the daemon does on its loop (a batch: requests, the clock, a plan, a commit, effects)
// happens here in settle(), which every helper calls. The executor is exec/fake: a job runs until
// the test ends it with finish(), or its limit does.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "embedded/core.h"
#include "embedded/exits.h"
#include "embedded/plan_pass.h"
#include "embedded/recover.h"
#include "embedded/sampling.h"
#include "embedded/submit.h"
#include "embedded/timers.h"
#include "exec/fake/fake_executor.h"
#include "store/memory/memory_store.h"

namespace grappe::embedded {

// node1 to node4 with 8 CPUs, 32000 MB and 4 GPUs each; the partition batch has them all and is
// the default one, c-iq has node4.
inline Cluster four_nodes() {
  LoadedConfig loaded;
  loaded.cluster.service.cluster_name = "test";
  loaded.cluster.scheduling.memory.default_per_cpu_mb = 512;
  loaded.cluster.jobs.kill_wait_s = 5;
  for (int i = 1; i <= 4; ++i) {
    ConfiguredNode& node = loaded.nodes.emplace_back();
    node.name = "node" + std::to_string(i);
    node.hostname = node.address = "localhost";
    node.topology = {
        .boards = 1, .sockets = 1, .cores_per_socket = 8, .threads_per_core = 1, .cpus = 8};
    node.memory_mb = 32000;
    node.gres_text = "gpu:4";
    node.gres = {{.name = "gpu", .type = "", .count = 4, .no_consume = false, .devices = {}}};
  }
  PartitionConfig& batch = loaded.partitions.emplace_back().config;
  batch.name = "batch";
  batch.nodes = "ALL";
  batch.is_default = true;
  batch.default_time_min = 60;
  PartitionConfig& quick = loaded.partitions.emplace_back().config;
  quick.name = "c-iq";
  quick.nodes = "node4";
  return make_cluster(loaded);
}

// A batch job in few words: job().cpus(4).minutes(10).
class JobWish {
 public:
  JobWish() {
    spec_.set_name("test");
    spec_.set_batch(true);
    spec_.set_work_dir("/");
    spec_.add_argv("job.sh");
  }
  JobWish& minutes(uint32_t minutes) { return spec_.set_time_limit(minutes), *this; }
  JobWish& cpus(uint32_t count) { return spec_.set_cpus_per_task(count), *this; }
  JobWish& tasks(uint32_t count) { return spec_.set_ntasks(count), *this; }
  JobWish& nodes(uint32_t count) { return spec_.set_min_nodes(count), *this; }
  JobWish& on(std::string hostlist) { return spec_.set_required_nodes(std::move(hostlist)), *this; }
  JobWish& exclusive() { return spec_.set_sharing(v1::JobSpec::EXCLUSIVE), *this; }
  JobWish& partition(std::string name) { return spec_.set_partition(std::move(name)), *this; }
  JobWish& reservation(std::string name) { return spec_.set_reservation(std::move(name)), *this; }
  JobWish& licenses(std::string list) { return spec_.set_licenses(std::move(list)), *this; }
  JobWish& array(std::string tasks) { return spec_.set_array(std::move(tasks)), *this; }
  JobWish& dependency(std::string text) { return spec_.set_dependency(std::move(text)), *this; }
  // For everything else.
  v1::JobSpec& spec() { return spec_; }
  const v1::JobSpec& spec() const { return spec_; }

 private:
  v1::JobSpec spec_;
};

class EngineTest : public ::testing::Test {
 protected:
  explicit EngineTest(Cluster cluster = four_nodes()) : cluster_(std::move(cluster)) { begin(); }

  const Caller root{0, 0, "root", true};
  const Caller alice{1001, 1001, "1001", false};
  const Caller bob{1002, 1002, "1002", false};

  MemoryStore store;
  exec::FakeExecutor executor;
  int64_t now = 1'800'000'000;

  State& state() { return *state_; }
  Core& core() { return *core_; }
  Cluster& cluster() { return state_->cluster; }

  static JobWish job() { return JobWish(); }

  Result<uint32_t> submit(const Caller& who, const JobWish& wish) {
    v1::SubmitRequest request;
    *request.mutable_spec() = wish.spec();
    request.set_script("#!/bin/sh\n");
    auto answer = ask<v1::SubmitResponse>([&](Reply<v1::SubmitResponse> reply) {
      on_submit(core(), who, std::move(request), std::move(reply));
    });
    if (!answer) return tl::unexpected(answer.error());
    return answer->job_id();
  }
  uint32_t must_submit(const Caller& who, const JobWish& wish) {
    auto id = submit(who, wish);
    EXPECT_TRUE(id) << (id ? "" : id.error().message);
    return id.value_or(0);
  }
  int submit_error(const Caller& who, const JobWish& wish) {
    auto id = submit(who, wish);
    return id ? 0 : id.error().code;
  }

  // A handler that answers through `reply`, and the batch that carries it.
  template <class T, class Handler>
  Result<T> ask(Handler handler) {
    auto answer = std::make_shared<std::optional<Result<T>>>();  // it may come later than we go
    tell_time();
    handler(Reply<T>([answer](Result<T> result) { *answer = std::move(result); }));
    settle();
    if (!*answer) return fail("no answer yet");
    return std::move(**answer);
  }

  // The record; of a job that is gone an empty one, and the test has failed.
  const Job& find(uint32_t id) {
    static const Job kNone;
    const Job* job = state().find(id);
    EXPECT_TRUE(job) << "job " << id;
    return job ? *job : kNone;
  }
  // Of its last run, as it was written; else an empty one, and the test has failed.
  Step find_step(uint32_t job_id, uint32_t step_id) {
    auto runs = store.history({.job_ids = {job_id}, .samples = true});
    for (auto run = runs->rbegin(); run != runs->rend(); ++run) {
      for (const Step& step : run->steps) {
        if (step.step_id == step_id && step.restart == run->job.restarts) return step;
      }
    }
    ADD_FAILURE() << "step " << job_id << "." << step_id;
    return {};
  }
  bool runs(uint32_t id) { return find(id).running(); }
  bool waits(uint32_t id) { return find(id).pending(); }
  std::string nodes_of(uint32_t id) { return find(id).nodes; }

  // The batch script ends with this status, as wait(2) gives it.
  void finish(uint32_t id, int status = 0) {
    executor.now = now;
    executor.end({id, exec::kBatchStep, find(id).restarts}, status);
    settle();
  }

  // Time passes; what is due happens when it is due.
  void advance(int64_t seconds) {
    int64_t target = now + seconds;
    settle();
    while (now < target) {
      int64_t due = std::max(next_ms_ / 1000, now + 1);
      now = std::min(due, target);
      settle();
    }
  }

  // The engine is gone and comes back, with `cluster` as its configuration if given.
  void restart() {
    events_.clear();
    begin();
  }
  void restart(Cluster cluster) {
    cluster_ = std::move(cluster);
    restart();
  }

  // What happens goes unheard: the engine is killed before it has read it.
  template <class Happening>
  void events_get_lost(Happening happening) {
    happening();
    events_.clear();
  }

  // How this installation runs: for the engine of the next restart().
  Site& site() { return site_; }

  // Batches until nothing is left to do at this instant.
  void settle() {
    for (int i = 0; i < 1000; ++i) {
      while (!events_.empty()) {
        exec::ExecEvent event = std::move(events_.front());
        events_.pop_front();
        tell_time();
        on_exec_event(core(), std::move(event));
      }
      bool wrote = batch();
      if (events_.empty() && !wrote && !core().plan_wanted) return;
    }
    ADD_FAILURE() << "the engine does not come to rest";
  }

 private:
  void begin() {
    state_ = std::make_unique<State>(cluster_);
    core_ = std::make_unique<Core>(*state_, executor, store, site_);
    tell_time();
    core().counters.since = now;
    Status recovered = recover(core());
    ASSERT_TRUE(recovered) << recovered.error().message;
    executor.listen([this](std::vector<exec::ExecEvent> events) {
      std::ranges::move(events, std::back_inserter(events_));
    });
    executor.ready();
    settle();
  }

  void tell_time() {
    core().now = now;
    core().now_ms = now * 1000;
    executor.now = now;
  }

  // True if something was written or done.
  bool batch() {
    tell_time();
    next_ms_ = on_tick(core());
    if (core().plan_wanted && core().executor_ready) {
      core().plan_wanted = false;
      plan_pass(core());
    }
    core().run_after_plan();
    note_events(core());
    Changes changes = state().take_changes();
    if (!changes.empty()) add_old_figures(core(), changes);
    std::vector<Effect> effects;
    effects.swap(core().effects);
    std::vector<uint32_t> created;
    created.swap(core().created);
    bool something = !changes.empty() || !effects.empty();
    if (!changes.empty()) {
      if (Status written = store.commit(changes); !written) {
        take_back(core(), created, written.error());
        return false;
      }
    }
    for (Effect& effect : effects) effect.run();
    for (uint32_t id : created) core().unconfirmed.erase(id);
    return something;
  }

  Site site_;
  Cluster cluster_;
  std::unique_ptr<State> state_;
  std::unique_ptr<Core> core_;
  std::deque<exec::ExecEvent> events_;
  int64_t next_ms_ = 0;
};

}  // namespace grappe::embedded
