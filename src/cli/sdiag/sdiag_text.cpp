#include "cli/sdiag/sdiag_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <vector>

namespace grappe {
namespace {

// "Sun Nov 15 18:35:47 2026 (1794767747)"; a moment that never was is "N/A".
std::string when(int64_t time) {
  if (time == 0) return "N/A";
  time_t seconds = time;
  tm local{};
  localtime_r(&seconds, &local);
  char text[64];
  strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
  return fmt::format("{} ({})", text, time);
}

uint64_t mean(uint64_t total, uint64_t count) {
  return count ? total / count : 0;
}

std::string head(const v1::DiagResponse& d) {
  constexpr std::string_view kRule = "*******************************************************\n";
  std::string text(kRule);
  text += fmt::format("sdiag output at {}\n", when(d.now()));
  text += fmt::format("Data since      {}\n", when(d.since()));
  text += kRule;
  text += fmt::format("Server thread count:  {}\n", d.server_threads());
  // Nothing is sent to other machines, so nothing waits to be sent.
  text += "Agent queue size:     0\nAgent count:          0\nAgent thread count:   0\n";
  text += "DBD Agent queue size: 0\n\n";
  text += fmt::format("Jobs submitted: {}\n", d.jobs_submitted());
  text += fmt::format("Jobs started:   {}\n", d.jobs_started());
  text += fmt::format("Jobs completed: {}\n", d.jobs_completed());
  text += fmt::format("Jobs canceled:  {}\n", d.jobs_canceled());
  text += fmt::format("Jobs failed:    {}\n\n", d.jobs_failed());
  text += fmt::format("Job states ts:  {}\n", when(d.states_time()));
  text += fmt::format("Jobs pending:   {}\n", d.jobs_pending());
  text += fmt::format("Jobs running:   {}\n", d.jobs_running());
  return text;
}

std::string main_cycles(const v1::DiagResponse& d) {
  const v1::CycleStats& c = d.main();
  std::string text = "\nMain schedule statistics (microseconds):\n";
  text += fmt::format("\tLast cycle:   {}\n", c.last_us());
  text += fmt::format("\tMax cycle:    {}\n", c.max_us());
  text += fmt::format("\tTotal cycles: {}\n", c.cycles());
  if (c.cycles()) {
    text += fmt::format("\tMean cycle:   {}\n", mean(c.total_us(), c.cycles()));
    text += fmt::format("\tMean depth cycle:  {}\n", mean(c.total_depth(), c.cycles()));
  }
  int64_t minutes = (d.now() - d.since()) / 60;
  if (minutes > 0) {
    text += fmt::format("\tCycles per minute: {}\n", c.cycles() / static_cast<uint64_t>(minutes));
  }
  return text + fmt::format("\tLast queue length: {}\n", c.last_queue());
}

std::string backfill_cycles(const v1::DiagResponse& d) {
  const v1::CycleStats& c = d.backfill();
  std::string text = "\nBackfilling stats\n";
  text += fmt::format("\tTotal backfilled jobs (since last slurm start): {}\n",
                      d.backfilled_since_start());
  text += fmt::format("\tTotal backfilled jobs (since last stats cycle start): {}\n",
                      d.backfilled_since_reset());
  text += "\tTotal backfilled heterogeneous job components: 0\n";
  text += fmt::format("\tTotal cycles: {}\n", c.cycles());
  text += fmt::format("\tLast cycle when: {}\n", when(c.last_when()));
  text += fmt::format("\tLast cycle: {}\n", c.last_us());
  text += fmt::format("\tMax cycle:  {}\n", c.max_us());
  if (c.cycles()) text += fmt::format("\tMean cycle: {}\n", mean(c.total_us(), c.cycles()));
  text += fmt::format("\tLast depth cycle: {}\n", c.last_depth());
  text += fmt::format("\tLast depth cycle (try sched): {}\n", c.last_depth_try());
  if (c.cycles()) {
    text += fmt::format("\tDepth Mean: {}\n", mean(c.total_depth(), c.cycles()));
    text += fmt::format("\tDepth Mean (try depth): {}\n", mean(c.total_depth_try(), c.cycles()));
  }
  text += fmt::format("\tLast queue length: {}\n", c.last_queue());
  if (c.cycles())
    text += fmt::format("\tQueue length mean: {}\n", mean(c.total_queue(), c.cycles()));
  text += fmt::format("\tLast table size: {}\n", c.last_table());
  if (c.cycles()) text += fmt::format("\tMean table size: {}\n", mean(c.total_table(), c.cycles()));
  return text;
}

using CallList = google::protobuf::RepeatedPtrField<v1::CallStats>;

std::vector<const v1::CallStats*> sorted(const CallList& calls, CallOrder order) {
  std::vector<const v1::CallStats*> list;
  for (const v1::CallStats& call : calls) list.push_back(&call);
  auto key = [order](const v1::CallStats& call) -> uint64_t {
    switch (order) {
      case CallOrder::kByCount:
        return call.count();
      case CallOrder::kByTotalTime:
        return call.total_us();
      case CallOrder::kByMeanTime:
        return mean(call.total_us(), call.count());
      case CallOrder::kById:
        break;
    }
    return UINT32_MAX - call.id();
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const auto* a, const auto* b) { return key(*a) > key(*b); });
  return list;
}

// `name_width` and `id_width` differ between the two tables.
std::string call_table(const CallList& calls, CallOrder order, int name_width, int id_width) {
  std::string text;
  for (const v1::CallStats* call : sorted(calls, order)) {
    text += fmt::format("\t{:<{}}({:>{}}) count:{:<6} ave_time:{:<6} total_time:{}\n", call->name(),
                        name_width, call->id(), id_width, call->count(),
                        mean(call->total_us(), call->count()), call->total_us());
  }
  return text;
}

}  // namespace

std::string sdiag_text(const v1::DiagResponse& diag, CallOrder order) {
  std::string text = head(diag) + main_cycles(diag) + backfill_cycles(diag);
  text += fmt::format("\nLatency for 1000 calls to gettimeofday(): {} microseconds\n",
                      diag.gettimeofday_1000_us());
  text += "\nRemote Procedure Call statistics by message type\n";
  text += call_table(diag.by_call(), order, 40, 5);
  text += "\nRemote Procedure Call statistics by user\n";
  text += call_table(diag.by_user(), order, 16, 8);
  return text + "\nPending RPC statistics\n\tNo pending RPCs\n";
}

}  // namespace grappe
