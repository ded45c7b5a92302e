// The shepherd's ends of the tasks' pipes, and the pty.
//
// Reads what tasks print and hands it on; keeps input that a task has not read yet.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "exec/executor.h"
#include "exec/os/event_loop.h"
#include "exec/os/identity.h"
#include "exec/shepherd/task.h"
#include "exec/step_io.h"

namespace grappe::exec {

class TaskIo {
 public:
  // `output` gets the data of kStdout and kStderr, and the ends. `changed` is called when the
  // last output closed or when the backlog of input crossed its limit.
  using Output = std::function<void(FrameType type, uint32_t rank, std::string_view data)>;
  TaskIo(EventLoop& loop, Output output, std::function<void()> changed);

  // Makes the pipes (and, if the step has one, the pty) of every task. A pty belongs to
  // `identity` unless that is null.
  Status open(const StepLaunch& launch, const Identity* identity);
  // The child's ends, valid until close_child_ends().
  TaskStreams child_streams(size_t task_index) const;
  void close_child_ends();

  void start();                                        // reading
  void pause(bool paused);                             // while clients can't take more
  void input(uint32_t rank, const std::string& data);  // kAllTasks: to each
  void input_ended(uint32_t rank);
  void resize(ResizePayload size);

  bool outputs_open() const { return open_outputs_ > 0; }
  bool input_saturated() const { return input_saturated_; }
  // Gives up on outputs that somebody outside the step still holds open.
  void close_outputs();

 private:
  struct Outlet {  // from a task
    UniqueFd fd;
    uint32_t rank;
    FrameType data, end;
  };
  struct Inlet {  // to a task
    UniqueFd fd;
    uint32_t rank;
    std::string waiting;
    bool ending = false;
    bool terminal = false;
  };
  struct Ends {
    UniqueFd in, out, err;
  };
  Status open_pty(const StepLaunch& launch, const Identity* identity);
  Status open_pipes(const TaskLaunch& task, Ends& ends);
  void watch(size_t outlet);
  void read_from(size_t outlet);
  void close_outlet(Outlet& outlet);
  void write_to(Inlet& inlet);
  void update_input_backlog();

  EventLoop& loop_;
  Output output_;
  std::function<void()> changed_;
  std::vector<Ends> child_ends_;
  std::vector<Outlet> outlets_;
  std::vector<Inlet> inlets_;
  UniqueFd pty_slave_;
  int pty_master_ = -1;  // owned by the first outlet
  size_t open_outputs_ = 0;
  bool paused_ = false;
  bool input_saturated_ = false;
};

}  // namespace grappe::exec
