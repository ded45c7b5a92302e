#include "sim/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace grappe::sim {
namespace {

constexpr double kDaySeconds = 86400;
constexpr double kGpuPart = 0.6;  // of the jobs, where there are GPUs
constexpr double kAgain = 0.7;    // a job is followed by another like it

struct Habit {
  double usual_run;   // seconds, the median
  double spread;      // of the logarithm
  double generosity;  // limits are so many times the usual run
  uint32_t size;
  uint32_t gpus;
};

// The number of job `n` of those who come `n`-th as often: few bring most.
uint32_t popular(Random& random, uint32_t count) {
  double u = random.uniform();
  return static_cast<uint32_t>(static_cast<double>(count) * u * u * u);
}

Habit habit_of(uint64_t seed, uint32_t user, const Machine& machine) {
  Random random(seed * 1000003 + user);
  Habit habit;
  habit.usual_run = 60 * std::exp(2.5 + 1.6 * random.normal());
  habit.spread = 0.3 + random.uniform();
  habit.generosity = 2 + 8 * random.uniform();
  auto log_most = std::log2(static_cast<double>(std::max<uint64_t>(machine.cpus() / 4, 1)));
  habit.size = static_cast<uint32_t>(std::exp2(std::floor(random.uniform() * log_most)));
  bool gpus = machine.gpus() > 0 && random.uniform() < kGpuPart;
  habit.gpus = gpus ? 1u << random.below(std::bit_width(machine.gpus_per_node())) : 0;
  if (habit.gpus) habit.size = habit.gpus;
  return habit;
}

class Generator : public Source {
 public:
  Generator(const GeneratorOptions& options, const Machine& machine, double mean_gap)
      : options_(options), machine_(machine), mean_gap_(mean_gap), random_(options.seed) {}

  std::optional<TraceJob> next() override {
    if (made_ == options_.jobs) return std::nullopt;
    ++made_;
    if (made_ == 1 || random_.uniform() > kAgain) {
      user_ = popular(random_, options_.users);
      habit_ = habit_of(options_.seed, user_, machine_);
    }
    // Half as many by night as on the mean, half as many more by day.
    double busy = 1 + 0.5 * std::sin(clock_ / kDaySeconds * 6.283185307179586);
    clock_ += random_.exponential(mean_gap_ / busy);
    TraceJob job;
    job.id = made_;
    job.submit = static_cast<Time>(clock_);
    job.user = user_;
    job.account = user_ % options_.accounts;
    job.cpus = habit_.size;
    job.gpus = habit_.gpus;
    double run = habit_.usual_run * std::exp(habit_.spread * random_.normal());
    auto minutes = static_cast<Time>(std::ceil(habit_.usual_run * habit_.generosity / 600)) * 10;
    job.limit = std::min<Time>(minutes * 60, 7 * 86400);
    job.run = std::clamp<Time>(static_cast<Time>(run), 1, job.limit);
    return job;
  }

 private:
  const GeneratorOptions& options_;
  const Machine& machine_;
  double mean_gap_;
  Random random_;
  double clock_ = 0;
  uint64_t made_ = 0;
  uint32_t user_ = 0;
  Habit habit_{};
};

class Generated : public Workload {
 public:
  Generated(const GeneratorOptions& options, const Machine& machine)
      : options_(options), machine_(machine) {
    for (uint32_t i = 0; i < options.users; ++i) people_.users.index(fmt::format("user{}", i + 1));
    for (uint32_t i = 0; i < options.accounts; ++i) {
      people_.accounts.index(fmt::format("group{}", i + 1));
    }
    facts_.jobs = options.jobs;
    mean_gap_ = gap_for_load();
  }
  const WorkloadFacts& facts() const override { return facts_; }
  const People& people() const override { return people_; }
  std::unique_ptr<Source> jobs() override {
    return std::make_unique<Generator>(options_, machine_, mean_gap_);
  }

 private:
  // Tries the first jobs for what they ask: of GPUs or of CPUs, whichever is scarcer.
  double gap_for_load() {
    constexpr uint64_t kTried = 20000;
    GeneratorOptions trial = options_;
    trial.jobs = std::min(options_.jobs, kTried);
    Generator generator(trial, machine_, 1);
    double cpu_s = 0, gpu_s = 0;
    while (std::optional<TraceJob> job = generator.next()) {
      cpu_s += static_cast<double>(job->run) * job->cpus;
      gpu_s += static_cast<double>(job->run) * job->gpus;
      facts_.most_cpus = std::max(facts_.most_cpus, job->cpus);
      facts_.most_gpus = std::max(facts_.most_gpus, job->gpus);
    }
    double machine_s = cpu_s / static_cast<double>(machine_.cpus());
    if (machine_.gpus())
      machine_s = std::max(machine_s, gpu_s / static_cast<double>(machine_.gpus()));
    return machine_s / static_cast<double>(trial.jobs) / options_.load;
  }

  GeneratorOptions options_;
  Machine machine_;
  People people_;
  WorkloadFacts facts_;
  double mean_gap_ = 1;
};

}  // namespace

std::unique_ptr<Workload> generated(const GeneratorOptions& options, const Machine& machine) {
  return std::make_unique<Generated>(options, machine);
}

}  // namespace grappe::sim
