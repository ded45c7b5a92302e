// The fixture of the end-to-end tests: one running launcher per test.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "exec/testing/service.h"

namespace grappe::exec::testing {

class ServiceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Service::available()) GTEST_SKIP() << "needs root: steps run as another user";
    service_ = std::make_unique<Service>();
    ready_ = service_->connect();
  }
  Service& service() { return *service_; }
  Executor& executor() { return service_->executor(); }

  // Forgets an ended step and cleans its job.
  void finish(StepKey key) {
    executor().forget(key);
    service().clean(key.job_id);
  }

  std::unique_ptr<Service> service_;
  ExecutorReady ready_;
};

}  // namespace grappe::exec::testing
