// For the tests: a folder that goes away, a raw client that can misbehave, and patience.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "base/unique_fd.h"

namespace grappe::http {

class TempDir {
 public:
  TempDir() {
    char name[] = "/tmp/grappe-http-XXXXXX";
    path_ = ::mkdtemp(name);
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

// Polls until `condition` holds, half a minute at most.
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return condition();
}

// A client that sends what it is told, right or wrong.
class RawClient {
 public:
  RawClient() : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    // A test that would hang fails instead.
    const timeval patience{10, 0};
    ::setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  explicit RawClient(const std::string& path) : RawClient() { connect(path); }

  bool connect(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    if (::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) close();
    return connected();
  }
  bool connected() const { return static_cast<bool>(fd_); }
  int fd() const { return fd_.get(); }
  bool send(std::string_view data) {
    while (!data.empty()) {
      const ssize_t size = ::send(fd_.get(), data.data(), data.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      data.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  void finish_sending() { ::shutdown(fd_.get(), SHUT_WR); }
  void close() { fd_.reset(); }

  // Everything that comes up to and with `mark`; less when the connection ends before.
  std::string read_until(std::string_view mark) {
    std::string text;
    char byte = 0;
    while (text.find(mark) == std::string::npos && ::recv(fd_.get(), &byte, 1, 0) == 1)
      text += byte;
    return text;
  }
  // Until the server closes; `timed_out` when it does not.
  std::string read_all(bool* timed_out = nullptr) {
    std::string text;
    char buffer[4096];
    ssize_t size = 0;
    while ((size = ::recv(fd_.get(), buffer, sizeof buffer, 0)) > 0) {
      text.append(buffer, static_cast<std::size_t>(size));
    }
    if (timed_out != nullptr) *timed_out = size < 0 && errno == EAGAIN;
    return text;
  }

 private:
  UniqueFd fd_;
};

}  // namespace grappe::http
