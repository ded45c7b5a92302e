// The methods of the schema as one table: "Jobs/Submit" and the call behind it.
//
// A body is protobuf (application/proto) or JSON (application/json); the answer is in kind. A
// refusal is an ErrorInfo with a status of 4xx or 5xx.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/call_counts.h"
#include "service/service.h"

namespace grappe::api {

struct Request {
  std::string path;  // "/grappe.v1.Jobs/Submit"
  std::string content_type;
  std::string body;
  uid_t uid = static_cast<uid_t>(-1);
  gid_t gid = static_cast<gid_t>(-1);
  pid_t pid = 0;  // of a client on this machine
  // The header Idempotency-Key: a request that is sent again with the same one, because its answer
  // was lost, is carried out once.
  std::string token;
};

struct Response {
  int status = 200;
  std::string content_type;
  std::string body;
};

using Reply = std::function<void(Response)>;

class Router {
 public:
  explicit Router(Service& service);
  ~Router();

  // Any thread; answers once, now or later.
  void handle(Request request, Reply reply);

  struct Method;

 private:
  void diagnose(Engine& engine, const Caller& caller, v1::DiagRequest in,
                grappe::Reply<v1::DiagResponse> reply);

  Service& service_;
  CallCounts counts_;
  std::vector<std::unique_ptr<Method>> methods_;
  std::map<std::string_view, Method*> by_path_;
};

}  // namespace grappe::api
