#include "exec/shepherd/pmi_server.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

namespace grappe::exec {
namespace {

constexpr size_t kMaxMessage = 1 << 20;
constexpr size_t kLengthDigits = 6;

std::string value_of(const std::map<std::string, std::string, std::less<>>& fields,
                     std::string_view name) {
  const auto found = fields.find(name);
  return found == fields.end() ? "" : found->second;
}

// "cmd=put kvsname=x key=a value=b": the value of the last field may hold blanks.
std::map<std::string, std::string, std::less<>> parse1(std::string_view line) {
  std::map<std::string, std::string, std::less<>> fields;
  while (!line.empty()) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) break;
    const std::string name(line.substr(0, equals));
    line.remove_prefix(equals + 1);
    const bool is_last = name == "value" || name == "message" || name == "error_msg";
    const size_t end = is_last ? line.size() : std::min(line.find(' '), line.size());
    fields[name] = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return fields;
}

// "cmd=kvs-put;key=a;value=b;": a semicolon in a value is doubled.
std::map<std::string, std::string, std::less<>> parse2(std::string_view text) {
  std::map<std::string, std::string, std::less<>> fields;
  while (!text.empty()) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) break;
    const std::string name(text.substr(0, equals));
    text.remove_prefix(equals + 1);
    std::string value;
    while (!text.empty()) {
      const bool doubled = text.starts_with(";;");
      if (text[0] == ';' && !doubled) break;
      value += text[0];
      text.remove_prefix(doubled ? 2 : 1);
    }
    if (!text.empty()) text.remove_prefix(1);
    fields[name] = value;
  }
  return fields;
}

std::string escape2(std::string_view value) {
  std::string text;
  for (const char c : value) {
    text += c;
    if (c == ';') text += c;
  }
  return text;
}

}  // namespace

const PmiServer::Command PmiServer::kCommands1[] = {
    {"init", &PmiServer::init},
    {"get_maxes", &PmiServer::get_maxes},
    {"get_appnum", &PmiServer::get_appnum},
    {"get_my_kvsname", &PmiServer::get_my_kvsname},
    {"get_universe_size", &PmiServer::get_universe_size},
    {"put", &PmiServer::put},
    {"get", &PmiServer::get},
    {"barrier_in", &PmiServer::enter_barrier},
    {"finalize", &PmiServer::finalize},
    {"abort", &PmiServer::abort},
};

const PmiServer::Command PmiServer::kCommands2[] = {
    {"fullinit", &PmiServer::fullinit},
    {"job-getid", &PmiServer::job_getid},
    {"kvs-put", &PmiServer::kvs_put},
    {"kvs-get", &PmiServer::kvs_get},
    {"kvs-fence", &PmiServer::enter_barrier},
    {"info-getjobattr", &PmiServer::info_getjobattr},
    {"info-putnodeattr", &PmiServer::info_putnodeattr},
    {"info-getnodeattr", &PmiServer::info_getnodeattr},
    {"finalize", &PmiServer::finalize2},
    {"abort", &PmiServer::abort},
};

PmiServer::PmiServer(EventLoop& loop, std::string job_name,
                     std::function<void(const std::string&)> aborted)
    : loop_(loop), job_name_(std::move(job_name)), aborted_(std::move(aborted)) {}

Status PmiServer::open(const std::vector<uint32_t>& ranks) {
  for (const uint32_t rank : ranks) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
      return fail_errno("make a socketpair for PMI", errno);
    }
    Client client;
    client.fd.reset(pair[0]);
    client.rank = rank;
    clients_.push_back(std::move(client));
    task_ends_.emplace_back(pair[1]);
  }
  return {};
}

std::vector<int> PmiServer::task_ends() const {
  std::vector<int> fds;
  for (const UniqueFd& end : task_ends_) fds.push_back(end.get());
  return fds;
}

std::vector<std::string> PmiServer::environment_of(size_t index) const {
  return {fmt::format("PMI_FD={}", task_ends_[index].get()),
          fmt::format("PMI_RANK={}", clients_[index].rank),
          fmt::format("PMI_SIZE={}", clients_.size()), "PMI_JOBID=" + job_name_};
}

void PmiServer::start() {
  for (Client& client : clients_) {
    fcntl(client.fd.get(), F_SETFL, O_NONBLOCK);
    loop_.add(client.fd.get(), EPOLLIN,
              [this, &client](uint32_t events) { serve(client, events); });
  }
}

