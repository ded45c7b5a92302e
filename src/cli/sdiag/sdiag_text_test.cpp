#include "cli/sdiag/sdiag_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace grappe {
namespace {

void add(google::protobuf::RepeatedPtrField<v1::CallStats>* calls, const char* name, uint32_t id,
         uint64_t count, uint64_t total) {
  v1::CallStats& call = *calls->Add();
  call.set_name(name);
  call.set_id(id);
  call.set_count(count);
  call.set_total_us(total);
}

v1::DiagResponse recorded() {
  v1::DiagResponse d;
  d.set_now(1794767747);
  d.set_since(1794767641);
  d.set_server_threads(3);
  d.set_jobs_submitted(36);
  d.set_jobs_started(25);
  d.set_jobs_completed(26);
  d.set_jobs_canceled(9);
  d.set_states_time(1794767731);
  v1::CycleStats& main = *d.mutable_main();
  main.set_last_us(460);
  main.set_max_us(998);
  main.set_cycles(25);
  main.set_total_us(335 * 25);
  main.set_last_queue(6);
  d.set_backfilled_since_start(1);
  d.set_backfilled_since_reset(1);
  v1::CycleStats& fill = *d.mutable_backfill();
  fill.set_cycles(1);
  fill.set_last_when(1794767700);
  fill.set_last_us(443);
  fill.set_max_us(443);
  fill.set_total_us(443);
  fill.set_last_depth(1);
  fill.set_total_depth(1);
  fill.set_last_depth_try(1);
  fill.set_total_depth_try(1);
  fill.set_last_queue(1);
  fill.set_total_queue(1);
  fill.set_last_table(1);
  fill.set_total_table(1);
  d.set_gettimeofday_1000_us(28);
  add(d.mutable_by_call(), "REQUEST_FED_INFO", 2049, 137, 33301);
  add(d.mutable_by_call(), "REQUEST_PARTITION_INFO", 2009, 151, 27014);
  add(d.mutable_by_call(), "ACCOUNTING_UPDATE_MSG", 10001, 15, 4796);
  add(d.mutable_by_user(), "alice", 1001, 133, 53437);
  add(d.mutable_by_user(), "slurm", 64030, 15, 4796);
  return d;
}

class Sdiag : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
  }
};

TEST_F(Sdiag, WritesWhatSlurmWrites) {
  EXPECT_EQ(sdiag_text(recorded(), CallOrder::kByCount),
            R"(*******************************************************
sdiag output at Sun Nov 15 18:35:47 2026 (1794767747)
Data since      Sun Nov 15 18:34:01 2026 (1794767641)
*******************************************************
Server thread count:  3
Agent queue size:     0
Agent count:          0
Agent thread count:   0
DBD Agent queue size: 0

Jobs submitted: 36
Jobs started:   25
Jobs completed: 26
Jobs canceled:  9
Jobs failed:    0

Job states ts:  Sun Nov 15 18:35:31 2026 (1794767731)
Jobs pending:   0
Jobs running:   0

Main schedule statistics (microseconds):
	Last cycle:   460
	Max cycle:    998
	Total cycles: 25
	Mean cycle:   335
	Mean depth cycle:  0
	Cycles per minute: 25
	Last queue length: 6

Backfilling stats
	Total backfilled jobs (since last slurm start): 1
	Total backfilled jobs (since last stats cycle start): 1
	Total backfilled heterogeneous job components: 0
	Total cycles: 1
	Last cycle when: Sun Nov 15 18:35:00 2026 (1794767700)
	Last cycle: 443
	Max cycle:  443
	Mean cycle: 443
	Last depth cycle: 1
	Last depth cycle (try sched): 1
	Depth Mean: 1
	Depth Mean (try depth): 1
	Last queue length: 1
	Queue length mean: 1
	Last table size: 1
	Mean table size: 1

Latency for 1000 calls to gettimeofday(): 28 microseconds

Remote Procedure Call statistics by message type
	REQUEST_PARTITION_INFO                  ( 2009) count:151    ave_time:178    total_time:27014
	REQUEST_FED_INFO                        ( 2049) count:137    ave_time:243    total_time:33301
	ACCOUNTING_UPDATE_MSG                   (10001) count:15     ave_time:319    total_time:4796

Remote Procedure Call statistics by user
	alice           (    1001) count:133    ave_time:401    total_time:53437
	slurm           (   64030) count:15     ave_time:319    total_time:4796

Pending RPC statistics
	No pending RPCs
)");
}

TEST_F(Sdiag, SortsCalls) {
  auto before = [](const std::string& text, const char* a, const char* b) {
    return text.find(a) < text.find(b);
  };
  std::string by_id = sdiag_text(recorded(), CallOrder::kById);
  EXPECT_TRUE(before(by_id, "REQUEST_PARTITION_INFO", "REQUEST_FED_INFO"));
  EXPECT_TRUE(before(by_id, "REQUEST_FED_INFO", "ACCOUNTING_UPDATE_MSG"));
  EXPECT_TRUE(before(sdiag_text(recorded(), CallOrder::kByTotalTime), "REQUEST_FED_INFO",
                     "REQUEST_PARTITION_INFO"));
  EXPECT_TRUE(before(sdiag_text(recorded(), CallOrder::kByMeanTime), "ACCOUNTING_UPDATE_MSG",
                     "REQUEST_FED_INFO"));
}

}  // namespace
}  // namespace grappe
