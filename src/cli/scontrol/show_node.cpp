#include <fmt/core.h>

#include "base/text.h"
#include "cli/accounts.h"
#include "cli/scontrol/show_cluster.h"
#include "model/node_state.h"

namespace grappe::scontrol {
namespace {

using v1::NodeInfo;

std::string load_text(const NodeInfo& node) {
  return fmt::format("{:.2f}", node.cpu_load_hundredths() / 100.0);
}

std::string owner_text(const NodeInfo& node) {
  if (!node.has_owner_uid()) return "N/A";
  const auto user = find_account(node.owner_uid());
  return fmt::format("{}({})", user ? user->name : "", node.owner_uid());
}

void hardware(Record& record, const NodeInfo& node, const Style& style) {
  record.line(fmt::format("NodeName={} Arch={} CoresPerSocket={} ", node.name(), node.arch(),
                          node.cores_per_socket()));
  record.line(fmt::format("CPUAlloc={} CPUEfctv={} CPUTot={} CPULoad={}", node.alloc_cpus(),
                          node.cpus() - node.cpu_spec_count(), node.cpus(), load_text(node)));
  record.line(fmt::format("AvailableFeatures={}", or_null(node.features())));
  // Of those that it can have, none.
  const bool none = node.active_features().empty() && !node.features().empty();
  record.line(fmt::format("ActiveFeatures={}", none ? "" : or_null(node.active_features())));
  record.line(fmt::format("Gres={}", or_null(node.gres())));
  if (style.details) {
    record.line("GresDrain=" + (node.gres_drain().empty() ? "N/A" : node.gres_drain()));
    record.line("GresUsed=" + (node.gres_used().empty() ? "N/A" : node.gres_used()));
  }
  record.line(fmt::format("NodeAddr={} NodeHostName={} Port={} Version={}", node.address(),
                          node.hostname(), node.port(), node.version()));
  record.line("OS=" + node.os() + " ");
  record.line(fmt::format("RealMemory={} AllocMem={} FreeMem={} Sockets={} Boards={}",
                          node.memory_mb(), node.alloc_mem_mb(), node.free_memory_mb(),
                          node.sockets(), std::max(1u, node.boards())));
}

// CPUs and memory that are kept for the service.
void reserved_for_system(Record& record, const NodeInfo& node) {
  std::string line;
  if (node.cpu_spec_count()) line += fmt::format("CoreSpecCount={} ", node.cpu_spec_count());
  if (!node.cpu_spec_list().empty()) line += fmt::format("CPUSpecList={} ", node.cpu_spec_list());
  if (node.mem_spec_mb()) line += fmt::format("MemSpecLimit={}", node.mem_spec_mb());
  if (!line.empty()) record.line(line);
}

void remarks(Record& record, const NodeInfo& node, const Style& style) {
  if (!node.reason().empty()) {
    std::string by;
    if (node.reason_time()) {
      std::string user =
          node.reason_user().empty() ? std::to_string(node.reason_uid()) : node.reason_user();
      by = fmt::format(" [{}@{}]", user, moment(style, node.reason_time(), "Unknown"));
    }
    record.line("Reason=" + node.reason() + by);
  }
  if (!node.comment().empty()) record.line("Comment=" + node.comment());
  if (!node.extra().empty()) record.line("Extra=" + node.extra());
}

}  // namespace

std::string format_node(const NodeInfo& node, const Style& style) {
  Record record;
  hardware(record, node, style);
  reserved_for_system(record, node);
  record.line(fmt::format("State={} ThreadsPerCore={} TmpDisk={} Weight={} Owner={} MCS_label=N/A",
                          node_state_flags(node.state()), node.threads_per_core(), node.tmp_mb(),
                          node.weight(), owner_text(node)));
  std::vector<std::string> partitions(node.partitions().begin(), node.partitions().end());
  if (!partitions.empty()) record.line("Partitions=" + join(partitions, ",") + " ");
  record.line(fmt::format("BootTime={} SlurmdStartTime={}", moment(style, node.boot_time(), "None"),
                          moment(style, node.start_time(), "None")));
  record.line("LastBusyTime=" + moment(style, node.last_busy(), "Unknown"));
  record.line("CfgTRES=" + node.cfg_tres());
  record.line("AllocTRES=" + node.alloc_tres());
  record.line("CapWatts=n/a");
  record.line("CurrentWatts=0 AveWatts=0");
  record.line("ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s");
  remarks(record, node, style);
  return record.text(style);
}

}  // namespace grappe::scontrol
