#include "api/router.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include "api/metrics.h"
#include "grappe/v1/error.pb.h"
#include "model/message_arena.h"
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

constexpr size_t kJobsWorthAThread = 1000;

// Jobs `first` to `end` - 1, as fields of the response.
template <class Response, class Record>
std::string encode_jobs(const Listing<Response, Record>& listing, size_t first, size_t end) {
  namespace wire = google::protobuf::internal;
  std::string out;
  MessageArena arena;
  {
    google::protobuf::io::StringOutputStream stream(&out);
    google::protobuf::io::CodedOutputStream coded(&stream);
    for (size_t i = first; i < end; ++i) {
      Record& job = arena.next<Record>();
      listing.fill(i, job);
      coded.WriteTag(wire::WireFormatLite::MakeTag(
          Response::kJobsFieldNumber, wire::WireFormatLite::WIRETYPE_LENGTH_DELIMITED));
      coded.WriteVarint32(static_cast<uint32_t>(job.ByteSizeLong()));
      job.SerializeWithCachedSizes(&coded);
    }
  }
  return out;
}

// The same bytes as the message with all its jobs would have.
template <class Response, class Record>
std::string encode(const Listing<Response, Record>& listing, bool json) {
  if (json) {
    Response all = listing.rest;
    for (size_t i = 0; i < listing.jobs; ++i) listing.fill(i, *all.add_jobs());
    return encode(all, true);
  }
  const size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  const size_t parts = std::clamp(listing.jobs / kJobsWorthAThread, size_t{1}, cores);
  std::vector<std::future<std::string>> others;
  for (size_t p = 1; p < parts; ++p) {
    others.push_back(std::async(std::launch::async, [&, p] {
      return encode_jobs(listing, listing.jobs * p / parts, listing.jobs * (p + 1) / parts);
    }));
  }
  std::string out =
      listing.rest.SerializeAsString() + encode_jobs(listing, 0, listing.jobs / parts);
  for (auto& other : others) out += other.get();
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

// A method: how its body is read, which call it makes, and what Slurm names such a message.
struct Router::Method {
  virtual ~Method() = default;
  virtual void call(const Caller& caller, const Request& request, CallCounts& counts,
                    Reply reply) = 0;

  std::string path;
  SlurmMessage message;
};

namespace {

uint64_t micros_since(steady_clock::time_point begin) {
  auto spent = std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin);
  return static_cast<uint64_t>(spent.count());
}

template <class In, class Out>
class TypedMethod : public Router::Method {
 public:
  using Call = std::function<void(const Caller&, In, grappe::Reply<Out>)>;
  TypedMethod(std::string name, SlurmMessage slurm, Call call) : call_(std::move(call)) {
    path = "/grappe.v1." + std::move(name);
    message = slurm;
  }

  void call(const Caller& caller, const Request& request, CallCounts& counts,
            Reply reply) override {
    bool json = is_json(request.content_type);
    In in;
    if (!decode(request.body, json, &in)) {
      return reply(refuse(Error{0, "the body of " + path + " can't be read", {}}, json, 400));
    }
    auto begin = steady_clock::now();
    uid_t uid = caller.uid;
    call_(caller, std::move(in), [this, json, begin, uid, &counts, reply](Result<Out> out) {
      // How long somebody waited for a job is not how long the answer took.
      counts.add(message, uid, std::is_same_v<In, v1::WaitRequest> ? 0 : micros_since(begin));
      if (!out) return reply(refuse(out.error(), json));
      reply({200, std::string(json ? kJson : kProto), encode(*out, json)});
    });
  }

 private:
  Call call_;
};

// A method of the service, which has rules of its own about it, or of the engine behind it.
template <class Target, class In, class Out>
std::unique_ptr<Router::Method> row(std::string name, SlurmMessage message, Target& target,
                                    void (Target::*member)(const Caller&, In, grappe::Reply<Out>)) {
  return std::make_unique<TypedMethod<In, Out>>(
      std::move(name), message,
      [&target, member](const Caller& caller, In in, grappe::Reply<Out> reply) {
        (target.*member)(caller, std::move(in), std::move(reply));
      });
}

}  // namespace

