// Answers of the service Reports: sums of the books, by the tree of associations.
//
// They are made beside the engine, from the store and from what the engine gave along.
#pragma once

#include <string>
#include <vector>

#include "embedded/core.h"
#include "grappe/v1/reports.pb.h"
#include "store/store.h"

namespace grappe::embedded {

// An association of the tree; without a user it is an account.
struct TreeRow {
  uint32_t id = 0, parent_id = 0;
  std::string account, user, parent;
  bool deleted = false;
};

struct ReportContext {
  std::string cluster;
  int64_t now = 0;
  // Set: a user who may see no others' use.
  bool only_own = false;
  uid_t uid = 0;
  std::string user;
  bool no_events = false;              // he may see none
  bool only_his_reservations = false;  // those that he may use
  std::vector<TreeRow> tree;           // parents before their children
  std::vector<ReservationWindow> planned;
};
ReportContext report_context(const Core& core, const Caller& caller);

Result<v1::UsageResponse> usage_report(Store& store, const ReportContext& context,
                                       const v1::UsageRequest& request);
Result<v1::JobSizesResponse> job_sizes_report(Store& store, const ReportContext& context,
                                              const v1::JobSizesRequest& request);
Result<v1::ReservationUsageResponse> reservation_report(Store& store, const ReportContext& context,
                                                        const v1::ReservationUsageRequest& request);
Result<v1::EventsResponse> events_report(Store& store, const ReportContext& context,
                                         const v1::EventsRequest& request);

}  // namespace grappe::embedded
