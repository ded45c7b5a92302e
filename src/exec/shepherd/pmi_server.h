// The process management interface of MPI programs: what `srun --mpi=pmi2` offers.
//
// Every task has one end of a socketpair (PMI_FD) and asks through it who it is, puts what the
// others must know of it, and meets them at barriers. Two wire formats are spoken, as the client
// chooses with its first line: PMI-1 ("cmd=put key=a value=b\n"; MPICH's default) and PMI-2 (six
// digits of length, then "cmd=kvs-put;key=a;value=b;"). It runs as the user, so that a hostile
// client can only hurt itself; still, every length is bounded.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "exec/os/event_loop.h"

namespace grappe::exec {

class PmiServer {
 public:
  // `job_name` names the key space. `aborted` is called when a task asks to end all of them.
  PmiServer(EventLoop& loop, std::string job_name, std::function<void(const std::string&)> aborted);

  // One socketpair per task; `ranks` in the order of the tasks.
  Status open(const std::vector<uint32_t>& ranks);
  std::vector<int> task_ends() const;
  void close_task_ends() { task_ends_.clear(); }
  void start();

  // PMI_RANK and its companions, of the task at `index`.
  std::vector<std::string> environment_of(size_t index) const;

 private:
  using Fields = std::map<std::string, std::string, std::less<>>;
  struct Client {
    UniqueFd fd;
    uint32_t rank = 0;
    int version = 0;  // 0: not said yet
    std::string input, output;
    bool at_barrier = false;
    std::string thread;  // of the request that waits at the barrier
    std::string awaited_attribute;
  };
  using Handler = void (PmiServer::*)(Client&, const Fields&);
  struct Command {
    const char* name;
    Handler handler;
  };

  void serve(Client& client, uint32_t events);
  bool take_message(Client& client);  // false: no whole message yet, or a broken client
  void dispatch(Client& client, const Fields& fields);
  void send(Client& client, std::string_view text);
  void flush(Client& client);
  void drop(Client& client);
  // "cmd=NAME-response" with `rest` in the client's own format; thrid is repeated.
  void reply2(Client& client, const Fields& request, std::string_view rest);
  void enter_barrier(Client& client, const Fields& fields);
  std::string process_mapping() const;

  // PMI-1
  void init(Client& client, const Fields& fields);
  void get_maxes(Client& client, const Fields& fields);
  void get_appnum(Client& client, const Fields& fields);
  void get_my_kvsname(Client& client, const Fields& fields);
  void get_universe_size(Client& client, const Fields& fields);
  void put(Client& client, const Fields& fields);
  void get(Client& client, const Fields& fields);
  void finalize(Client& client, const Fields& fields);
  void abort(Client& client, const Fields& fields);
  // PMI-2
  void fullinit(Client& client, const Fields& fields);
  void job_getid(Client& client, const Fields& fields);
  void kvs_put(Client& client, const Fields& fields);
  void kvs_get(Client& client, const Fields& fields);
  void info_getjobattr(Client& client, const Fields& fields);
  void info_putnodeattr(Client& client, const Fields& fields);
  void info_getnodeattr(Client& client, const Fields& fields);
  void finalize2(Client& client, const Fields& fields);

  static const Command kCommands1[];
  static const Command kCommands2[];

  EventLoop& loop_;
  std::string job_name_;
  std::function<void(const std::string&)> aborted_;
  std::vector<Client> clients_;
  std::vector<UniqueFd> task_ends_;
  Fields values_, attributes_;
};

}  // namespace grappe::exec
