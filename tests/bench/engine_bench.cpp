// How long the engine's pass over a long queue takes: engine_bench [JOBS]
#include <cstdio>
#include <cstdlib>

#include "embedded/testing/engine_fixture.h"

namespace grappe::embedded {
namespace {

size_t jobs = 100'000;

class LongQueue : public EngineTest {
 protected:
  void fill() {
    cluster().config.limits.max_job_count = UINT32_MAX;
    for (int i = 0; i < 4; ++i) submit_only(job().cpus(8).minutes(6000));
    settle();
    for (size_t i = 0; i < jobs; ++i) submit_only(job().minutes(10 + i % 50));
  }
  // Without the pass that each submission would wait for here.
  void submit_only(const JobWish& wish) {
    v1::SubmitRequest request;
    *request.mutable_spec() = wish.spec();
    request.set_script("#!/bin/sh\n");
    on_submit(core(), alice, std::move(request), Reply<v1::SubmitResponse>([](auto) {}));
  }
};

TEST_F(LongQueue, Pass) {
  fill();
  for (int i = 0; i < 5; ++i) {
    now += 1;
    core().now = now;
    core().plan_wanted = true;
    settle();
    std::printf("pass over %zu jobs: %.1f ms\n", state().pending().size(),
                static_cast<double>(core().counters.main.last_us()) / 1000);
  }
}

}  // namespace
}  // namespace grappe::embedded

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) grappe::embedded::jobs = std::strtoul(argv[1], nullptr, 10);
  return RUN_ALL_TESTS();
}
