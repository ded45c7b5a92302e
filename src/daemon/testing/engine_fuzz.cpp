// Requests in JSON, one a line, to the real engine on a pretended machine: whatever anybody asks,
// in whatever order, must not bring it down.
//
//   a Jobs/Submit {"spec": {"batch": true, ...}, "script": "..."}
//
// The first letter says who asks: 'r' root, any other a user. "+ 60" lets a minute pass, "end" ends
// every step that runs, "again" restarts the engine on the same store.
#include <cstdint>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>

#include "api/router.h"
#include "base/log.h"
#include "base/text.h"
#include "embedded/embedded_engine.h"
#include "exec/fake/fake_executor.h"
#include "store/memory/memory_store.h"

namespace grappe {
namespace {

embedded::Cluster machine() {
  LoadedConfig loaded;
  loaded.cluster.service.cluster_name = "fuzz";
  loaded.cluster.scheduling.memory.default_per_cpu_mb = 512;
  for (const char* name : {"node1", "node2", "node3"}) {
    ConfiguredNode& node = loaded.nodes.emplace_back();
    node.name = name;
    node.hostname = node.address = "localhost";
    node.topology = {
        .boards = 1, .sockets = 2, .cores_per_socket = 2, .threads_per_core = 2, .cpus = 8};
    node.memory_mb = 32000;
    node.features = {"fast", "big"};
    node.gres_text = "gpu:4";
    node.gres = {{.name = "gpu", .type = "", .count = 4, .no_consume = false, .devices = {}}};
  }
  PartitionConfig& batch = loaded.partitions.emplace_back().config;
  batch.name = "batch";
  batch.nodes = "ALL";
  batch.is_default = true;
  return embedded::make_cluster(loaded);
}

class World {
 public:
  World() { begin(); }

  void line(std::string_view text) {
    if (text.starts_with("+ ")) {
      now_ms_ += static_cast<int64_t>(parse_uint(text.substr(2), 1'000'000).value_or(1)) * 1000;
    } else if (text == "end") {
      for (const exec::StepKey& key : executor_.running()) executor_.end(key, 0);
    } else if (text == "again") {
      router_.reset();
      service_.reset();
      engine_.reset();
      begin();
    } else {
      request(text);
    }
    pass();
  }

 private:
  void begin() {
    embedded::Parts parts{store_,
                          executor_,
                          {},
                          machine(),
                          [this] { return now_ms_.load(); },
                          [](auto&) -> Result<embedded::Cluster> { return machine(); },
                          [](const auto&, auto&) {}};
    auto opened = embedded::EmbeddedEngine::open(std::move(parts));
    if (!opened) std::abort();
    engine_ = std::move(*opened);
    service_ = std::make_unique<Service>(*engine_, ServiceRules{});
    router_ = std::make_unique<api::Router>(*service_);
    engine_->start();
    executor_.ready();
    pass();
  }

  void request(std::string_view text) {
    const size_t first = text.find(' '), second = text.find(' ', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return;
    api::Request request;
    request.path = "/grappe.v1." + std::string(text.substr(first + 1, second - first - 1));
    request.content_type = "application/json";
    request.uid = request.gid = text[0] == 'r' ? 0 : 65534;
    request.body = text.substr(second + 1);
    router_->handle(std::move(request), [](const api::Response&) {});
  }

  // Twice through the engine's loop and what it wrote has happened, or is on its way.
  void pass() {
    for (int i = 0; i < 3; ++i) {
      std::promise<void> done;
      engine_->update_node(Caller{.is_operator = true}, nothing_, [&](auto) { done.set_value(); });
      done.get_future().wait();
    }
  }

  std::atomic<int64_t> now_ms_ = 1'800'000'000'000;
  MemoryStore store_;
  exec::FakeExecutor executor_;
  v1::UpdateNodeRequest nothing_;
  std::unique_ptr<embedded::EmbeddedEngine> engine_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<api::Router> router_;
};

}  // namespace
}  // namespace grappe

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace grappe;
  constexpr size_t kMostLines = 16;
  set_log_level(LogLevel::kError);
  World world;
  size_t count = 0;
  for (std::string_view line : split({reinterpret_cast<const char*>(data), size}, '\n')) {
    if (++count > kMostLines) break;
    world.line(line);
  }
  return 0;
}
