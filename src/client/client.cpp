#include "client/client.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <thread>

#include "grappe/v1/error.pb.h"
#include "http/client.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

using std::chrono::milliseconds;

constexpr const char* kSystemSocket = "/run/grappe/grapped.sock";
constexpr std::chrono::seconds kRestartPatience{30};
constexpr milliseconds kFirstPause{20}, kLongestPause{200};

tl::unexpected<Error> unreachable(const std::string& path, const Error& cause) {
  if (cause.code == EACCES) {
    return fail(kErrContactConnect, "the service at " + path + " is not for this user");
  }
  return fail(kErrContactConnect,
              "Unable to contact slurm controller (connect failure): nothing serves " + path +
                  ": start the service with ./run, or set GRAPPE_SOCKET to where it is");
}

// 128 random bits in hexadecimal: one request, however often it is sent. Empty without random
// numbers; such a request is sent once.
std::string make_token() {
  unsigned char bits[16];
  if (getrandom(bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) return "";
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string token;
  for (unsigned char b : bits) {
    token += kDigits[b >> 4];
    token += kDigits[b & 15];
  }
  return token;
}

bool nobody_there(int error_number) {
  return error_number == ENOENT || error_number == ECONNREFUSED;
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

Result<Client> Client::connect(const std::string& socket_path, bool one_call) {
  using Plan = http::Client::Plan;
  auto http = http::Client::connect_unix(socket_path, one_call ? Plan::kOneCall : Plan::kManyCalls);
  if (!http) return unreachable(socket_path, http.error());
  return Client(std::make_unique<Connection>(Connection{std::move(*http), socket_path}));
}

// A service that dies with our request is started again: the request is repeated, with the token
// by which it is known if it was carried out. One that was not there to begin with is not waited
// for.
Result<http::Response> Client::post(const std::string& path, const std::string& body,
                                    milliseconds timeout) {
  using Clock = std::chrono::steady_clock;
  const std::string token = make_token();
  std::optional<Clock::time_point> deadline;
  milliseconds pause = kFirstPause;
  for (;;) {
    auto answer = connection_->http.post(path, "application/proto", body, timeout, token);
    if (answer || token.empty()) return answer;
    const int cause = answer.error().code;
    if (cause == ECONNRESET) {
      if (!deadline) deadline = Clock::now() + kRestartPatience;
    } else if (!deadline || !nobody_there(cause)) {
      return answer;
    }
    if (Clock::now() >= *deadline) return answer;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
}

Status Client::exchange(const std::string& method, const google::protobuf::MessageLite& request,
                        google::protobuf::MessageLite& response,
                        std::chrono::milliseconds timeout) {
  auto answer = post("/grappe.v1." + method, request.SerializeAsString(), timeout);
  if (!answer) {
    int cause = answer.error().code;
    if (nobody_there(cause) || cause == EACCES) {
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
