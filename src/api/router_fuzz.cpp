// Any bytes may be the body of any method, in protobuf or in JSON, from anybody: each request is
// answered once, and what is accepted can be written again in both forms.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "api/router.h"

namespace grappe {
namespace {

constexpr const char* kMethods[] = {"Jobs/Submit",
                                    "Jobs/List",
                                    "Jobs/Cancel",
                                    "History/Jobs",
                                    "Reports/Usage",
                                    "Reports/JobSizes",
                                    "Reports/Events",
                                    "Reports/Reservations",
                                    "History/Samples",
                                    "Planning/Why",
                                    "Forecasts/When",
                                    "Forecasts/Score",
                                    "Boosts/Change",
                                    "Steps/Use",
                                    "Jobs/Update",
                                    "Jobs/Act",
                                    "Jobs/Wait",
                                    "Jobs/Complete",
                                    "Jobs/Script",
                                    "Steps/Create",
                                    "Steps/Update",
                                    "Cluster/UpdateNode",
                                    "Cluster/ChangePartition",
                                    "Cluster/Nodes",
                                    "Cluster/Partitions",
                                    "Cluster/ChangeReservation",
                                    "Cluster/Reservations",
                                    "Books/Change",
                                    "Books/List"};

// Answers everything with an empty message.
class SilentEngine : public Engine {
 public:
#define ANSWER(method, In, Out)                                                    \
  void method(const Caller&, v1::In request, Reply<v1::Out> reply) override {      \
    if (request.SerializeAsString().size() > request.ByteSizeLong()) std::abort(); \
    reply(v1::Out());                                                              \
  }
  ANSWER(submit, SubmitRequest, SubmitResponse)
  void list_jobs(const Caller&, v1::ListJobsRequest, Reply<JobListing> reply) override {
    reply(JobListing());
  }
  void history(const Caller&, v1::HistoryRequest, Reply<HistoryListing> reply) override {
    reply(HistoryListing());
  }
  ANSWER(shares, SharesRequest, SharesResponse)
  ANSWER(boosts, BoostsRequest, BoostsResponse)
  ANSWER(change_boost, ChangeBoostRequest, BoostsResponse)
  ANSWER(priorities, PrioritiesRequest, PrioritiesResponse)
  ANSWER(usage, UsageRequest, UsageResponse)
  ANSWER(job_sizes, JobSizesRequest, JobSizesResponse)
  ANSWER(reservation_usage, ReservationUsageRequest, ReservationUsageResponse)
  ANSWER(events, EventsRequest, EventsResponse)
  ANSWER(books, BooksRequest, BooksResponse)
  ANSWER(change_books, ChangeBooksRequest, ChangeBooksResponse)
  ANSWER(transactions, TransactionsRequest, TransactionsResponse)
  ANSWER(amend_jobs, AmendJobsRequest, AmendJobsResponse)
  ANSWER(archive, ArchiveRequest, ArchiveResponse)
  ANSWER(load_archive, LoadArchiveRequest, ArchiveResponse)
  ANSWER(backup, BackupRequest, BackupResponse)
  v1::AdminLevel admin_level(const std::string&) const override {
    return v1::ADMIN_NONE;
  }
  ANSWER(samples, SamplesRequest, SamplesResponse)
  ANSWER(why, WhyRequest, WhyResponse)
  ANSWER(when, WhenRequest, WhenResponse)
  ANSWER(score, ScoreRequest, ScoreResponse)
  ANSWER(cancel, CancelRequest, CancelResponse)
  ANSWER(update_job, UpdateJobRequest, JobsChanged)
  ANSWER(act, JobActionRequest, JobsChanged)
  ANSWER(wait, WaitRequest, WaitResponse)
  ANSWER(complete, CompleteRequest, CompleteResponse)
  ANSWER(script, ScriptRequest, ScriptResponse)
  ANSWER(create_step, CreateStepRequest, CreateStepResponse)
  ANSWER(update_step, UpdateStepRequest, UpdateStepResponse)
  ANSWER(step_use, StepUseRequest, StepUseResponse)
  ANSWER(nodes, NodesRequest, NodesResponse)
  ANSWER(update_node, UpdateNodeRequest, Empty)
  ANSWER(partitions, PartitionsRequest, PartitionsResponse)
  ANSWER(change_partition, ChangePartitionRequest, Empty)
  ANSWER(reservations, ReservationsRequest, ReservationsResponse)
  ANSWER(change_reservation, ChangeReservationRequest, ChangeReservationResponse)
  ANSWER(licenses, LicensesRequest, LicensesResponse)
  ANSWER(config, ConfigRequest, ConfigResponse)
  ANSWER(reconfigure, Empty, ReconfigureResponse)
  ANSWER(ping, Empty, PingResponse)
  ANSWER(diag, DiagRequest, DiagResponse)
#undef ANSWER
};

}  // namespace
}  // namespace grappe

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace grappe;
  static SilentEngine engine;
  static Service service(engine, ServiceRules{});
  static api::Router router(service);
  if (size < 2) return 0;
  api::Request request;
  request.path = std::string("/grappe.v1.") + kMethods[data[0] % std::size(kMethods)];
  request.content_type = data[1] & 1 ? "application/json" : "application/proto";
  request.uid = data[1] & 2 ? 0 : 65534;
  request.gid = request.uid;
  request.body.assign(reinterpret_cast<const char*>(data) + 2, size - 2);
  int answers = 0;
  router.handle(std::move(request), [&](const api::Response& response) {
    ++answers;
    if (response.status < 200 || response.status > 599) std::abort();
  });
  if (answers != 1) std::abort();
  return 0;
}
