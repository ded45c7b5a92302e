// The service as a command sees it: one call, with the types of the schema. A test stands behind
// it in place of the service.
//
//   ServiceCalls calls;
//   auto nodes = calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
#pragma once

#include <google/protobuf/message_lite.h>

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "client/client.h"

namespace grappe {

class Calls {
 public:
  virtual ~Calls() = default;
  virtual Status exchange(const std::string& method, const google::protobuf::MessageLite& request,
                          google::protobuf::MessageLite& response,
                          std::chrono::milliseconds timeout) = 0;

  template <class Response>
  Result<Response> call(const std::string& method, const google::protobuf::MessageLite& request,
                        std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
    Response response;
    Status done = exchange(method, request, response, timeout);
    if (!done) return tl::unexpected<Error>(done.error());
    return response;
  }
};

// Connects at the first call: many commands answer without the service (`scontrol show
// hostnames`).
class ServiceCalls final : public Calls {
 public:
  ServiceCalls() = default;
  explicit ServiceCalls(bool one_call) : one_call_(one_call) {}

  Status exchange(const std::string& method, const google::protobuf::MessageLite& request,
                  google::protobuf::MessageLite& response,
                  std::chrono::milliseconds timeout) override;

 private:
  bool one_call_ = false;
  std::optional<Client> client_;
};

}  // namespace grappe
