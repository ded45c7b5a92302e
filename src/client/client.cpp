#include "client/client.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "grappe/v1/error.pb.h"
#include "http/client.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

constexpr const char* kSystemSocket = "/run/grappe/grapped.sock";

tl::unexpected<Error> unreachable(const std::string& path, const Error& cause) {
  if (cause.code == EACCES) {
    return fail(kErrContactConnect, "the service at " + path + " is not for this user");
  }
  return fail(kErrContactConnect,
              "Unable to contact slurm controller (connect failure): nothing serves " + path +
                  ": start the service with ./run, or set GRAPPE_SOCKET to where it is");
}

}  // namespace

struct Client::Connection {
  http::Client http;
  std::string path;
};

Client::Client(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

Result<Client> Client::connect(const std::string& socket_path) {
  auto http = http::Client::connect_unix(socket_path);
  if (!http) return unreachable(socket_path, http.error());
  return Client(std::make_unique<Connection>(Connection{std::move(*http), socket_path}));
}

Status Client::exchange(const std::string& method, const google::protobuf::MessageLite& request,
                        google::protobuf::MessageLite& response,
                        std::chrono::milliseconds timeout) {
  auto answer = connection_->http.post("/grappe.v1." + method, "application/proto",
                                       request.SerializeAsString(), timeout);
  if (!answer) {
    int cause = answer.error().code;
    if (cause == ENOENT || cause == ECONNREFUSED || cause == EACCES) {
      return unreachable(connection_->path, answer.error());
    }
    if (cause == ETIMEDOUT) return slurm_fail(kErrSocketTimeout);
    return fail(kErrContactReceive,
                slurm_error_text(kErrContactReceive) + ": " + answer.error().message);
  }
  if (answer->status == 200) {
    if (response.ParseFromString(answer->body)) return {};
    return fail(kErrUnexpectedMessage, slurm_error_text(kErrUnexpectedMessage));
  }
  v1::ErrorInfo info;
  if (!info.ParseFromString(answer->body) || info.message().empty()) {
    return fail(kErrUnexpectedMessage,
                "the service answered with status " + std::to_string(answer->status));
  }
  return tl::unexpected<Error>(Error{
      static_cast<int>(info.code()), info.message(), {info.notes().begin(), info.notes().end()}});
}

std::string socket_path() {
  if (const char* given = std::getenv("GRAPPE_SOCKET"); given && *given) return given;
  if (access(kSystemSocket, F_OK) == 0) return kSystemSocket;
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime && *runtime) {
    std::string personal = std::string(runtime) + "/grappe/grapped.sock";
    if (access(personal.c_str(), F_OK) == 0) return personal;
  }
  if (const char* home = std::getenv("HOME"); home && *home) {
    std::string personal = std::string(home) + "/.local/state/grappe/run/grapped.sock";
    if (access(personal.c_str(), F_OK) == 0) return personal;
  }
  return kSystemSocket;
}

}  // namespace grappe
