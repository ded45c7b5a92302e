#include "exec/shepherd/client_hub.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace grappe::exec {
namespace {

constexpr size_t kSaturated = 1 << 20;
constexpr size_t kDrained = 1 << 18;
// A client that only looks on may not slow the job down: beyond this it is dropped.
constexpr size_t kOnlookerLimit = 8 << 20;
constexpr size_t kMaxCallers = 64;

}  // namespace

ClientHub::ClientHub(EventLoop& loop, Delegate& delegate, uid_t owner, uid_t root)
    : loop_(loop), delegate_(delegate), owner_(owner), root_(root) {}

void ClientHub::listen_on(UniqueFd listener) {
  listener_ = std::move(listener);
  loop_.add(listener_.get(), EPOLLIN, [this](uint32_t) { accept_caller(); });
}

void ClientHub::stop_listening() {
  if (!listener_) return;
  loop_.remove(listener_.get());
  listener_.reset();
}

void ClientHub::adopt_control(UniqueFd socket) {
  admit(std::move(socket), root_, true);
}

void ClientHub::accept_caller() {
  UniqueFd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!fd || clients_.size() >= kMaxCallers) return;
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return;
  if (peer.uid != owner_ && peer.uid != root_) return;
  admit(std::move(fd), peer.uid, false);
}

void ClientHub::admit(UniqueFd fd, uid_t uid, bool control) {
  const int number = fd.get();
  auto client = std::make_unique<Client>();
  client->fd = std::move(fd);
  client->uid = uid;
  client->control = control;
  clients_[number] = std::move(client);
  loop_.add(number, EPOLLIN, [this, number](uint32_t events) { serve(number, events); });
}

void ClientHub::serve(int fd, uint32_t events) {
  Client& client = *clients_.at(fd);
  bool alive = true;
  if (events & EPOLLOUT) alive = flush(client);
  if (alive && (events & (EPOLLIN | EPOLLHUP | EPOLLERR))) alive = read_frames(client);
  if (!alive) return drop(fd);
  update_events(client);
  update_saturation();
}

bool ClientHub::read_frames(Client& client) {
  char buffer[65536];
  const ssize_t n = recv(client.fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n == 0) return false;
  client.reader.append(buffer, static_cast<size_t>(n));
  while (true) {
    auto frame = client.reader.next();
    if (!frame) return false;
    if (!*frame) return true;
    const bool accepted =
        client.control ? handle_control(client, **frame) : handle(client, **frame);
    if (!accepted) return false;
  }
}

bool ClientHub::hello(Client& client, const FrameReader::Frame& frame) {
  if (frame.type == static_cast<uint32_t>(ControlType::kHello) && client.uid == root_) {
    client.control = true;
    queue(client, delegate_.control_greeting());
    return true;
  }
  const auto payload = from_payload<HelloPayload>(frame.payload);
  if (frame.type != static_cast<uint32_t>(FrameType::kHello) || !payload ||
      payload->version != kStepIoVersion) {
    return false;
  }
  client.said_hello = true;
  client.supplies_input = payload->reads_stdin == 1;
  queue(client, delegate_.greeting());
  delegate_.client_joined();
  return true;
}

bool ClientHub::handle(Client& client, const FrameReader::Frame& frame) {
  if (!client.said_hello) return hello(client, frame);
  switch (static_cast<FrameType>(frame.type)) {
    case FrameType::kStdin:
      delegate_.input(frame.task, frame.payload);
      return true;
    case FrameType::kStdinEnd:
      delegate_.input_ended(frame.task);
      return true;
    case FrameType::kResize:
      if (const auto size = from_payload<ResizePayload>(frame.payload)) {
        delegate_.resized(*size);
        return true;
      }
      return false;
    case FrameType::kSignal:
      if (const auto number = from_payload<int32_t>(frame.payload)) {
        delegate_.client_signal(*number);
        return true;
      }
      return false;
    default:
      return false;
  }
}

bool ClientHub::handle_control(Client&, const FrameReader::Frame& frame) {
  switch (static_cast<ControlType>(frame.type)) {
    case ControlType::kSignal:
      if (const auto signal = from_payload<ControlSignal>(frame.payload)) {
        delegate_.control_signal(signal->number, static_cast<SignalTarget>(signal->target));
        return true;
      }
      return false;
    case ControlType::kEndNode:
      if (const auto node = from_payload<uint32_t>(frame.payload)) {
        delegate_.end_node(*node);
        return true;
      }
      return false;
    case ControlType::kNotify:
      delegate_.notify(frame.payload, static_cast<NoticeKind>(frame.task));
      return true;
    default:
      return false;
  }
}

bool ClientHub::flush(Client& client) {
  while (!client.outgoing.empty()) {
    const ssize_t n = send(client.fd.get(), client.outgoing.data(), client.outgoing.size(),
                           MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    client.outgoing.erase(0, static_cast<size_t>(n));
  }
  return true;
}

void ClientHub::queue(Client& client, const std::string& frame) {
  client.outgoing += frame;
  // A broken connection shows itself to the reader next; only the bytes are of no use.
  if (!flush(client)) client.outgoing.clear();
  update_events(client);
}

void ClientHub::broadcast(const std::string& frame) {
  for (const auto& [fd, client] : clients_) {
    if (!client->said_hello) continue;
    queue(*client, frame);
    if (!client->supplies_input && client->outgoing.size() > kOnlookerLimit) {
      // The loop then finds it closed and drops it; here it may be in use further up the stack.
      client->outgoing.clear();
      shutdown(fd, SHUT_RDWR);
    }
  }
  update_saturation();
}

void ClientHub::tell_launcher(const std::string& frame) {
  for (const auto& [fd, client] : clients_) {
    if (client->control) queue(*client, frame);
  }
}

void ClientHub::update_events(Client& client) {
  const bool reads = !(input_paused_ && client.supplies_input);
  uint32_t events = reads ? uint32_t{EPOLLIN} : 0;
  if (!client.outgoing.empty()) events |= EPOLLOUT;
  loop_.modify(client.fd.get(), events);
}

void ClientHub::pause_input(bool paused) {
  if (input_paused_ == paused) return;
  input_paused_ = paused;
  for (const auto& [fd, client] : clients_) update_events(*client);
}

void ClientHub::update_saturation() {
  size_t largest = 0;
  for (const auto& [fd, client] : clients_) {
    if (client->supplies_input) largest = std::max(largest, client->outgoing.size());
  }
  if (!saturated_) {
    saturated_ = largest > kSaturated;
  } else if (largest < kDrained) {
    saturated_ = false;
    delegate_.output_drained();
  }
}

void ClientHub::drop(int fd) {
  const auto found = clients_.find(fd);
  if (found == clients_.end()) return;
  const bool supplied = found->second->supplies_input;
  loop_.remove(fd);
  clients_.erase(found);
  if (supplied) delegate_.supplier_left(has_clients());
  update_saturation();
}

bool ClientHub::has_clients() const {
  for (const auto& [fd, client] : clients_) {
    if (client->said_hello) return true;
  }
  return false;
}

bool ClientHub::flushed() const {
  for (const auto& [fd, client] : clients_) {
    if (!client->outgoing.empty()) return false;
  }
  return true;
}

}  // namespace grappe::exec