void PmiServer::serve(Client& client, uint32_t events) {
  if (events & EPOLLOUT) flush(client);
  if (!client.fd || !(events & (EPOLLIN | EPOLLHUP | EPOLLERR))) return;
  char buffer[16384];
  const ssize_t n = recv(client.fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0 || client.input.size() > kMaxMessage) return drop(client);
  client.input.append(buffer, static_cast<size_t>(n));
  while (client.fd && take_message(client)) {
  }
}

bool PmiServer::take_message(Client& client) {
  if (client.version != 2) {
    const size_t end = client.input.find('\n');
    if (end == std::string::npos) return false;
    const Fields fields = parse1(std::string_view(client.input).substr(0, end));
    client.input.erase(0, end + 1);
    dispatch(client, fields);
    return true;
  }
  if (client.input.size() < kLengthDigits) return false;
  const size_t first = client.input.find_first_not_of(' ');
  size_t length = 0;
  const char* digits = client.input.data() + std::min(first, kLengthDigits);
  const char* last = client.input.data() + kLengthDigits;
  if (std::from_chars(digits, last, length).ptr != last || digits == last) {
    drop(client);
    return false;
  }
  if (client.input.size() < kLengthDigits + length) return false;
  const Fields fields = parse2(std::string_view(client.input).substr(kLengthDigits, length));
  client.input.erase(0, kLengthDigits + length);
  dispatch(client, fields);
  return true;
}

void PmiServer::dispatch(Client& client, const Fields& fields) {
  const std::string name = value_of(fields, "cmd");
  const auto run = [&](const auto& table) {
    const auto found = std::find_if(std::begin(table), std::end(table),
                                    [&](const Command& c) { return name == c.name; });
    if (found == std::end(table)) return false;
    (this->*found->handler)(client, fields);
    return true;
  };
  if (client.version == 2) {
    if (!run(kCommands2)) reply2(client, fields, "rc=-1;errmsg=not supported;");
  } else if (!run(kCommands1)) {
    send(client, fmt::format("cmd={}_result rc=-1 msg=not_supported\n", name));
  }
}

void PmiServer::send(Client& client, std::string_view text) {
  client.output += text;
  flush(client);
}

