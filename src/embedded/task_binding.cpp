#include "embedded/task_binding.h"

#include <algorithm>
#include <map>
#include <set>

namespace grappe::embedded {
namespace {

using Cpus = std::vector<uint32_t>;
using Kind = CpuBind::Kind;
using Unit = CpuBind::Unit;

Unit unit_of(CpuBindDefault preset) {
  switch (preset) {
    case CpuBindDefault::kSocket:
    case CpuBindDefault::kLdom:  // a socket is the nearest that is known
      return Unit::kSockets;
    case CpuBindDefault::kCore:
      return Unit::kCores;
    case CpuBindDefault::kThread:
      return Unit::kThreads;
    default:
      return Unit::kUnset;
  }
}

class Binder {
 public:
  Binder(const CpuBind& asked, const BindingRequest& request) : bind_(asked), request_(request) {
    if (bind_.kind == Kind::kUnset && bind_.unit == Unit::kUnset) {
      if (request.preset == CpuBindDefault::kNone) bind_.kind = Kind::kNone;
      bind_.unit = unit_of(request.preset);
    }
  }

  Result<NodeBinding> bind() const {
    switch (bind_.kind) {
      case Kind::kMap:
        return by_list("MAP ");
      case Kind::kMask:
        return by_list("MASK");
      case Kind::kRank:
        return by_rank();
      case Kind::kNone:
        return unbound();
      default:
        return by_unit();
    }
  }

 private:
  uint32_t cpus_per_core() const {
    const size_t threads = request_.real.empty() ? 1 : std::max<size_t>(1, request_.real[0].size());
    return std::max(1u, request_.threads_per_core / static_cast<uint32_t>(threads));
  }
  uint32_t core_of(uint32_t cpu) const { return cpu / cpus_per_core(); }
  uint32_t socket_of(uint32_t cpu) const {
    return core_of(cpu) / std::max(1u, request_.cores_per_socket);
  }

  // The kernel's CPUs behind some of the node's.
  Cpus real(const Cpus& cpus) const {
    std::set<uint32_t> out;
    std::set<uint32_t> cores;
    for (uint32_t cpu : cpus) {
      if (cpu >= request_.real.size() || request_.real[cpu].empty()) continue;
      const Cpus& threads = request_.real[cpu];
      if (!bind_.one_thread) {
        out.insert(threads.begin(), threads.end());
      } else if (cores.insert(core_of(cpu)).second) {
        out.insert(threads.front());
      }
    }
    return {out.begin(), out.end()};
  }

  std::string mask(const Cpus& real_cpus) const {
    return "0x" + cpu_mask(real_cpus, (request_.machine_cpus + 3) / 4);
  }

  NodeBinding masked(std::vector<Cpus> tasks) const {
    NodeBinding out{"MASK", "mask_cpu:", "", {}};
    for (const Cpus& cpus : tasks) out.list.append(out.list.empty() ? "" : ",").append(mask(cpus));
    out.tasks = std::move(tasks);
    return out;
  }

  // All tasks share all that the step has.
  NodeBinding shared() const {
    const Cpus all = real(request_.cpus);
    return {"MASK", "mask_cpu:", mask(all), std::vector(request_.tasks, all)};
  }

  NodeBinding unbound() const {
    if (request_.cpus.size() < request_.real.size()) return shared();
    return {"NONE", "none", "", std::vector<Cpus>(request_.tasks)};
  }

  Result<NodeBinding> by_list(std::string_view label) const {
    const Cpus have = real(request_.cpus);
    NodeBinding out{label, bind_.type(), bind_.list, {}};
    for (uint32_t task = 0; task < request_.tasks; ++task) {
      const Cpus& wanted = bind_.lists[task % bind_.lists.size()];
      if (wanted.empty() ||
          !std::includes(have.begin(), have.end(), wanted.begin(), wanted.end())) {
        return fail(
            "CPU binding outside of job step allocation, allocated CPUs are: " + mask(have) + ".");
      }
      out.tasks.push_back(wanted);
    }
    return out;
  }

  NodeBinding by_rank() const {
    NodeBinding out{"RANK", "rank", "", {}};
    for (uint32_t task = 0; task < request_.tasks; ++task) {
      out.tasks.push_back(real({request_.cpus[task % request_.cpus.size()]}));
    }
    return out;
  }

  // The step's CPUs in groups of a unit, in the order in which tasks get them.
  std::vector<Cpus> groups(Unit unit) const {
    std::map<std::pair<uint32_t, uint32_t>, Cpus> found;  // by socket, then core or CPU
    for (uint32_t cpu : request_.cpus) {
      const uint32_t within = unit == Unit::kSockets ? 0
                              : unit == Unit::kCores ? core_of(cpu)
                                                     : cpu;
      found[{socket_of(cpu), within}].push_back(cpu);
    }
    std::vector<Cpus> out;
    for (auto& [place, cpus] : found) out.push_back(std::move(cpus));
    return out;
  }

  Result<NodeBinding> by_unit() const {
    const uint32_t wanted = request_.tasks * request_.cpus_per_task;
    if (bind_.unit != Unit::kUnset) {
      const std::vector<Cpus> all = groups(bind_.unit);
      size_t largest = 1;
      for (const Cpus& group : all) largest = std::max(largest, group.size());
      return deal(all, static_cast<uint32_t>((request_.cpus_per_task + largest - 1) / largest));
    }
    for (Unit unit : {Unit::kThreads, Unit::kCores, Unit::kSockets}) {
      std::vector<Cpus> all = groups(unit);
      if (all.size() == wanted) return deal(all, request_.cpus_per_task);
    }
    const Unit fallback = unit_of(request_.fallback);
    return fallback == Unit::kUnset ? shared() : deal(groups(fallback), 1);
  }

  // Gives each task `each` groups: from the socket whose turn it is, then from the next ones.
  NodeBinding deal(const std::vector<Cpus>& all, uint32_t each) const {
    std::map<uint32_t, std::vector<Cpus>> by_socket;
    for (const Cpus& group : all) {
      by_socket[request_.cyclic ? socket_of(group.front()) : 0].push_back(group);
    }
    std::vector<std::vector<Cpus>> queues;
    for (auto& [socket, queue] : by_socket) queues.push_back(std::move(queue));
    std::vector<size_t> next(queues.size());
    size_t left = all.size();
    std::vector<Cpus> tasks;
    for (uint32_t task = 0; task < request_.tasks; ++task) {
      Cpus mine;
      size_t turn = task % queues.size();
      for (uint32_t taken = 0; taken < each; ++taken) {
        if (left == 0) {  // more tasks than groups: from the start again
          std::fill(next.begin(), next.end(), 0);
          left = all.size();
        }
        while (next[turn] == queues[turn].size()) turn = (turn + 1) % queues.size();
        const Cpus& group = queues[turn][next[turn]++];
        mine.insert(mine.end(), group.begin(), group.end());
        --left;
      }
      tasks.push_back(real(mine));
    }
    return masked(std::move(tasks));
  }

  CpuBind bind_;
  const BindingRequest& request_;
};

}  // namespace

Result<NodeBinding> bind_tasks(const CpuBind& asked, const BindingRequest& request) {
  if (request.cpus.empty())
    return NodeBinding{"NONE", "none", "", std::vector<Cpus>(request.tasks)};
  return Binder(asked, request).bind();
}

}  // namespace grappe::embedded