Router::Router(Service& service) : service_(service) {
  Engine& engine = service.engine();
  methods_.push_back(std::make_unique<TypedMethod<v1::DiagRequest, v1::DiagResponse>>(
      "Cluster/Diag", SlurmMessage{"REQUEST_STATS_INFO", 2035},
      [this, &engine](const Caller& c, v1::DiagRequest in, auto reply) {
        diagnose(engine, c, std::move(in), std::move(reply));
      }));
  auto add_rule = [&](const char* name, SlurmMessage message, auto member) {
    methods_.push_back(row(name, message, service, member));
  };
  auto add = [&](const char* name, SlurmMessage message, auto member) {
    methods_.push_back(row(name, message, engine, member));
  };
  add_rule("Jobs/Submit", {"REQUEST_SUBMIT_BATCH_JOB", 4003}, &Service::submit);
  add("Jobs/List", {"REQUEST_JOB_INFO", 2003}, &Engine::list_jobs);
  add("History/Jobs", {"DBD_GET_JOBS_COND", 1444}, &Engine::history);
  add("Books/List", {"DBD_GET_ASSOCS", 1410}, &Engine::books);
  add_rule("Books/Change", {"DBD_MODIFY_ASSOCS", 1431}, &Service::change_books);
  add("Books/Transactions", {"DBD_GET_TXN", 1414}, &Engine::transactions);
  add_rule("Books/AmendJobs", {"DBD_MODIFY_JOB", 1470}, &Service::amend_jobs);
  add("Books/Archive", {"DBD_ARCHIVE_DUMP", 1459}, &Engine::archive);
  add("Books/LoadArchive", {"DBD_ARCHIVE_LOAD", 1460}, &Engine::load_archive);
  add("Books/Backup", {"GRAPPE_BACKUP", 60001}, &Engine::backup);
  add("Boosts/List", {"GRAPPE_BOOSTS", 60003}, &Engine::boosts);
  add("Boosts/Change", {"GRAPPE_CHANGE_BOOST", 60004}, &Engine::change_boost);
  add("Shares/List", {"REQUEST_SHARE_INFO", 2022}, &Engine::shares);
  add("Shares/Priorities", {"REQUEST_PRIORITY_FACTORS", 2026}, &Engine::priorities);
  add("Reports/Usage", {"DBD_GET_ASSOC_USAGE", 1407}, &Engine::usage);
  add("Reports/JobSizes", {"DBD_GET_JOBS_COND", 1444}, &Engine::job_sizes);
  add("Reports/Reservations", {"DBD_GET_RESVS", 1471}, &Engine::reservation_usage);
  add("Reports/Events", {"DBD_GET_EVENTS", 1478}, &Engine::events);
  add("History/Samples", {"DBD_GET_JOBS_COND", 1444}, &Engine::samples);
  add("Planning/Why", {"GRAPPE_WHY", 60002}, &Engine::why);
  add_rule("Forecasts/When", {"GRAPPE_WHEN", 60005}, &Service::when);
  add("Forecasts/Score", {"GRAPPE_SCORE", 60006}, &Engine::score);
  add("Jobs/Cancel", {"REQUEST_KILL_JOB", 5032}, &Engine::cancel);
  add_rule("Jobs/Update", {"REQUEST_UPDATE_JOB", 3001}, &Service::update_job);
  add("Jobs/Act", {"REQUEST_SUSPEND", 5014}, &Engine::act);
  add("Jobs/Wait", {"REQUEST_JOB_READY", 4019}, &Engine::wait);
  add("Jobs/Complete", {"REQUEST_COMPLETE_JOB_ALLOCATION", 5017}, &Engine::complete);
  add("Jobs/Script", {"REQUEST_BATCH_SCRIPT", 2051}, &Engine::script);
  add_rule("Steps/Create", {"REQUEST_JOB_STEP_CREATE", 5001}, &Service::create_step);
  add("Steps/Update", {"REQUEST_UPDATE_JOB_STEP", 5007}, &Engine::update_step);
  add("Steps/Use", {"REQUEST_JOB_STEP_STAT", 5035}, &Engine::step_use);
  add("Cluster/Nodes", {"REQUEST_NODE_INFO", 2007}, &Engine::nodes);
  add("Cluster/UpdateNode", {"REQUEST_UPDATE_NODE", 3002}, &Engine::update_node);
  add("Cluster/Partitions", {"REQUEST_PARTITION_INFO", 2009}, &Engine::partitions);
  add("Cluster/ChangePartition", {"REQUEST_UPDATE_PARTITION", 3005}, &Engine::change_partition);
  add("Cluster/Reservations", {"REQUEST_RESERVATION_INFO", 2024}, &Engine::reservations);
  add("Cluster/ChangeReservation", {"REQUEST_UPDATE_RESERVATION", 3009},
      &Engine::change_reservation);
  add("Cluster/Licenses", {"REQUEST_LICENSE_INFO", 1021}, &Engine::licenses);
  add("Cluster/Config", {"REQUEST_BUILD_INFO", 2001}, &Engine::config);
  add("Cluster/Reconfigure", {"REQUEST_RECONFIGURE", 1003}, &Engine::reconfigure);
  add("Cluster/Ping", {"REQUEST_PING", 1008}, &Engine::ping);
  for (const auto& method : methods_) by_path_[method->path] = method.get();
}

// The engine counts jobs and cycles; the calls are counted here.
void Router::diagnose(Engine& engine, const Caller& caller, v1::DiagRequest in,
                      grappe::Reply<v1::DiagResponse> reply) {
  bool reset = in.reset();
  engine.diag(caller, std::move(in), [this, reset, reply](Result<v1::DiagResponse> out) {
    if (out) counts_.fill(*out);
    if (out && reset) counts_.reset();
    reply(std::move(out));
  });
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
  caller->pid = request.pid;
  method->second->call(*caller, request, counts_, std::move(reply));
}

}  // namespace grappe::api
