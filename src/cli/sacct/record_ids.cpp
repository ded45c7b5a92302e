#include "cli/sacct/record_ids.h"

#include "grappe/v1/books.pb.h"

namespace grappe {

Result<RecordIds> RecordIds::ask(Calls& calls) {
  v1::BooksRequest which;
  which.set_qos(true);
  which.set_wckeys(true);
  which.set_deleted(true);
  auto books = calls.call<v1::BooksResponse>("Books/List", which);
  if (!books) return tl::unexpected<Error>(books.error());
  v1::ReservationUsageRequest always;
  always.set_end_time(INT64_MAX);
  always.set_planned(true);
  always.set_unmeasured(true);
  auto reservations = calls.call<v1::ReservationUsageResponse>("Reports/Reservations", always);
  if (!reservations) return tl::unexpected<Error>(reservations.error());
  RecordIds ids;
  for (const v1::Qos& qos : books->qos()) ids.qos_[qos.name()] = qos.id();
  for (const v1::Wckey& key : books->wckeys()) ids.wckeys_[{key.user(), key.name()}] = key.id();
  ids.reservations_ = std::move(*reservations);
  return ids;
}

uint32_t RecordIds::qos(const v1::JobInfo& job) const {
  const auto found = qos_.find(job.qos());
  return found == qos_.end() ? 0 : found->second;
}

uint32_t RecordIds::wckey(const v1::JobInfo& job) const {
  const bool by_default = job.wckey().starts_with('*');
  const auto found = wckeys_.find({job.user(), job.wckey().substr(by_default ? 1 : 0)});
  return found == wckeys_.end() ? 0 : found->second;
}

uint32_t RecordIds::reservation(const v1::JobInfo& job) const {
  uint32_t id = 0;
  for (const v1::ReservationUsage& one : reservations_.reservations()) {
    const bool had_begun = !job.start_time() || one.start_time() <= job.start_time();
    if (one.name() == job.resv_name() && had_begun) id = one.id();
  }
  return id;
}

}  // namespace grappe
