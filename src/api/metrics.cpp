#include "api/metrics.h"

#include <fmt/core.h>

namespace grappe::api {
namespace {

class Page {
 public:
  void gauge(std::string_view name, std::string_view help, double value) {
    add(name, help, "gauge", value);
  }
  void counter(std::string_view name, std::string_view help, double value) {
    add(name, help, "counter", value);
  }
  std::string take() { return std::move(text_); }

 private:
  void add(std::string_view name, std::string_view help, std::string_view type, double value) {
    text_ += fmt::format("# HELP grappe_{0} {1}\n# TYPE grappe_{0} {2}\ngrappe_{0} {3}\n", name,
                         help, type, value);
  }
  std::string text_;
};

std::string page_of(const v1::DiagResponse& diag) {
  Page page;
  page.gauge("jobs_pending", "Jobs that wait", static_cast<double>(diag.jobs_pending()));
  page.gauge("jobs_running", "Jobs that hold resources", static_cast<double>(diag.jobs_running()));
  page.counter("jobs_submitted_total", "Jobs accepted", static_cast<double>(diag.jobs_submitted()));
  page.counter("jobs_started_total", "Jobs started", static_cast<double>(diag.jobs_started()));
  page.counter("jobs_completed_total", "Jobs that ended well",
               static_cast<double>(diag.jobs_completed()));
  page.counter("jobs_cancelled_total", "Jobs cancelled", static_cast<double>(diag.jobs_canceled()));
  page.counter("jobs_failed_total", "Jobs that failed", static_cast<double>(diag.jobs_failed()));
  page.counter("scheduler_passes_total", "Passes of the scheduler",
               static_cast<double>(diag.main().cycles()));
  page.counter("scheduler_seconds_total", "Time spent in passes",
               static_cast<double>(diag.main().total_us()) / 1e6);
  page.gauge("scheduler_last_pass_seconds", "The last pass",
             static_cast<double>(diag.main().last_us()) / 1e6);
  page.counter("commits_total", "Commits to the store", static_cast<double>(diag.store_commits()));
  page.counter("commit_seconds_total", "Time spent in commits",
               static_cast<double>(diag.store_commit_us()) / 1e6);
  return page.take();
}

}  // namespace

void answer_health(Engine& engine, Reply reply) {
  engine.ping(Caller{}, v1::Empty{}, [reply](Result<v1::PingResponse> answer) {
    reply({answer ? 200 : 503, "text/plain", answer ? "ok\n" : answer.error().message + "\n"});
  });
}

void answer_metrics(Engine& engine, Reply reply) {
  engine.diag(Caller{}, v1::DiagRequest{}, [reply](Result<v1::DiagResponse> diag) {
    if (!diag) return reply({503, "text/plain", diag.error().message + "\n"});
    reply({200, "text/plain; version=0.0.4", page_of(*diag)});
  });
}

}  // namespace grappe::api
