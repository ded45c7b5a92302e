#include "embedded/sampling.h"

#include "embedded/steps.h"
#include "embedded/testing/engine_fixture.h"

namespace grappe::embedded {
namespace {

constexpr uint64_t kMega = 1 << 20;

class Sampling : public EngineTest {
 protected:
  exec::StepKey batch_of(uint32_t id) { return {id, exec::kBatchStep, find(id).restarts}; }
  Step step_of(const exec::StepKey& key) { return find_step(key.job_id, key.step_id); }

  // To the next moment at which steps are looked at.
  void to_next_look(int64_t interval = 30) {
    now = (now / interval + 1) * interval;
    settle();
  }

  exec::StepSample sample(const exec::StepKey& key, uint64_t cpu_us, uint64_t rss) {
    exec::StepSample made;
    made.key = key;
    made.user_us = cpu_us;
    made.tasks = {{0, cpu_us, rss, 4 * rss, 2, 5 * kMega, kMega}};
    made.pids = {10, 11};
    return made;
  }

  Result<v1::StepUseResponse> stat(const Caller& who, uint32_t job, const std::string& step,
                                   bool all = false) {
    v1::StepUseRequest request;
    v1::StepWish& wish = *request.add_steps();
    wish.set_job_id(job);
    wish.set_step_id(step);
    request.set_all_steps(all);
    return ask<v1::StepUseResponse>([&](Reply<v1::StepUseResponse> reply) {
      on_step_use(core(), who, request, std::move(reply));
    });
  }
};

TEST_F(Sampling, LooksAtAllStepsInOneRequestAtTheFrequencyOfTheSite) {
  const uint32_t first = must_submit(alice, job());
  advance(7);
  const uint32_t second = must_submit(bob, job());
  EXPECT_TRUE(executor.measures.empty());
  to_next_look();
  ASSERT_EQ(executor.measures.size(), 1u);
  EXPECT_EQ(executor.measures[0].keys,
            (std::vector<exec::StepKey>{batch_of(first), batch_of(second)}));
  advance(29);
  EXPECT_EQ(executor.measures.size(), 1u);
  advance(1);
  EXPECT_EQ(executor.measures.size(), 2u);
  finish(first);
  finish(second);
  advance(120);
  EXPECT_EQ(executor.measures.size(), 2u);
}

TEST_F(Sampling, FollowsTheFrequencyOfTheJob) {
  JobWish often = job(), never = job();
  often.spec().set_acctg_freq("energy=60,task=5");
  never.spec().set_acctg_freq("0");
  never.spec().set_mem_per_node_mb(0);  // else its memory must be watched
  const uint32_t id = must_submit(alice, often);
  must_submit(alice, never);
  to_next_look(5);
  advance(20);
  ASSERT_EQ(executor.measures.size(), 5u);
  for (const auto& measure : executor.measures) {
    EXPECT_EQ(measure.keys, std::vector<exec::StepKey>{batch_of(id)});
  }
}

TEST_F(Sampling, AsksForNothingWhereTheSiteGathersNothing) {
  cluster().config.accounting.gather_type = "jobacct_gather/none";
  must_submit(alice, job());
  advance(300);
  EXPECT_TRUE(executor.measures.empty());
}

TEST_F(Sampling, KeepsPeaksUntilTheEndAndWritesThemWithIt) {
  const uint32_t id = must_submit(alice, job());
  const exec::StepKey key = batch_of(id);
  to_next_look();
  executor.measured({sample(key, 2'000'000, 100 * kMega)});
  to_next_look();
  executor.measured({sample(key, 3'000'000, 40 * kMega)});
  settle();
  EXPECT_FALSE(step_of(key).use);  // nothing is written for a sample
  exec::StepEnded end;
  end.key = key;
  end.exits = {{0, 0}};
  end.usage.user_us = 3'500'000;
  end.usage.tasks = {{0, 3'400'000, 90 * kMega, 0, 3, 6 * kMega, kMega}};
  executor.end(end);
  settle();

  const Step step = step_of(key);
  ASSERT_TRUE(step.use);
  EXPECT_EQ(step.use->rss().max(), 100 * kMega);
  EXPECT_EQ(step.use->rss().total(), 100 * kMega);  // of peaks
  EXPECT_EQ(step.use->vsize().max(), 400 * kMega);
  EXPECT_EQ(step.use->cpu_us().max(), 3'500'000u);
  EXPECT_EQ(step.use->pages().max(), 3u);
  EXPECT_EQ(step.use->read().max(), 6 * kMega);
  EXPECT_EQ(step.use->processes(), 2u);
  EXPECT_EQ(step.use->samples(), 2u);
  EXPECT_EQ(step.max_rss, 100 * kMega);
  EXPECT_EQ(step.user_us, 3'500'000u);
  ASSERT_TRUE(step.series);
  EXPECT_EQ(UseSeries::decode(*step.series).points().size(), 2u);
}

TEST_F(Sampling, OfAShortStepTheEndTellsAll) {
  const uint32_t id = must_submit(alice, job());
  exec::StepEnded end;
  end.key = batch_of(id);
  end.exits = {{0, 0}};
  end.usage.user_us = 100'000;
  end.usage.max_rss_bytes = 8 * kMega;
  end.usage.tasks = {{0, 100'000, 8 * kMega, 0, 0, 0, 0}};
  executor.end(end);
  settle();
  const Step step = step_of({id, exec::kBatchStep, 0});
  EXPECT_EQ(step.use->rss().max(), 8 * kMega);
  EXPECT_EQ(step.use->rss().total(), 8 * kMega);
  EXPECT_FALSE(step.series);
}

TEST_F(Sampling, SaysWhichTaskUsedMostAndLeast) {
  StepMeter meter([] {
    Step step;
    step.tasks = 3;
    return step;
  }());
  exec::StepSample look;
  look.tasks = {{0, 5, 50, 0, 0, 0, 0}, {1, 9, 20, 0, 0, 0, 0}, {2, 7, 80, 0, 0, 0, 0}};
  meter.add(look, now);
  look.tasks = {{0, 6, 10, 0, 0, 0, 0}, {1, 9, 30, 0, 0, 0, 0}};  // the third has ended
  meter.add(look, now + 30);
  const v1::StepUse use = meter.use();
  EXPECT_EQ(use.rss().max(), 80u);
  EXPECT_EQ(use.rss().max_task(), 2u);
  EXPECT_EQ(use.rss().min(), 30u);
  EXPECT_EQ(use.rss().min_task(), 1u);
  EXPECT_EQ(use.rss().total(), 10u + 30 + 80);
  EXPECT_EQ(use.cpu_us().max_task(), 1u);
  EXPECT_EQ(use.cpu_us().min_task(), 0u);
  EXPECT_EQ(use.cpu_us().total(), 22u);
}

TEST_F(Sampling, FiguresOfALongStepJoinACommitThatIsMadeAnyway) {
  const uint32_t id = must_submit(alice, job().minutes(600));
  const exec::StepKey key = batch_of(id);
  to_next_look();
  executor.measured({sample(key, 1'000'000, 10 * kMega)});
  settle();
  const size_t commits = store.commits;
  advance(3600);
  EXPECT_EQ(store.commits, commits);
  must_submit(bob, job());
  ASSERT_TRUE(step_of(key).use);
  EXPECT_EQ(step_of(key).use->rss().max(), 10 * kMega);

  restart();
  to_next_look();
  executor.measured({sample(key, 2'000'000, 5 * kMega)});
  finish(id);
  const Step step = step_of(key);
  EXPECT_EQ(step.use->rss().max(), 10 * kMega);  // of before
  EXPECT_EQ(step.use->samples(), 2u);
  EXPECT_EQ(UseSeries::decode(*step.series).points().size(), 2u);
}

TEST_F(Sampling, WhoeverAsksGetsFreshFigures) {
  const uint32_t id = must_submit(alice, job());
  const exec::StepKey key = batch_of(id);
  EXPECT_FALSE(stat(alice, id, "batch"));  // not yet: they are being measured
  ASSERT_EQ(executor.measures.size(), 1u);
  executor.measured({sample(key, 2'000'000, 7 * kMega)});
  settle();
  auto answer = stat(alice, id, "batch");
  ASSERT_TRUE(answer);
  EXPECT_EQ(executor.measures.size(), 1u);  // within a second the same ones
  const v1::RunningStep& step = answer->answers(0).steps(0);
  EXPECT_EQ(step.use().rss().max(), 7 * kMega);
  EXPECT_EQ(step.use().nodes(0), "node1");
  EXPECT_EQ(step.pids_size(), 2);
}

TEST_F(Sampling, OnlyTheOwnerAndOperatorsMayAsk) {
  const uint32_t id = must_submit(alice, job());
  to_next_look();
  executor.measured({sample(batch_of(id), 1, 1)});
  settle();
  const auto outcome = [&](const Caller& who, uint32_t job_id, const std::string& step) {
    return stat(who, job_id, step)->answers(0).outcome();
  };
  EXPECT_EQ(outcome(alice, id, "batch"), v1::StepUseAnswer::FOUND);
  EXPECT_EQ(outcome(root, id, "batch"), v1::StepUseAnswer::FOUND);
  EXPECT_EQ(outcome(bob, id, "batch"), v1::StepUseAnswer::DENIED);
  EXPECT_FALSE(stat(bob, id, "batch")->answers(0).steps(0).has_use());
  EXPECT_EQ(outcome(alice, id, ""), v1::StepUseAnswer::NO_STEPS);  // the script is not meant
  EXPECT_EQ(outcome(alice, id, "3"), v1::StepUseAnswer::NO_STEP);
  EXPECT_EQ(outcome(alice, 999, "batch"), v1::StepUseAnswer::NO_JOB);
  EXPECT_EQ(stat(alice, id, "", true)->answers(0).steps_size(), 1);
}

TEST_F(Sampling, GivesTheFiguresOfAGpuToTheStepThatHasIt) {
  for (ClusterNode& node : cluster().nodes) {
    for (MachineDevice& device : node.machine.devices) {
      device.path = "/dev/nvidia" + std::to_string(device.index);
    }
  }
  JobWish wish = job();
  wish.spec().set_gres("gpu:2");
  const uint32_t id = must_submit(alice, wish);
  ASSERT_TRUE(runs(id));
  to_next_look();
  EXPECT_EQ(executor.gpu_measures, 1u);
  executor.gpus_measured({{0, 40, kMega}, {1, 80, 2 * kMega}, {2, 100, 64 * kMega}});
  executor.measured({sample(batch_of(id), 1, 1)});
  finish(id);
  const Step step = step_of({id, exec::kBatchStep, 0});
  EXPECT_EQ(step.use->max_gpu_percent(), 60u);
  EXPECT_EQ(step.use->max_gpu_memory(), 3 * kMega);
  EXPECT_EQ(UseSeries::decode(*step.series).points()[0].gpu_percent, 60u);
}

TEST_F(Sampling, SamplesAreThereWhileItRunsAndAfter) {
  const uint32_t id = must_submit(alice, job());
  to_next_look();
  executor.measured({sample(batch_of(id), 1'000'000, 3 * kMega)});
  settle();
  v1::SamplesRequest request;
  request.set_job_id(id);
  auto live = samples_of(store, request, running_samples(core(), request), std::nullopt);
  ASSERT_TRUE(live);
  ASSERT_EQ(live->steps_size(), 1);
  EXPECT_EQ(live->steps(0).step_id(), "batch");
  EXPECT_EQ(live->steps(0).rss(0), 3 * kMega);
  EXPECT_EQ(live->steps(0).cpu_ms(0), 1000u);
  finish(id);
  auto after = samples_of(store, request, running_samples(core(), request), std::nullopt);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->steps(0).time(0), live->steps(0).time(0));
  EXPECT_FALSE(samples_of(store, request, {}, bob.uid));
}

}  // namespace
}  // namespace grappe::embedded
