#include "model/config_parse.h"

#include <fmt/format.h>

#include <set>

#include "model/config_cgroup_keys.h"
#include "model/config_gres_lines.h"
#include "model/config_keys.h"
#include "model/config_node_lines.h"
#include "model/config_partition_lines.h"

namespace grappe {

namespace {

class Parser {
 public:
  Status read_slurm_conf(const std::vector<ConfigLine>& lines) {
    for (const ConfigLine& line : lines) {
      if (Status status = read_slurm_line(line); !status) return status;
    }
    return {};
  }

  Status read_gres_conf(const std::vector<ConfigLine>& lines) {
    for (const ConfigLine& line : lines) {
      GresConfig gres;
      gres.line = line.number;
      if (Status status = read_line<GresConfig>(line, gres_line_keys(), gres, notes_); !status) {
        return status;
      }
      if (gres.name.empty() && gres.auto_detect.empty()) {
        return fail_at(line, "Name= is missing");
      }
      config_.gres.push_back(std::move(gres));
    }
    return {};
  }

  Status read_cgroup_conf(const std::vector<ConfigLine>& lines) {
    for (const ConfigLine& line : lines) {
      Status status = read_line<CgroupConfig>(line, cgroup_keys(), config_.cgroup, notes_);
      if (!status) return status;
    }
    return {};
  }

  ParsedConfig finish() { return {std::move(config_), std::move(notes_.warnings)}; }

 private:
  Status read_slurm_line(const ConfigLine& line) {
    const std::string& first = line.pairs.front().key;
    if (iequals(first, "NodeName")) return read_node(line);
    if (iequals(first, "PartitionName")) return read_partition(line);
    if (iequals(first, "NodeSet")) return read_node_set(line);
    if (iequals(first, "DownNodes")) return read_down_nodes(line);
    for (const ConfigPair& pair : line.pairs) {
      if (Status status = read_key(line, pair); !status) return status;
      if (iequals(pair.key, "FrontendName")) break;
    }
    return {};
  }

  Status read_key(const ConfigLine& line, const ConfigPair& pair) {
    const ConfigKey* key = find_config_key(pair.key);
    if (key == nullptr) {
      std::vector<std::string_view> names = {"NodeName", "PartitionName", "NodeSet", "DownNodes"};
      for (const ConfigKey& known : config_keys()) names.push_back(known.name);
      notes_.add_unknown(line, pair.key, names);
      return {};
    }
    switch (key->role) {
      case KeyRole::kSetting:
        return set_key(line, *key, pair.value);
      case KeyRole::kFixed:
        if (!is_same_plugin(pair.value, key->text)) {
          notes_.warn(line, fmt::format("{}={} has no effect: here it is always {}", key->name,
                                        pair.value, key->text));
        }
        return {};
      case KeyRole::kNoEffect:
        notes_.add_no_effect(line, key->name, key->why);
        return {};
      case KeyRole::kRefused:
        return fail_at(line, fmt::format("{} is not supported: {}", key->name, key->text));
      case KeyRole::kFact:
        break;
    }
    return {};
  }

  Status set_key(const ConfigLine& line, const ConfigKey& key, std::string_view value) {
    const bool repeatable = key.name == "SlurmctldHost";
    if (!seen_.insert(key.name).second && !repeatable) {
      notes_.warn(line, fmt::format("{} specified more than once, latest value used", key.name));
    }
    std::vector<std::string> warnings;
    Status status = key.set(key, value, config_, warnings);
    for (const std::string& warning : warnings) notes_.warn(line, warning);
    if (!status) return fail_at(line, status.error().message);
    if (!key.why.empty()) notes_.add_no_effect(line, key.name, key.why);
    return {};
  }

  // "cgroup" is the same as "proctrack/cgroup".
  static bool is_same_plugin(std::string_view value, std::string_view fixed) {
    return iequals(value, fixed) || iequals(value, fixed.substr(fixed.find('/') + 1));
  }

