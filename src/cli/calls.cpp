#include "cli/calls.h"

namespace grappe {

Status ServiceCalls::exchange(const std::string& method,
                              const google::protobuf::MessageLite& request,
                              google::protobuf::MessageLite& response,
                              std::chrono::milliseconds timeout) {
  if (!client_) {
    Result<Client> connected = Client::connect(socket_path(), one_call_);
    if (!connected) return tl::unexpected<Error>(connected.error());
    client_.emplace(std::move(*connected));
  }
  return client_->exchange(method, request, response, timeout);
}

}  // namespace grappe
