// `scontrol write batch_script` and `write config`.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/datetime.h"
#include "base/text.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/show_cluster.h"
#include "grappe/v1/cluster.pb.h"
#include "grappe/v1/jobs.pb.h"

namespace grappe::scontrol {
namespace {

// Slurm's exit code stays 0 when a script or the configuration could not be written.
void only_say(Session& session, std::string_view line) {
  int before = session.exit_code;
  session.complain(line);
  session.exit_code = before;
}

// What went wrong, empty if nothing.
std::string write_file(const std::string& path, std::string_view text) {
  FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return std::strerror(errno);
  bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = errno;
  if (std::fclose(file) != 0) {
    error = errno;
    written = false;
  }
  return written ? "" : std::strerror(error);
}

// The number of "12" or "12_3".
Result<uint32_t> job_number(Session& session, const std::string& text) {
  if (auto id = parse_uint(text, UINT32_MAX)) return static_cast<uint32_t>(*id);
  v1::ListJobsRequest request;
  request.add_job_ids(text);
  request.set_all_states(true);
  auto jobs = session.calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!jobs) return tl::unexpected<Error>(jobs.error());
  if (jobs->jobs().empty()) return fail("Invalid job id specified");
  return jobs->jobs(0).job_id();
}

void write_script(Session& session, Words words) {
  if (words.size() < 3) return;
  auto id = job_number(session, words[2]);
  if (!id) return only_say(session, "job script retrieval failed: " + id.error().message);
  v1::ScriptRequest request;
  request.set_job_id(*id);
  auto answer = session.calls.call<v1::ScriptResponse>("Jobs/Script", request);
  if (!answer) return only_say(session, "job script retrieval failed: " + answer.error().message);
  std::string path = words.size() > 3 ? words[3] : fmt::format("slurm-{}.sh", words[2]);
  if (path == "-") return session.say(answer->script());
  std::string error = write_file(path, answer->script());
  if (!error.empty())
    return only_say(session, fmt::format("failed to open file `{}`: {}", path, error));
  session.say(fmt::format("batch script for job {} written to {}\n", words[2], path));
}

std::string value_of(const v1::ConfigResponse& config, std::string_view key) {
  for (const v1::Setting& setting : config.settings()) {
    if (iequals(setting.key(), key)) return setting.value();
  }
  return "";
}

// The values of `show config` carry units that slurm.conf does not.
std::string without_unit(std::string value) {
  for (std::string_view unit : {" sec", " usec", " min", " MB", " percent", " nodes/min"}) {
    if (!value.ends_with(unit)) continue;
    std::string number = value.substr(0, value.size() - unit.size());
    if (parse_uint(number)) return number;
  }
  return value;
}

// Names without a small letter are derived from others (SLURM_VERSION, BOOT_TIME).
bool is_derived(std::string_view key) {
  for (char c : key) {
    if (c >= 'a' && c <= 'z') return false;
  }
  return true;
}

std::string node_line(const v1::NodeInfo& node) {
  std::string line = fmt::format(
      "NodeName={} NodeHostname={} NodeAddr={} CPUs={} Boards={} Sockets={} CoresPerSocket={} "
      "ThreadsPerCore={} RealMemory={} Weight={}",
      node.name(), node.hostname(), node.address(), node.cpus(), std::max(1u, node.boards()),
      node.sockets(), node.cores_per_socket(), node.threads_per_core(), node.memory_mb(),
      node.weight());
  if (!node.gres().empty()) line += " Gres=" + node.gres();
  if (!node.features().empty()) line += " Feature=" + node.features();
  return line + "\n";
}

// What one line of the file can say is what `show partition` shows, less what it derives.
std::string partition_line(const v1::PartitionInfo& partition) {
  std::string line;
  std::string shown = format_partition(partition, Style{.one_line = true});
  for (std::string_view word : split_words(shown, " \n")) {
    std::string_view key = word.substr(0, word.find('='));
    std::string_view value = word.substr(std::min(word.size(), key.size() + 1));
    bool derived = key == "TotalCPUs" || key == "TotalNodes" || key == "TRES" || key == "QoS" ||
                   key == "SelectTypeParameters";
    bool unset = value == "(null)" || value == "NONE" || value == "N/A" || value == "OFF";
    if (!derived && !unset) line += fmt::format("{}{}", line.empty() ? "" : " ", word);
  }
  if (!partition.qos().empty()) line += " QOS=" + partition.qos();
  return line + "\n";
}

std::string config_text(const v1::ConfigResponse& config, const v1::NodesResponse& nodes,
                        const v1::PartitionsResponse& partitions, const std::string& when) {
  std::string text = "# Configuration of the service, " + when + "\n";
  for (const v1::Setting& setting : config.settings()) {
    bool unset = setting.value().empty() || setting.value().starts_with("(null");
    if (unset || is_derived(setting.key())) continue;
    // SlurmctldHost[0] and SlurmUser = slurm(64030) are shown with what only readers need.
    std::string key = setting.key().substr(0, setting.key().find('['));
    std::string value = without_unit(setting.value());
    if (key.ends_with("User")) value = value.substr(0, value.find('('));
    bool blanks = value.find(' ') != std::string::npos;
    text += key + "=" + (blanks ? "\"" + value + "\"" : value) + "\n";
  }
  for (const v1::NodeInfo& node : nodes.nodes()) text += node_line(node);
  for (const v1::PartitionInfo& partition : partitions.partitions())
    text += partition_line(partition);
  return text;
}

void write_config(Session& session, Words words) {
  auto config = session.calls.call<v1::ConfigResponse>("Cluster/Config", v1::ConfigRequest());
  if (!config) return session.failed("slurm_load_ctl_conf error", config.error());
  auto nodes = session.calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) return session.failed("slurm_load_node error", nodes.error());
  v1::PartitionsRequest all;
  all.set_all(true);
  auto partitions = session.calls.call<v1::PartitionsResponse>("Cluster/Partitions", all);
  if (!partitions) return session.failed("slurm_load_partitions error", partitions.error());
  const char* named = std::getenv("SLURM_CONF_OUT");
  std::string base = words.size() > 2 ? words[2] : named ? named : value_of(*config, "SLURM_CONF");
  std::string when = format_datetime(std::time(nullptr));
  std::string path = (base.empty() ? "slurm.conf" : base) + "." + when;
  std::string error = write_file(path, config_text(*config, *nodes, *partitions, when));
  if (!error.empty())
    return only_say(session, fmt::format("Could not create file {}: {}", path, error));
  session.say("Slurm config saved to " + path + "\n");
}

}  // namespace

void write(Session& session, Words words) {
  if (abbreviates(words[1], "batch_script", 5)) return write_script(session, words);
  if (abbreviates(words[1], "config", 4)) return write_config(session, words);
  session.complain("invalid write argument:" + words[1]);
}

}  // namespace grappe::scontrol
