// The service for unit tests of commands: answers that were laid ready, and what was asked.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/calls.h"
#include "model/slurm_error.h"

namespace grappe {

class FakeCalls final : public Calls {
 public:
  // What `method` answers from now on.
  void answer(const std::string& method, const google::protobuf::MessageLite& response) {
    answers_[method] = response.SerializeAsString();
    errors_.erase(method);
  }
  void refuse(const std::string& method, int code) {
    errors_[method] = Error{code, slurm_error_text(code), {}};
  }

  // The requests to `method`, in their order.
  template <class Request>
  std::vector<Request> asked(const std::string& method) const {
    std::vector<Request> requests;
    for (const auto& [name, bytes] : asked_) {
      if (name != method) continue;
      requests.emplace_back();
      requests.back().ParseFromString(bytes);
    }
    return requests;
  }

  Status exchange(const std::string& method, const google::protobuf::MessageLite& request,
                  google::protobuf::MessageLite& response, std::chrono::milliseconds) override {
    asked_.emplace_back(method, request.SerializeAsString());
    auto error = errors_.find(method);
    if (error != errors_.end()) return tl::unexpected<Error>(error->second);
    auto answer = answers_.find(method);
    if (answer == answers_.end()) return fail("no answer to " + method);
    response.ParseFromString(answer->second);
    return {};
  }

 private:
  std::map<std::string, std::string> answers_;
  std::map<std::string, Error> errors_;
  std::vector<std::pair<std::string, std::string>> asked_;
};

}  // namespace grappe
