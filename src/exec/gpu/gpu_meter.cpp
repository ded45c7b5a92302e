#include "exec/gpu/gpu_meter.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/log.h"
#include "exec/gpu/nvml.h"

namespace grappe::exec {

class GpuMeter::Worker {
 public:
  Worker(std::string library, Listener listener)
      : library_(std::move(library)), listener_(std::move(listener)) {}

  // False: the thread is not there yet and this call must start it.
  bool ask() {
    const std::lock_guard lock(mutex_);
    wanted_ = true;
    changed_.notify_one();
    return std::exchange(started_, true);
  }

  void stop() {
    const std::lock_guard no_longer(telling_);
    const std::lock_guard lock(mutex_);
    listener_ = nullptr;
    stopping_ = true;
    changed_.notify_one();
  }

  void run() {
    auto nvml = Nvml::open(library_);
    if (!nvml) {
      log_info("the use of GPUs is not measured: {}", nvml.error().message);
      return;
    }
    while (wait()) tell({(*nvml)->measure()});
  }

 private:
  bool wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return wanted_ || stopping_; });
    wanted_ = false;
    return !stopping_;
  }

  void tell(GpusMeasured measured) {
    const std::lock_guard lock(telling_);
    if (listener_) listener_(std::move(measured));
  }

  const std::string library_;
  std::mutex telling_;  // guards the listener, who may want another measurement
  Listener listener_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool started_ = false, wanted_ = false, stopping_ = false;
};

GpuMeter::GpuMeter(std::string library, Listener listener)
    : worker_(std::make_shared<Worker>(std::move(library), std::move(listener))) {}

GpuMeter::~GpuMeter() {
  worker_->stop();
}

void GpuMeter::measure() {
  if (!worker_->ask()) std::thread([worker = worker_] { worker->run(); }).detach();
}

}  // namespace grappe::exec