void PmiServer::flush(Client& client) {
  while (!client.output.empty()) {
    const ssize_t n = ::send(client.fd.get(), client.output.data(), client.output.size(),
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;  // full, or closed: then the reader finds out
    client.output.erase(0, static_cast<size_t>(n));
  }
  loop_.modify(client.fd.get(), EPOLLIN | (client.output.empty() ? 0U : uint32_t{EPOLLOUT}));
}

void PmiServer::drop(Client& client) {
  loop_.remove(client.fd.get());
  client.fd.reset();
}

void PmiServer::reply2(Client& client, const Fields& request, std::string_view rest) {
  std::string text = fmt::format("cmd={}-response;", value_of(request, "cmd"));
  if (const std::string thread = value_of(request, "thrid"); !thread.empty()) {
    text += fmt::format("thrid={};", thread);
  }
  text += rest;
  send(client, fmt::format("{:6}{}", text.size(), text));
}

// All ranks are on one machine, whatever the step calls its nodes: programs then use shared memory.
std::string PmiServer::process_mapping() const {
  return fmt::format("(vector,(0,1,{}))", clients_.size());
}

void PmiServer::enter_barrier(Client& client, const Fields& fields) {
  client.at_barrier = true;
  client.thread = value_of(fields, "thrid");
  const bool complete =
      std::all_of(clients_.begin(), clients_.end(), [](const Client& c) { return c.at_barrier; });
  if (!complete) return;
  for (Client& each : clients_) {
    each.at_barrier = false;
    if (!each.fd) continue;
    if (each.version == 2) {
      reply2(each, {{"cmd", "kvs-fence"}, {"thrid", each.thread}}, "rc=0;");
    } else {
      send(each, "cmd=barrier_out rc=0\n");
    }
  }
}

// --- PMI-1

void PmiServer::init(Client& client, const Fields& fields) {
  const std::string version = value_of(fields, "pmi_version");
  if (version != "1" && version != "2") {
    return send(client, "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=-1\n");
  }
  client.version = version == "2" ? 2 : 1;
  send(client, fmt::format("cmd=response_to_init pmi_version={} pmi_subversion={} rc=0\n", version,
                           version == "2" ? 0 : 1));
}

void PmiServer::get_maxes(Client& client, const Fields&) {
  send(client, "cmd=maxes kvsname_max=256 keylen_max=256 vallen_max=1024 rc=0\n");
}
void PmiServer::get_appnum(Client& client, const Fields&) {
  send(client, "cmd=appnum appnum=0 rc=0\n");
}
void PmiServer::get_my_kvsname(Client& client, const Fields&) {
  send(client, fmt::format("cmd=my_kvsname kvsname={} rc=0\n", job_name_));
}
void PmiServer::get_universe_size(Client& client, const Fields&) {
  send(client, fmt::format("cmd=universe_size size={} rc=0\n", clients_.size()));
}

void PmiServer::put(Client& client, const Fields& fields) {
  values_[value_of(fields, "key")] = value_of(fields, "value");
  send(client, "cmd=put_result rc=0 msg=success\n");
}

void PmiServer::get(Client& client, const Fields& fields) {
  const std::string key = value_of(fields, "key");
  if (key == "PMI_process_mapping") {
    return send(client,
                fmt::format("cmd=get_result rc=0 msg=success value={}\n", process_mapping()));
  }
  const auto found = values_.find(key);
  if (found == values_.end()) {
    return send(client,
                fmt::format("cmd=get_result rc=-1 msg=key_{}_not_found value=unknown\n", key));
  }
  send(client, fmt::format("cmd=get_result rc=0 msg=success value={}\n", found->second));
}

void PmiServer::finalize(Client& client, const Fields&) {
  send(client, "cmd=finalize_ack rc=0\n");
}

void PmiServer::abort(Client& client, const Fields& fields) {
  std::string text = value_of(fields, client.version == 2 ? "msg" : "message");
  if (text.empty()) text = value_of(fields, "error_msg");
  aborted_(fmt::format("PMI: rank {} aborted: {}", client.rank, text));
}

// --- PMI-2

void PmiServer::fullinit(Client& client, const Fields& fields) {
  reply2(client, fields,
         fmt::format("rc=0;pmi-version=2;pmi-subversion=0;rank={};size={};appnum=0;"
                     "debugged=FALSE;pmiverbose=FALSE;",
                     client.rank, clients_.size()));
}
void PmiServer::job_getid(Client& client, const Fields& fields) {
  reply2(client, fields, fmt::format("rc=0;jobid={};", job_name_));
}
void PmiServer::kvs_put(Client& client, const Fields& fields) {
  values_[value_of(fields, "key")] = value_of(fields, "value");
  reply2(client, fields, "rc=0;");
}
void PmiServer::kvs_get(Client& client, const Fields& fields) {
  const auto found = values_.find(value_of(fields, "key"));
  if (found == values_.end()) return reply2(client, fields, "rc=0;found=FALSE;");
  reply2(client, fields, fmt::format("rc=0;found=TRUE;value={};", escape2(found->second)));
}

void PmiServer::info_getjobattr(Client& client, const Fields& fields) {
  const std::string key = value_of(fields, "key");
  const std::pair<const char*, std::string> known[] = {
      {"PMI_process_mapping", process_mapping()},
      {"universeSize", std::to_string(clients_.size())},
  };
  for (const auto& [name, value] : known) {
    if (key == name) {
      return reply2(client, fields, fmt::format("rc=0;found=TRUE;value={};", escape2(value)));
    }
  }
  reply2(client, fields, "rc=0;found=FALSE;");
}

void PmiServer::info_putnodeattr(Client& client, const Fields& fields) {
  const std::string key = value_of(fields, "key");
  const std::string value = value_of(fields, "value");
  attributes_[key] = value;
  reply2(client, fields, "rc=0;");
  for (Client& waiter : clients_) {
    if (!waiter.fd || waiter.awaited_attribute != key) continue;
    waiter.awaited_attribute.clear();
    reply2(waiter, {{"cmd", "info-getnodeattr"}, {"thrid", waiter.thread}},
           fmt::format("rc=0;found=TRUE;value={};", escape2(value)));
  }
}

void PmiServer::info_getnodeattr(Client& client, const Fields& fields) {
  const std::string key = value_of(fields, "key");
  const auto found = attributes_.find(key);
  if (found != attributes_.end()) {
    return reply2(client, fields, fmt::format("rc=0;found=TRUE;value={};", escape2(found->second)));
  }
  if (value_of(fields, "wait") != "TRUE") return reply2(client, fields, "rc=0;found=FALSE;");
  client.awaited_attribute = key;
  client.thread = value_of(fields, "thrid");
}

void PmiServer::finalize2(Client& client, const Fields& fields) {
  reply2(client, fields, "rc=0;");
}

}  // namespace grappe::exec
