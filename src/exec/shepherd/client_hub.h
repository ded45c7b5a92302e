// Everyone who is connected to a step's socket: srun, sattach, and the launcher.
//
// The hub checks who calls, cuts the streams into frames, and keeps what could not be sent yet.
// What the frames mean is the business of its Delegate (the shepherd).
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <string>

#include "base/unique_fd.h"
#include "exec/executor.h"
#include "exec/os/event_loop.h"
#include "exec/shepherd/frames.h"

namespace grappe::exec {

class ClientHub {
 public:
  class Delegate {
   public:
    virtual ~Delegate() = default;
    // Frames for a newcomer: what has happened so far.
    virtual std::string greeting() = 0;
    virtual std::string control_greeting() = 0;
    virtual void client_joined() = 0;
    virtual void input(uint32_t task, const std::string& data) = 0;
    virtual void input_ended(uint32_t task) = 0;
    virtual void resized(ResizePayload size) = 0;
    virtual void client_signal(int number) = 0;
    virtual void control_signal(int number, SignalTarget target) = 0;
    virtual void end_node(uint32_t node_index) = 0;
    virtual void notify(const std::string& text, NoticeKind kind) = 0;
    // The client that supplied the input left; `others` says whether anyone else looks on.
    virtual void supplier_left(bool others) = 0;
    virtual void output_drained() = 0;  // saturated() is no longer true
  };

  ClientHub(EventLoop& loop, Delegate& delegate, uid_t owner, uid_t root);

  void listen_on(UniqueFd listener);
  void adopt_control(UniqueFd socket);

  void broadcast(const std::string& frame);  // to clients, not to the launcher
  void tell_launcher(const std::string& frame);

  bool has_clients() const;  // that said hello
  // A client is slow: stop producing output until output_drained().
  bool saturated() const { return saturated_; }
  // While set, input frames are not read: their tasks are slow.
  void pause_input(bool paused);
  // Everything that was queued has been written.
  bool flushed() const;
  // No further callers; those who are there stay.
  void stop_listening();

 private:
  struct Client {
    UniqueFd fd;
    uid_t uid = 0;
    FrameReader reader;
    std::string outgoing;
    bool said_hello = false;
    bool supplies_input = false;
    bool control = false;
  };
  void accept_caller();
  void admit(UniqueFd fd, uid_t uid, bool control);
  void serve(int fd, uint32_t events);
  bool read_frames(Client& client);  // false: drop it
  bool handle(Client& client, const FrameReader::Frame& frame);
  bool handle_control(Client& client, const FrameReader::Frame& frame);
  bool hello(Client& client, const FrameReader::Frame& frame);
  bool flush(Client& client);
  void queue(Client& client, const std::string& frame);
  void drop(int fd);
  void update_events(Client& client);
  void update_saturation();

  EventLoop& loop_;
  Delegate& delegate_;
  uid_t owner_, root_;
  UniqueFd listener_;
  std::map<int, std::unique_ptr<Client>> clients_;
  bool saturated_ = false;
  bool input_paused_ = false;
};

}  // namespace grappe::exec
