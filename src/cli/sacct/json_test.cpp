#include "cli/sacct/json.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string written(const v1::HistoryResponse& history) {
  v1::BooksResponse books;
  v1::Tres& cpu = *books.add_tres();
  cpu.set_id(1);
  cpu.set_type("cpu");
  v1::Tres& gpu = *books.add_tres();
  gpu.set_id(1001);
  gpu.set_type("gres");
  gpu.set_name("gpu");
  std::string out;
  append_history_json(out, history, books, RecordIds());
  return out;
}

TEST(SacctJson, HasTheHeadOfSlurmsDatabasePlugin) {
  const std::string text = written({});
  EXPECT_TRUE(has(text, "\"type\": \"openapi\\/dbv0.0.38\""));
  EXPECT_TRUE(has(text, "\"jobs\": [\n  ]"));
}

TEST(SacctJson, NumbersTheResourcesAsTheBooksDo) {
  v1::HistoryResponse history;
  v1::JobInfo& info = *history.add_jobs()->mutable_info();
  info.set_job_id(7);
  info.set_tres_alloc("cpu=2,gres/gpu=1");
  const std::string text = written(history);
  EXPECT_TRUE(
      has(text, "\"type\": \"gres\",\n            \"name\": \"gpu\",\n            \"id\": 1001"))
      << text;
  EXPECT_TRUE(has(text, "\"job_id\": 7"));
}

TEST(SacctJson, TellsHowAJobEnded) {
  v1::HistoryResponse history;
  history.add_jobs()->mutable_info()->set_exit_code(3 << 8);
  history.add_jobs()->mutable_info()->set_exit_code(9);
  const std::string text = written(history);
  EXPECT_TRUE(has(text, "\"status\": \"ERROR\",\n        \"return_code\": 3"));
  EXPECT_TRUE(has(text, "\"signal_id\": 9,\n          \"name\": \"KILL\""));
}

}  // namespace
}  // namespace grappe
