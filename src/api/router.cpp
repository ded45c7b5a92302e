#include "api/router.h"

#include <google/protobuf/util/json_util.h>

#include <chrono>

#include "api/metrics.h"
#include "grappe/v1/error.pb.h"
#include "model/slurm_error.h"

namespace grappe::api {
namespace {

using google::protobuf::Message;
using std::chrono::steady_clock;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kProto = "application/proto";
constexpr size_t kLongestToken = 128;

bool is_json(std::string_view content_type) {
  return content_type.starts_with(kJson);
}

std::string encode(const Message& message, bool json) {
  std::string out;
  if (json) {
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    if (!google::protobuf::util::MessageToJsonString(message, &out, options).ok()) out = "{}";
  } else {
    message.SerializeToString(&out);
  }
  return out;
}

bool decode(const std::string& body, bool json, Message* message) {
  if (!json) return message->ParseFromString(body);
  if (body.empty()) return true;
  return google::protobuf::util::JsonStringToMessage(body, message).ok();
}

int status_of(int code) {
  switch (code) {
    case kErrAccessDenied:
    case kErrUserId:
      return 403;
    case kErrInvalidJobId:
    case kErrInvalidNodeName:
      return 404;
    case kErrWritingFile:
      return 503;
    default:
      return 400;
  }
}

Response refuse(const Error& error, bool json, int status = 0) {
  v1::ErrorInfo info;
  info.set_code(static_cast<uint32_t>(error.code));
  info.set_message(error.message);
  for (const std::string& note : error.notes) info.add_notes(note);
  return {status ? status : status_of(error.code), std::string(json ? kJson : kProto),
          encode(info, json)};
}

}  // namespace

// A method: how its body is read, which call it makes, and how often it was made.
struct Router::Method {
  virtual ~Method() = default;
  virtual void call(const Caller& caller, const Request& request, Reply reply) = 0;

  std::string path;
  std::atomic<uint64_t> count{0}, micros{0};
};

namespace {

template <class In, class Out>
class TypedMethod : public Router::Method {
 public:
  using Call = std::function<void(const Caller&, In, grappe::Reply<Out>)>;
  TypedMethod(std::string name, Call call) : call_(std::move(call)) {
    path = "/grappe.v1." + std::move(name);
  }

  void call(const Caller& caller, const Request& request, Reply reply) override {
    bool json = is_json(request.content_type);
    In in;
    if (!decode(request.body, json, &in)) {
      return reply(refuse(Error{0, "the body of " + path + " can't be read", {}}, json, 400));
    }
    auto begin = steady_clock::now();
    call_(caller, std::move(in), [this, json, begin, reply](Result<Out> out) {
      ++count;
      auto spent = steady_clock::now() - begin;
      micros += static_cast<uint64_t>(
          std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
      if (!out) return reply(refuse(out.error(), json));
      reply({200, std::string(json ? kJson : kProto), encode(*out, json)});
    });
  }

 private:
  Call call_;
};

// A method of the service, which has rules of its own about it, or of the engine behind it.
template <class Target, class In, class Out>
std::unique_ptr<Router::Method> row(std::string name, Target& target,
                                    void (Target::*member)(const Caller&, In, grappe::Reply<Out>)) {
  return std::make_unique<TypedMethod<In, Out>>(
      std::move(name), [&target, member](const Caller& caller, In in, grappe::Reply<Out> reply) {
        (target.*member)(caller, std::move(in), std::move(reply));
      });
}

}  // namespace

Router::Router(Service& service) : service_(service) {
  Engine& engine = service.engine();
  methods_.push_back(row("Jobs/Submit", service, &Service::submit));
  methods_.push_back(row("Jobs/List", engine, &Engine::list_jobs));
  methods_.push_back(row("Jobs/Cancel", engine, &Engine::cancel));
  methods_.push_back(row("Jobs/Update", service, &Service::update_job));
  methods_.push_back(row("Jobs/Act", engine, &Engine::act));
  methods_.push_back(row("Jobs/Wait", engine, &Engine::wait));
  methods_.push_back(row("Jobs/Complete", engine, &Engine::complete));
  methods_.push_back(row("Jobs/Script", engine, &Engine::script));
  methods_.push_back(row("Steps/Create", service, &Service::create_step));
  methods_.push_back(row("Steps/Update", engine, &Engine::update_step));
  methods_.push_back(row("Cluster/Nodes", engine, &Engine::nodes));
  methods_.push_back(row("Cluster/UpdateNode", engine, &Engine::update_node));
  methods_.push_back(row("Cluster/Partitions", engine, &Engine::partitions));
  methods_.push_back(row("Cluster/ChangePartition", engine, &Engine::change_partition));
  methods_.push_back(row("Cluster/Reservations", engine, &Engine::reservations));
  methods_.push_back(row("Cluster/ChangeReservation", engine, &Engine::change_reservation));
  methods_.push_back(row("Cluster/Licenses", engine, &Engine::licenses));
  methods_.push_back(row("Cluster/Config", engine, &Engine::config));
  methods_.push_back(row("Cluster/Reconfigure", engine, &Engine::reconfigure));
  methods_.push_back(row("Cluster/Ping", engine, &Engine::ping));
  methods_.push_back(row("Cluster/Diag", engine, &Engine::diag));
  for (const auto& method : methods_) by_path_[method->path] = method.get();
}

Router::~Router() = default;

void Router::handle(Request request, Reply reply) {
  if (request.path == "/healthz") return answer_health(service_.engine(), std::move(reply));
  if (request.path == "/metrics") return answer_metrics(service_.engine(), std::move(reply));
  bool json = is_json(request.content_type);
  auto method = by_path_.find(request.path);
  if (method == by_path_.end()) {
    return reply(refuse(Error{0, "there is no method " + request.path, {}}, json, 404));
  }
  auto caller = service_.rate(request.uid, request.gid);
  if (!caller) return reply(refuse(caller.error(), json, 403));
  if (request.token.size() > kLongestToken) {
    return reply(refuse(Error{0, "the Idempotency-Key is too long", {}}, json, 400));
  }
  caller->token = std::move(request.token);
  method->second->call(*caller, request, std::move(reply));
}

}  // namespace grappe::api
