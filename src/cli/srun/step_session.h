// A conversation with the shepherd of a step, from the greeting until every task has ended and
// all output is written: srun's and sattach's main loop.
//
//   StepSession session(setup, output, signals, report);
//   SessionEnd end = session.run();
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "cli/report.h"
#include "cli/srun/output.h"
#include "cli/srun/signals.h"
#include "cli/srun/task_board.h"
#include "exec/step_io.h"

namespace grappe {

struct SessionSetup {
  UniqueFd socket;
  bool attached = false;  // sattach: only looks on; its signals and end of input are its own

  int input = -1;                      // -1: the tasks have no input from here
  std::optional<uint32_t> input_task;  // the only one that reads it
  bool pty = false;
  std::string typed_before;  // input that comes first

  bool quit_on_interrupt = false;
  bool disable_status = false;
  bool kill_on_bad_exit = false;
  uint32_t wait_s = 0;        // after the first task's end; 0: for ever
  uint32_t kill_wait_s = 30;  // how long the service waits before it kills

  // Asks the service to kill the step; false if it can't be asked.
  std::function<bool()> kill_step;
  // Another connection, when the first broke before the step had begun: the launcher was killed,
  // and the step is launched again. None: there is no such step any more.
  std::function<UniqueFd()> reconnect;
};

struct SessionEnd {
  int exit_code = 0;
  int status = 0;  // as wait(2) gives it, for the job's record
};

class StepSession {
 public:
  StepSession(SessionSetup setup, const StepFace& face, StepOutput& output, Signals& signals,
              const Report& report);
  SessionEnd run();

 private:
  using Clock = std::chrono::steady_clock;
  using Time = std::optional<Clock::time_point>;

  void greet();
  void turn();  // waits for something and handles it
  int time_left() const;
  void check_timers();
  void drain_output();

  void send(const std::string& frame);
  void flush_socket();
  void send_signal(int number);
  void send_window_size();
  void read_input();
  void end_input();

  void read_frames();
  void handle(const exec::FrameReader::Frame& frame);
  void task_exited(uint32_t task, int status);
  void lost();

  void handle_signal(int number);
  void interrupt();
  void force_termination(std::chrono::milliseconds grace = {});
  void kill_step();
  void step_aborted(uint32_t seconds);
  void patience_over();

  SessionSetup setup_;
  const StepFace& face_;
  StepOutput& output_;
  Signals& signals_;
  const Report& report_;
  TaskBoard board_;
  exec::FrameReader reader_;
  std::string outgoing_;
  std::string unheard_;  // all that was sent, until the first answer
  bool heard_ = false;
  bool done_ = false, lost_ = false;
  bool aborted_ = false, forced_ = false;
  bool told_of_pipe_ = false;
  bool told_of_bad_exit_ = false;
  Time tell_at_, wait_until_, kill_at_, give_up_at_, last_interrupt_;
};

// Connects to a step's socket; -1 with errno.
int connect_step_socket(const std::string& path);

}  // namespace grappe