  Status read_node(const ConfigLine& line) {
    const bool is_default = iequals(line.pairs.front().value, "DEFAULT");
    NodeConfig node = default_node_;
    Status status = read_line<NodeConfig>(line, node_line_keys(), node, notes_);
    if (!status) return status;
    if (node.core_spec_count != 0 && !node.cpu_spec_list.empty()) {
      return fail_at(line, "CoreSpecCount and CpuSpecList cannot be set together");
    }
    if (is_default) {
      default_node_ = std::move(node);
      return {};
    }
    if (node.names.empty() || iequals(node.names, "ALL")) {
      return fail_at(line, fmt::format("Invalid NodeName={}", node.names));
    }
    node.line = line.number;
    config_.nodes.push_back(std::move(node));
    return {};
  }

  Status read_partition(const ConfigLine& line) {
    const bool is_default_line = iequals(line.pairs.front().value, "DEFAULT");
    PartitionConfig partition = default_partition_;
    Status status = read_line<PartitionConfig>(line, partition_line_keys(), partition, notes_);
    if (!status) return status;
    if (is_default_line) {
      default_partition_ = std::move(partition);
      return {};
    }
    return add_partition(line, std::move(partition));
  }

  Status add_partition(const ConfigLine& line, PartitionConfig partition) {
    if (partition.name.empty()) return fail_at(line, "PartitionName is empty");
    for (const PartitionConfig& other : config_.partitions) {
      if (other.name != partition.name) continue;
      notes_.warn(line, fmt::format("duplicate entry for partition {}, ignoring", other.name));
      return {};
    }
    if (partition.default_time_min.value_or(0) > partition.max_time_min) {
      notes_.warn(line, fmt::format("DefaultTime of partition {} exceeds MaxTime: {} used",
                                    partition.name, format_minutes(partition.max_time_min)));
      partition.default_time_min = partition.max_time_min;
    }
    if (partition.min_nodes > partition.max_nodes) {
      return fail_at(line,
                     fmt::format("MinNodes of partition {} exceeds MaxNodes", partition.name));
    }
    if (partition.is_default) {
      for (PartitionConfig& other : config_.partitions) other.is_default = false;
    }
    partition.line = line.number;
    config_.partitions.push_back(std::move(partition));
    return {};
  }

  Status read_node_set(const ConfigLine& line) {
    NodeSetConfig set;
    Status status = read_line<NodeSetConfig>(line, node_set_line_keys(), set, notes_);
    if (!status) return status;
    if (set.name.empty()) return fail_at(line, "NodeSet is empty");
    config_.node_sets.push_back(std::move(set));
    return {};
  }

  Status read_down_nodes(const ConfigLine& line) {
    DownNodesConfig down;
    Status status = read_line<DownNodesConfig>(line, down_nodes_line_keys(), down, notes_);
    if (!status) return status;
    config_.down_nodes.push_back(std::move(down));
    return {};
  }

  ClusterConfig config_;
  ConfigNotes notes_;
  NodeConfig default_node_;
  PartitionConfig default_partition_;
  std::set<std::string_view> seen_;
};

}  // namespace

Result<ParsedConfig> parse_slurm_conf(std::string_view text, std::string_view gres_conf,
                                      std::string_view cgroup_conf, const ReadInclude& include) {
  Parser parser;
  const auto read = [&](std::string_view content, const char* file,
                        Status (Parser::*into)(const std::vector<ConfigLine>&)) -> Status {
    auto lines = read_config_lines(content, file, include);
    if (!lines) return tl::unexpected(lines.error());
    return (parser.*into)(*lines);
  };
  Status status = read(text, "slurm.conf", &Parser::read_slurm_conf);
  if (status) status = read(gres_conf, "gres.conf", &Parser::read_gres_conf);
  if (status) status = read(cgroup_conf, "cgroup.conf", &Parser::read_cgroup_conf);
  if (!status) return tl::unexpected(status.error());
  return parser.finish();
}

}  // namespace grappe
