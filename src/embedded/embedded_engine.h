// The engine of one machine: owns the truth on one thread.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "embedded/committer.h"
#include "embedded/core.h"
#include "embedded/loop.h"
#include "embedded/reports.h"
#include "embedded/state.h"
#include "engine/engine.h"

namespace grappe::embedded {

// What the engine needs of its surroundings.
struct Parts {
  Store& store;
  exec::Executor& executor;
  Site site;
  Cluster cluster;
  std::function<int64_t()> now_ms;  // since the epoch
  // Reads the configuration anew, for scontrol reconfigure; warnings go to the caller.
  std::function<Result<Cluster>(std::vector<std::string>& warnings)> reload;
  // Lines of scontrol show config.
  std::function<void(const Cluster&, v1::ConfigResponse&)> show_config;
};

class EmbeddedEngine : public Engine {
 public:
  // Recovers from the store; nothing runs before start().
  static Result<std::unique_ptr<EmbeddedEngine>> open(Parts parts);
  ~EmbeddedEngine() override;
  void start();
  // Finishes what was accepted and stops; jobs go on.
  void stop();

  void submit(const Caller&, v1::SubmitRequest, Reply<v1::SubmitResponse>) override;
  void list_jobs(const Caller&, v1::ListJobsRequest, Reply<JobListing>) override;
  void history(const Caller&, v1::HistoryRequest, Reply<HistoryListing>) override;
  void samples(const Caller&, v1::SamplesRequest, Reply<v1::SamplesResponse>) override;
  void cancel(const Caller&, v1::CancelRequest, Reply<v1::CancelResponse>) override;
  void update_job(const Caller&, v1::UpdateJobRequest, Reply<v1::JobsChanged>) override;
  void act(const Caller&, v1::JobActionRequest, Reply<v1::JobsChanged>) override;
  void wait(const Caller&, v1::WaitRequest, Reply<v1::WaitResponse>) override;
  void complete(const Caller&, v1::CompleteRequest, Reply<v1::CompleteResponse>) override;
  void why(const Caller&, v1::WhyRequest, Reply<v1::WhyResponse>) override;
  void when(const Caller&, v1::WhenRequest, Reply<v1::WhenResponse>) override;
  void score(const Caller&, v1::ScoreRequest, Reply<v1::ScoreResponse>) override;
  void script(const Caller&, v1::ScriptRequest, Reply<v1::ScriptResponse>) override;
  void books(const Caller&, v1::BooksRequest, Reply<v1::BooksResponse>) override;
  void change_books(const Caller&, v1::ChangeBooksRequest, Reply<v1::ChangeBooksResponse>) override;
  void transactions(const Caller&, v1::TransactionsRequest,
                    Reply<v1::TransactionsResponse>) override;
  void amend_jobs(const Caller&, v1::AmendJobsRequest, Reply<v1::AmendJobsResponse>) override;
  void archive(const Caller&, v1::ArchiveRequest, Reply<v1::ArchiveResponse>) override;
  void load_archive(const Caller&, v1::LoadArchiveRequest, Reply<v1::ArchiveResponse>) override;
  void backup(const Caller&, v1::BackupRequest, Reply<v1::BackupResponse>) override;
  v1::AdminLevel admin_level(const std::string& user) const override;
  void boosts(const Caller&, v1::BoostsRequest, Reply<v1::BoostsResponse>) override;
  void change_boost(const Caller&, v1::ChangeBoostRequest, Reply<v1::BoostsResponse>) override;
  void shares(const Caller&, v1::SharesRequest, Reply<v1::SharesResponse>) override;
  void priorities(const Caller&, v1::PrioritiesRequest, Reply<v1::PrioritiesResponse>) override;
  void usage(const Caller&, v1::UsageRequest, Reply<v1::UsageResponse>) override;
  void job_sizes(const Caller&, v1::JobSizesRequest, Reply<v1::JobSizesResponse>) override;
  void reservation_usage(const Caller&, v1::ReservationUsageRequest,
                         Reply<v1::ReservationUsageResponse>) override;
  void events(const Caller&, v1::EventsRequest, Reply<v1::EventsResponse>) override;
  void create_step(const Caller&, v1::CreateStepRequest, Reply<v1::CreateStepResponse>) override;
  void update_step(const Caller&, v1::UpdateStepRequest, Reply<v1::UpdateStepResponse>) override;
  void step_use(const Caller&, v1::StepUseRequest, Reply<v1::StepUseResponse>) override;
  void nodes(const Caller&, v1::NodesRequest, Reply<v1::NodesResponse>) override;
  void update_node(const Caller&, v1::UpdateNodeRequest, Reply<v1::Empty>) override;
  void partitions(const Caller&, v1::PartitionsRequest, Reply<v1::PartitionsResponse>) override;
  void change_partition(const Caller&, v1::ChangePartitionRequest, Reply<v1::Empty>) override;
  void reservations(const Caller&, v1::ReservationsRequest,
                    Reply<v1::ReservationsResponse>) override;
  void change_reservation(const Caller&, v1::ChangeReservationRequest,
                          Reply<v1::ChangeReservationResponse>) override;
  void licenses(const Caller&, v1::LicensesRequest, Reply<v1::LicensesResponse>) override;
  void config(const Caller&, v1::ConfigRequest, Reply<v1::ConfigResponse>) override;
  void reconfigure(const Caller&, v1::Empty, Reply<v1::ReconfigureResponse>) override;
  void ping(const Caller&, v1::Empty, Reply<v1::PingResponse>) override;
  void diag(const Caller&, v1::DiagRequest, Reply<v1::DiagResponse>) override;

