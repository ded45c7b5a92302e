// Writes what the engine decided and only then lets it happen.
//
// The engine hands over batches: the records that changed and the effects that follow (answers to
// commands, starts, signals). Where the disk is quick the engine writes them itself, as waking
// another thread would take as long; else a thread does, and what gathers meanwhile goes into the
// next commit as one, so that many small batches cost one flush of the disk. A batch without
// effects has nobody who waits for it and waits a little for company; until then a crash loses no
// more than what the executor tells again. Effects run after their commit, in order, on the thread
// that made it.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "store/store.h"

namespace grappe::embedded {

struct Effect {
  std::function<void()> run;
  uint32_t job_id = 0;  // not run when this job's submission was taken back
};

struct Batch {
  Changes changes;
  std::vector<Effect> effects;
  // Jobs that this batch has created. When it can't be written they are taken back: the answer
  // to the submission is the error.
  std::vector<uint32_t> created;
};

class Committer {
 public:
  // Called on the committer's thread when a batch could not be written: takes the created jobs
  // back (with their answers) and returns when that is done. Everything else stays queued and is
  // tried again until the disk takes it.
  using TakeBack = std::function<void(const std::vector<uint32_t>& created, const Error& error)>;

  Committer(Store& store, TakeBack take_back);
  ~Committer();

  // On one thread at a time.
  void push(Batch batch);
  // The error of the last commit while the store refuses; empty when all is well.
  std::string trouble() const;
  void stop();

  struct Stats {
    uint64_t commits = 0, batches = 0, micros = 0;
  };
  Stats stats() const;

 private:
  using Lock = std::unique_lock<std::mutex>;
  void run();
  bool disk_is_quick() const;
  Batch take_queued();
  void write_here(Lock& lock);
  bool write_until_done(Lock& lock, Batch& merged);
  Status commit(const Changes& changes);
  void recover_from_failure(Batch& merged, const Error& error);

  Store& store_;
  TakeBack take_back_;
  mutable std::mutex mutex_;  // guards the members up to thread_
  std::condition_variable wake_;
  std::deque<Batch> queue_;
  bool hurry_ = false;     // somebody waits for what is queued
  bool busy_ = false;      // a commit or its effects are under way
  bool watching_ = false;  // the thread waits for company or hurry
  bool stopping_ = false;
  std::string trouble_;
  Stats stats_;
  std::array<uint64_t, 8> recent_us_{};  // what commits took of late
  std::thread thread_;
};

// The later version of a record replaces the earlier one.
void merge(Changes& into, Changes&& from);

}  // namespace grappe::embedded
