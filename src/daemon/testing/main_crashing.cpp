// grapped_crashing: grapped that dies at a point of the crash suite's choice.
//
// The points lie before and after every commit and every call of the executor: "commit.before",
// "start.after" ... The file that GRAPPE_CRASH_FILE names holds the point to die at, and one word:
//   die    kill yourself there
//   hold   stop there for a moment: the suite kills the launcher, or both of you
// It is renamed to FILE.reached when the point is; one file, one death.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include "daemon/daemon.h"

namespace grappe {
namespace {

using std::chrono::milliseconds;

class CrashPoints {
 public:
  CrashPoints() {
    if (const char* file = std::getenv("GRAPPE_CRASH_FILE")) file_ = file;
  }

  void pass(const std::string& point) {
    if (file_.empty()) return;
    const std::lock_guard lock(mutex_);
    char plan[64] = {};
    const int fd = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    const ssize_t size = ::read(fd, plan, sizeof plan - 1);
    ::close(fd);
    const std::string text(plan, size > 0 ? static_cast<size_t>(size) : 0);
    const bool dies = text == point + " die";
    if (!dies && text != point + " hold") return;
    std::rename(file_.c_str(), (file_ + ".reached").c_str());
    if (dies) ::kill(::getpid(), SIGKILL);
    std::this_thread::sleep_for(kHold);
  }

 private:
  static constexpr milliseconds kHold{300};
  std::string file_;
  std::mutex mutex_;
};

// Before, after, and after the other side has had time to notice.
template <class Call>
auto around(CrashPoints& points, const std::string& name, Call call) {
  struct Passing {
    CrashPoints& points;
    const std::string& name;
    ~Passing() {
      points.pass(name + ".after");
      std::this_thread::sleep_for(milliseconds(1));
      points.pass(name + ".later");
    }
  };
  points.pass(name + ".before");
  const Passing passing{points, name};
  return call();
}

class CrashingStore : public Store {
 public:
  CrashingStore(std::unique_ptr<Store> inner, CrashPoints& points)
      : inner_(std::move(inner)), points_(points) {}
  Status commit(const Changes& changes) override {
    return around(points_, "commit", [&] { return inner_->commit(changes); });
  }
  Result<Recovered> load(int64_t finished_since) override { return inner_->load(finished_since); }
  Result<std::string> content(const std::string& key) override { return inner_->content(key); }
  Result<std::vector<JobHistory>> history(const HistoryQuery& query) override {
    return inner_->history(query);
  }
  Result<ArchiveCounts> archive(const ArchiveWish& wish) override { return inner_->archive(wish); }
  Result<ArchiveCounts> load_archive(const std::string& file) override {
    return inner_->load_archive(file);
  }
  Status backup(const std::string& file) override { return inner_->backup(file); }
  Result<std::vector<v1::Transaction>> transactions(int64_t start, int64_t end) override {
    return inner_->transactions(start, end);
  }
  Status each_job(const HistoryQuery& query, const std::function<void(const Job&)>& take) override {
    return inner_->each_job(query, take);
  }
  Status each_recent_job(size_t most, const std::function<void(const Job&)>& take) override {
    return inner_->each_recent_job(most, take);
  }
  Status each_forecast(int64_t start, int64_t end, size_t most,
                       const std::function<void(const ForecastRow&)>& take) override {
    return inner_->each_forecast(start, end, most, take);
  }
  Result<std::vector<NodeEvent>> events(int64_t start, int64_t end) override {
    return inner_->events(start, end);
  }
  Result<std::vector<ReservationWindow>> windows(int64_t start, int64_t end) override {
    return inner_->windows(start, end);
  }
  Result<UsageSums> usage(int64_t start, int64_t end) override {
    return inner_->usage(start, end);
  }
  Result<int64_t> roll_up(int64_t until) override {
    return around(points_, "roll_up", [&] { return inner_->roll_up(until); });
  }

 private:
  std::unique_ptr<Store> inner_;
  CrashPoints& points_;
};

class CrashingExecutor : public exec::Executor {
 public:
  CrashingExecutor(std::unique_ptr<Executor> inner, CrashPoints& points)
      : inner_(std::move(inner)), points_(points) {}

  void listen(Listener listener) override {
    inner_->listen([this, listener = std::move(listener)](std::vector<exec::ExecEvent> events) {
      points_.pass("event.before");
      listener(std::move(events));
    });
  }
  void start(exec::StepLaunch launch) override {
    around(points_, "start", [&] { inner_->start(std::move(launch)); });
  }
  void signal(exec::StepKey key, int number, exec::SignalTarget target) override {
    around(points_, "signal", [&] { inner_->signal(key, number, target); });
  }
  void end_node(exec::StepKey key, uint32_t node_index) override {
    around(points_, "end_node", [&] { inner_->end_node(key, node_index); });
  }
  void confine(uint32_t job_id, uint32_t restart, exec::JobConfinement confinement) override {
    around(points_, "confine", [&] { inner_->confine(job_id, restart, std::move(confinement)); });
  }
  void notify(exec::StepKey key, std::string text, exec::NoticeKind kind) override {
    around(points_, "notify", [&] { inner_->notify(key, std::move(text), kind); });
  }
  void freeze(uint32_t job_id, bool frozen) override {
    around(points_, "freeze", [&] { inner_->freeze(job_id, frozen); });
  }
  void forget(exec::StepKey key) override {
    around(points_, "forget", [&] { inner_->forget(key); });
  }
  void clean(uint32_t job_id, uint32_t restart) override {
    around(points_, "clean", [&] { inner_->clean(job_id, restart); });
  }
  void run(exec::SiteProgram program) override {
    around(points_, "run", [&] { inner_->run(std::move(program)); });
  }
  void measure(uint64_t request, std::vector<exec::StepKey> keys) override {
    inner_->measure(request, std::move(keys));
  }
  void measure_gpus() override { inner_->measure_gpus(); }
  std::string socket_path(exec::StepKey key) const override { return inner_->socket_path(key); }

 private:
  std::unique_ptr<Executor> inner_;
  CrashPoints& points_;
};

}  // namespace
}  // namespace grappe

int main(int argc, char** argv) {
  using namespace grappe;
  CrashPoints points;
  DaemonSeams seams;
  seams.store = [&points](std::unique_ptr<Store> inner) {
    return std::make_unique<CrashingStore>(std::move(inner), points);
  };
  seams.executor = [&points](std::unique_ptr<exec::Executor> inner) {
    return std::make_unique<CrashingExecutor>(std::move(inner), points);
  };
  return daemon_main(argc, argv, seams);
}