 private:
  explicit EmbeddedEngine(Parts parts);
  void set_time();
  void note_admin_levels();
  // PrivateData, as far as it concerns him: operators see everything.
  PrivateData hides(const Caller& caller) const;
  std::chrono::steady_clock::time_point after_batch(Loop::On thread);
  void tick_if_due();
  void plan_if_due();
  void plan_for_who_looks();
  void plan();
  void commit();
  void roll_up_if_due();
  void learn_for_forecasts();
  void forecast_if_due();
  // Runs `look` on the engine's thread and what it returns beside it, one after the other.
  template <class Response, class Look>
  void plan_beside(Reply<Response> reply, Look look);
  // Makes a report beside the engine, from the books and what the engine knows.
  template <class Request, class Response>
  void report(const Caller& caller, Request request, Reply<Response> reply,
              Result<Response> (*make)(Store&, const ReportContext&, const Request&));
  void forget_confirmed();
  // Carries a request out, at once if the engine is idle and what follows is short.
  void carry_out(Loop::Task task, Loop::On thread = Loop::On::kThreadOfRequest);
  // A reading or a writing request. A writing one is refused at once while the store can't be
  // written, and answered as before when it is a repetition.
  template <class T>
  void read(Reply<T> reply, std::function<Result<T>()> handler);
  template <class T>
  void write(const Caller& caller, Reply<T> reply, std::function<void(Reply<T>)> handler);

  Parts parts_;
  State state_;
  Core core_;
  Loop loop_;
  Loop lists_;  // writes long answers, while the engine goes on
  Loop plans_;  // plans again for who asks why or when, which may take seconds
  std::atomic<int> plans_waiting_ = 0;
  std::atomic<bool> stopping_ = false;  // no long forecast is finished
  Loop forecasts_;                      // makes the current forecasts
  Loop reports_;                        // some walk through the jobs of a year
  Loop keeping_;                        // archives and copies the database, which may take minutes
  Loop rolls_;                          // sums up hours that are over
  int64_t rolled_until_ = 0, roll_again_at_ = 0;
  bool rolling_ = false;
  std::unique_ptr<Committer> committer_;
  // Submissions that are written: they can't be taken back any more.
  std::mutex confirmed_mutex_;
  std::vector<uint32_t> confirmed_;
  mutable std::mutex levels_mutex_;
  std::map<std::string, v1::AdminLevel> levels_;  // of the books, for other threads
  int64_t last_tick_us_ = 0;
  std::chrono::steady_clock::time_point last_tick_, next_tick_;
  std::atomic<int64_t> last_plan_us_ = 0;
  std::chrono::steady_clock::time_point last_plan_;
  bool queue_stands_ = false;  // the last plan could start none of those that wait
};

}  // namespace grappe::embedded
