// The numbers behind the names in a job's record: what QOSRAW, WCKeyID and ReservationId show.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "cli/calls.h"
#include "grappe/v1/history.pb.h"
#include "grappe/v1/reports.pb.h"

namespace grappe {

class RecordIds {
 public:
  RecordIds() = default;
  // Asks the service for the books and the reservations that ever were.
  static Result<RecordIds> ask(Calls& calls);

  // 0: there is none of that name.
  uint32_t qos(const v1::JobInfo& job) const;
  uint32_t wckey(const v1::JobInfo& job) const;
  // Of the reservation that the job ran in, or waits for.
  uint32_t reservation(const v1::JobInfo& job) const;

 private:
  std::map<std::string, uint32_t, std::less<>> qos_;
  std::map<std::pair<std::string, std::string>, uint32_t> wckeys_;  // by user and name
  v1::ReservationUsageResponse reservations_;                       // by their start
};

}  // namespace grappe
