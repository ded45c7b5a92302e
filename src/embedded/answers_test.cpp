#include "embedded/answers.h"

#include <gtest/gtest.h>

#include "embedded/testing/engine_fixture.h"

namespace grappe::embedded {
namespace {

class AnswersTest : public EngineTest {
 protected:
  static Caller with_token(Caller caller, std::string token) {
    caller.token = std::move(token);
    return caller;
  }
};

TEST_F(AnswersTest, OutliveARestart) {
  const Caller caller = with_token(alice, "t1");
  core().answers.keep(state(), caller, now, "done");
  settle();
  restart();
  const std::string* known = core().answers.find(caller);
  ASSERT_TRUE(known);
  EXPECT_EQ(*known, "done");
}

TEST_F(AnswersTest, AreForTheOneWhoAskedAndForHisToken) {
  core().answers.keep(state(), with_token(alice, "t1"), now, "done");
  EXPECT_FALSE(core().answers.find(with_token(bob, "t1")));
  EXPECT_FALSE(core().answers.find(with_token(alice, "t2")));
  EXPECT_FALSE(core().answers.find(alice));
}

TEST_F(AnswersTest, AreForgottenAfterMinutesOnDiskToo) {
  const Caller caller = with_token(alice, "t1");
  core().answers.keep(state(), caller, now, "done");
  advance(60);
  EXPECT_TRUE(core().answers.find(caller));
  advance(240);
  EXPECT_FALSE(core().answers.find(caller));
  restart();
  EXPECT_FALSE(core().answers.find(caller));
}

TEST_F(AnswersTest, OfASubmissionAreItsJob) {
  v1::SubmitRequest request;
  *request.mutable_spec() = job().spec();
  request.set_script("#!/bin/sh\n");
  request.set_token("t1");
  auto send = [&](const Caller& who) {
    auto answer = ask<v1::SubmitResponse>(
        [&](auto reply) { on_submit(core(), who, request, std::move(reply)); });
    EXPECT_TRUE(answer);
    return answer->job_id();
  };
  uint32_t id = send(alice);
  restart();
  EXPECT_EQ(send(alice), id);
  EXPECT_NE(send(bob), id);
}

}  // namespace
}  // namespace grappe::embedded
