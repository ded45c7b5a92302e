// The devices behind Gres= of each node: files of gres.conf, GPUs that were detected, or pretended.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "daemon/config/hardware.h"
#include "model/config_cluster.h"

namespace grappe {

// Hands devices out, each to one node.
class DevicePool {
 public:
  DevicePool(const ClusterConfig& config, const Hardware& hardware);

  // Fills gres and gres_text of `node` from the text of its Gres=. Node sizes and real_cpus must be
  // set before. What is missing is pretended with config_overrides; else the answer is the reason
  // why the node is invalid ("gres/gpu count reported lower than configured (1 < 2)"), empty when
  // all is well.
  Result<std::string> equip(const std::string& gres_text, ConfiguredNode& node);

 private:
  struct Candidate;

  std::vector<Candidate> candidates(const std::string& name, const ConfiguredNode& node) const;
  void add_files(const GresConfig& line, const ConfiguredNode& node,
                 std::vector<Candidate>& found) const;
  void add_detected(const ConfiguredNode& node, std::vector<Candidate>& found) const;
  bool may_detect(const ConfiguredNode& node) const;
  bool is_counted_only(const std::string& name, const ConfiguredNode& node) const;
  bool applies(const GresConfig& line, const ConfiguredNode& node) const;
  void assign(NodeGres& gres, std::vector<Candidate>& found, ConfiguredNode& node);

  const ClusterConfig& config_;
  const Hardware& hardware_;
  std::vector<std::string> taken_;  // paths of detected GPUs that a node has
};

}  // namespace grappe
