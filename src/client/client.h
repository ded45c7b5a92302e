// Typed calls to the service over its Unix socket: what every command uses.
//
//   auto service = Client::connect(socket_path());
//   auto answer = service->call<v1::SubmitResponse>("Jobs/Submit", request);
//
// Not for several threads at once; make a Client for each.
#pragma once

#include <google/protobuf/message_lite.h>

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"

namespace grappe {

namespace http {
struct Response;
}

class Client {
 public:
  // Nothing listens, or it may not be used: the Error says how to start the service.
  // Who means to call once says so; more calls only take longer then.
  static Result<Client> connect(const std::string& socket_path, bool one_call = false);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // `method` is "Service/Method" of the schema. A refusal by the service comes back as its
  // Slurm error number, text and notes. A request that dies with the service is repeated for 10 s:
  // the service is started again within a moment, and carries it out once.
  template <class Response>
  Result<Response> call(const std::string& method, const google::protobuf::MessageLite& request,
                        std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
    Response response;
    Status done = exchange(method, request, response, timeout);
    if (!done) return tl::unexpected<Error>(done.error());
    return response;
  }

  // The same without its types, for a seam that a test can stand behind.
  Status exchange(const std::string& method, const google::protobuf::MessageLite& request,
                  google::protobuf::MessageLite& response, std::chrono::milliseconds timeout);

 private:
  struct Connection;
  Result<http::Response> post(const std::string& path, const std::string& body,
                              std::chrono::milliseconds timeout);
  explicit Client(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

// GRAPPE_SOCKET, else the socket of the system service, else that of the caller's own personal
// service.
std::string socket_path();

}  // namespace grappe
