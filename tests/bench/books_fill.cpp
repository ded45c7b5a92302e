// Fills a database with jobs that are over, through the store itself, and prints what each costs:
// how the books behave when there are millions of them.
//
//   books_fill FILE COUNT [DAYS]
//
// The jobs are spread over the last DAYS (365), over 200 users and 20 accounts. Each has a script,
// a batch step, and an allocation, as a job of every day has.
#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

#include "store/store.h"

namespace grappe {
namespace {

constexpr uint32_t kUsers = 200, kAccounts = 20, kCommit = 1000;

std::shared_ptr<const v1::JobSpec> spec() {
  auto made = std::make_shared<v1::JobSpec>();
  made->set_name("train");
  made->set_batch(true);
  made->set_gres("gpu:1");
  made->set_work_dir("/home/somebody/project");
  made->set_submit_line("sbatch --gres=gpu:1 train.sh");
  return made;
}

class Filler {
 public:
  Filler(Store& store, uint64_t count, int64_t days)
      : store_(store), count_(count), begin_(time(nullptr) - days * 86400), span_(days * 86400) {}

  bool run() {
    const uint64_t report = std::max<uint64_t>(count_ / 10, kCommit);
    auto last = std::chrono::steady_clock::now();
    for (uint64_t done = 0; done < count_; done += kCommit) {
      if (!commit(done)) return false;
      if ((done + kCommit) % report >= kCommit) continue;
      const auto now = std::chrono::steady_clock::now();
      const double us = std::chrono::duration<double, std::micro>(now - last).count();
      std::printf("%10lu jobs: %6.1f us each\n", done + kCommit, us / double(report));
      std::fflush(stdout);
      last = now;
    }
    return true;
  }

 private:
  bool commit(uint64_t first) {
    Changes changes;
    const std::string script = "#!/bin/sh\n./train\n";
    const std::string key = content_key(script);
    if (first == 0) {
      changes.contents = {{key, script}};
      NodeEvent cluster;
      cluster.start = begin_;
      cluster.nodes = "node1";
      cluster.tres = {
          {"cpu", 4096}, {"mem", 16'000'000}, {"node", 1}, {"billing", 4096}, {"gres/gpu", 1024}};
      changes.events = {cluster};
    }
    for (uint64_t i = first; i < std::min<uint64_t>(first + kCommit, count_); ++i)
      add(i, key, changes);
    Status done = store_.commit(changes);
    if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return done.has_value();
  }

  void add(uint64_t i, const std::string& key, Changes& changes) {
    auto job = std::make_shared<Job>();
    const uint32_t user = random_() % kUsers;
    job->id = static_cast<uint32_t>(i + 1);
    job->spec = spec_;
    job->script_key = job->environment_key = key;
    job->uid = 2000 + user;
    job->gid = 2000;
    job->user = "user" + std::to_string(user);
    job->group = "users";
    job->account = "account" + std::to_string(user % kAccounts);
    job->qos = "normal";
    job->assoc_id = 3 + kAccounts + user;
    job->partitions = {"batch"};
    job->state = static_cast<uint32_t>(JobState::kCompleted);
    job->submit_time =
        begin_ + static_cast<int64_t>(static_cast<double>(span_) * double(i) / double(count_));
    job->eligible_time = job->submit_time;
    job->start_time = job->submit_time + random_() % 60;
    job->end_time = job->start_time + 10 + random_() % 3600;
    job->allocation = {{0, "node1", {0, 1, 2, 3}, 16000, 1, {{"gpu", "", {0}}}}};
    job->nodes = "node1";
    job->settled.cpus = 4;
    job->settled.time_limit = 60;
    auto step = std::make_shared<Step>();
    step->job_id = job->id;
    step->step_id = 0xfffffffb;
    step->name = "batch";
    step->state = job->state;
    step->start_time = job->start_time;
    step->end_time = job->end_time;
    step->allocation = job->allocation;
    step->nodes = job->nodes;
    step->user_us = 1'000'000;
    changes.jobs.push_back(std::move(job));
    changes.steps.push_back(std::move(step));
  }

  Store& store_;
  uint64_t count_;
  int64_t begin_, span_;
  std::shared_ptr<const v1::JobSpec> spec_ = spec();
  std::mt19937 random_{1};
};

int fill(const std::string& file, uint64_t count, int64_t days) {
  auto store = open_sql_store(file);
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 1;
  }
  if (!Filler(**store, count, days).run()) return 1;
  store->reset();
  struct stat status {};
  if (stat(file.c_str(), &status) == 0) {
    std::printf("%.0f bytes a job\n", double(status.st_size) / double(count));
  }
  return 0;
}

}  // namespace
}  // namespace grappe

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: books_fill FILE COUNT [DAYS]\n");
    return 1;
  }
  return grappe::fill(argv[1], std::strtoull(argv[2], nullptr, 10),
                      argc > 3 ? std::atol(argv[3]) : 365);
}
