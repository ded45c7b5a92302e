// The one door to whatever runs the jobs: the embedded engine of one machine, or a Slurm cluster.
//
// Requests and answers are the messages of the schema. Every call returns at once; the answer
// comes through `reply`, from any thread, exactly once, and only after what it promises is on
// disk. Who asks (`Caller`) was established by the kernel and rated by the service.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "grappe/v1/books.pb.h"
#include "grappe/v1/boosts.pb.h"
#include "grappe/v1/cluster.pb.h"
#include "grappe/v1/history.pb.h"
#include "grappe/v1/jobs.pb.h"
#include "grappe/v1/reports.pb.h"
#include "grappe/v1/share.pb.h"
#include "grappe/v1/steps.pb.h"
#include "grappe/v1/when.pb.h"
#include "grappe/v1/why.pb.h"

namespace grappe {

// Who asks, and what he may do to what belongs to others.
struct Caller {
  uid_t uid = 0;
  gid_t gid = 0;
  std::string user;
  bool is_operator = false;  // root, the owner of the service, SlurmUser, operators of the books
  bool is_administrator = false;  // the same, with the administrators of the books
  // Of the client's making: a request with the same token is the same request. May be empty.
  std::string token;
  pid_t pid = 0;  // the client's process; 0 if it can't be known
};

template <class T>
using Reply = std::function<void(Result<T>)>;

// A list of jobs, which may be very long: they are filled in one by one, so that never all of them
// are in memory as messages. `fill` may be called on any thread, for 0 to `jobs` - 1.
template <class Response, class Record>
struct Listing {
  Response rest;  // everything but the jobs
  size_t jobs = 0;
  std::function<void(size_t index, Record& out)> fill;
};
using JobListing = Listing<v1::ListJobsResponse, v1::JobInfo>;
using HistoryListing = Listing<v1::HistoryResponse, v1::JobRecord>;

class Engine {
 public:
  virtual ~Engine() = default;

  // Jobs.
  virtual void submit(const Caller&, v1::SubmitRequest, Reply<v1::SubmitResponse>) = 0;
  virtual void list_jobs(const Caller&, v1::ListJobsRequest, Reply<JobListing>) = 0;
  virtual void cancel(const Caller&, v1::CancelRequest, Reply<v1::CancelResponse>) = 0;
  virtual void update_job(const Caller&, v1::UpdateJobRequest, Reply<v1::JobsChanged>) = 0;
  virtual void act(const Caller&, v1::JobActionRequest, Reply<v1::JobsChanged>) = 0;
  virtual void wait(const Caller&, v1::WaitRequest, Reply<v1::WaitResponse>) = 0;
  virtual void complete(const Caller&, v1::CompleteRequest, Reply<v1::CompleteResponse>) = 0;
  virtual void why(const Caller&, v1::WhyRequest, Reply<v1::WhyResponse>) = 0;
  virtual void when(const Caller&, v1::WhenRequest, Reply<v1::WhenResponse>) = 0;
  virtual void score(const Caller&, v1::ScoreRequest, Reply<v1::ScoreResponse>) = 0;
  virtual void script(const Caller&, v1::ScriptRequest, Reply<v1::ScriptResponse>) = 0;

  virtual void history(const Caller&, v1::HistoryRequest, Reply<HistoryListing>) = 0;
  virtual void samples(const Caller&, v1::SamplesRequest, Reply<v1::SamplesResponse>) = 0;

  // The books.
  virtual void books(const Caller&, v1::BooksRequest, Reply<v1::BooksResponse>) = 0;
  virtual void change_books(const Caller&, v1::ChangeBooksRequest,
                            Reply<v1::ChangeBooksResponse>) = 0;
  virtual void transactions(const Caller&, v1::TransactionsRequest,
                            Reply<v1::TransactionsResponse>) = 0;
  virtual void amend_jobs(const Caller&, v1::AmendJobsRequest, Reply<v1::AmendJobsResponse>) = 0;
  virtual void archive(const Caller&, v1::ArchiveRequest, Reply<v1::ArchiveResponse>) = 0;
  virtual void load_archive(const Caller&, v1::LoadArchiveRequest, Reply<v1::ArchiveResponse>) = 0;
  virtual void backup(const Caller&, v1::BackupRequest, Reply<v1::BackupResponse>) = 0;
  // What the books let this user do; answers at once, on any thread.
  virtual v1::AdminLevel admin_level(const std::string& user) const = 0;

  // Who goes first.
  virtual void shares(const Caller&, v1::SharesRequest, Reply<v1::SharesResponse>) = 0;
  virtual void boosts(const Caller&, v1::BoostsRequest, Reply<v1::BoostsResponse>) = 0;
  virtual void change_boost(const Caller&, v1::ChangeBoostRequest, Reply<v1::BoostsResponse>) = 0;
  virtual void priorities(const Caller&, v1::PrioritiesRequest, Reply<v1::PrioritiesResponse>) = 0;

  // Reports.
  virtual void usage(const Caller&, v1::UsageRequest, Reply<v1::UsageResponse>) = 0;
  virtual void job_sizes(const Caller&, v1::JobSizesRequest, Reply<v1::JobSizesResponse>) = 0;
  virtual void reservation_usage(const Caller&, v1::ReservationUsageRequest,
                                 Reply<v1::ReservationUsageResponse>) = 0;
  virtual void events(const Caller&, v1::EventsRequest, Reply<v1::EventsResponse>) = 0;

  // Steps.
  virtual void create_step(const Caller&, v1::CreateStepRequest, Reply<v1::CreateStepResponse>) = 0;
  virtual void update_step(const Caller&, v1::UpdateStepRequest, Reply<v1::UpdateStepResponse>) = 0;
  virtual void step_use(const Caller&, v1::StepUseRequest, Reply<v1::StepUseResponse>) = 0;

  // The machine.
  virtual void nodes(const Caller&, v1::NodesRequest, Reply<v1::NodesResponse>) = 0;
  virtual void update_node(const Caller&, v1::UpdateNodeRequest, Reply<v1::Empty>) = 0;
  virtual void partitions(const Caller&, v1::PartitionsRequest, Reply<v1::PartitionsResponse>) = 0;
  virtual void change_partition(const Caller&, v1::ChangePartitionRequest, Reply<v1::Empty>) = 0;
  virtual void reservations(const Caller&, v1::ReservationsRequest,
                            Reply<v1::ReservationsResponse>) = 0;
  virtual void change_reservation(const Caller&, v1::ChangeReservationRequest,
                                  Reply<v1::ChangeReservationResponse>) = 0;
  virtual void licenses(const Caller&, v1::LicensesRequest, Reply<v1::LicensesResponse>) = 0;
  virtual void config(const Caller&, v1::ConfigRequest, Reply<v1::ConfigResponse>) = 0;
  virtual void reconfigure(const Caller&, v1::Empty, Reply<v1::ReconfigureResponse>) = 0;
  virtual void ping(const Caller&, v1::Empty, Reply<v1::PingResponse>) = 0;
  virtual void diag(const Caller&, v1::DiagRequest, Reply<v1::DiagResponse>) = 0;
};

}  // namespace grappe
