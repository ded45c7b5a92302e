#include "cli/sprio/sprio.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

v1::PrioritiesResponse site() {
  v1::PrioritiesResponse out;
  out.set_multifactor(true);
  v1::PriorityInfo& weights = *out.mutable_weights();
  weights.set_site(1);
  weights.set_age(1000);
  weights.set_fair_share(10000);
  weights.set_job_size(100);
  weights.set_part(1000);
  weights.set_qos_priority(5000);
  return out;
}

std::string value(char letter, const v1::PriorityInfo& row, const v1::PrioritiesResponse& answer,
                  bool weights = false) {
  for (const SprioField& field : sprio_fields()) {
    if (field.letter != letter) continue;
    std::string out;
    field.value(out, row, SprioContext{answer, weights});
    return out;
  }
  return "no such field";
}

TEST(Sprio, HasAllFieldsOfSlurm) {
  EXPECT_EQ(sprio_fields().size(), 22u);
}

TEST(Sprio, ShowsColumnsOfWhatHasAWeight) {
  SprioOptions options;
  EXPECT_EQ(sprio_format(options, site().weights()),
            "%.15i %9r %.10Y %.10S %.10A %.10F %.10J %.10P %.10Q");
  options.by_user = options.normalized = true;
  EXPECT_EQ(sprio_format(options, site().weights()),
            "%.15i %9r %.8u %10y %10a %10f %10j %10p %10q");
  options = {};
  options.long_form = true;
  EXPECT_EQ(sprio_format(options, site().weights()),
            "%.15i %9r %.8u %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10Q %.11N %.20T");
}

TEST(Sprio, RoundsAFactorAndCutsThePriority) {
  const v1::PrioritiesResponse answer = site();
  v1::PriorityInfo row;
  row.set_fair_share(3335.67);
  row.set_job_size(56.25);
  row.set_priority(3391);
  EXPECT_EQ(value('F', row, answer), "3336");
  EXPECT_EQ(value('f', row, answer), "0.3335670");
  EXPECT_EQ(value('J', row, answer), "56");
  EXPECT_EQ(value('b', row, answer), "0.0000000");
  EXPECT_EQ(value('Y', row, answer), "3391");
  EXPECT_EQ(value('y', row, answer), "0.00000078974292");
}

TEST(Sprio, ListsTresThatCount) {
  v1::PrioritiesResponse answer = site();
  for (const char* name : {"cpu", "mem", "gres/gpu"}) answer.add_tres(name);
  for (double weight : {1000, 2000, 3001}) answer.mutable_weights()->add_tres(weight);
  answer.set_tres_weights("CPU=1000,Mem=2000,GRES/gpu=3001");
  v1::PriorityInfo row;
  for (double weighted : {125.0, 0.0, 187.5625}) row.add_tres(weighted);
  EXPECT_EQ(value('T', row, answer), "cpu=125,gres/gpu=188");
  EXPECT_EQ(value('t', row, answer), "cpu=0.12,gres/gpu=0.06");
  EXPECT_EQ(value('T', answer.weights(), answer, true), "CPU=1000,Mem=2000,GRES/gpu=3001");
  EXPECT_EQ(value('t', answer.weights(), answer, true), "");
}

TEST(Sprio, OfWeightsShowsNothingOfAJob) {
  const v1::PrioritiesResponse answer = site();
  EXPECT_EQ(value('i', answer.weights(), answer, true), "Weights");
  EXPECT_EQ(value('A', answer.weights(), answer, true), "1000");
  EXPECT_EQ(value('a', answer.weights(), answer, true), "1000");
  for (char letter : {'u', 'r', 'Y', 'y', 'N'}) {
    EXPECT_EQ(value(letter, answer.weights(), answer, true), "") << letter;
  }
}

}  // namespace
}  // namespace grappe
