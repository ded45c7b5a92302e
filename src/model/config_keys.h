// The one table of cluster-wide slurm.conf keys: how each is read and how scontrol shows it.
//
// The rows stand in the order of `scontrol show config`, followed by keys that are only read.
// model/config_parse.h looks keys up here; model/config_show.h walks it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/config.h"

namespace grappe {

// What `scontrol show config` says that no file does.
struct ConfigFacts {
  std::string boot_time;  // "2026-01-31T12:00:00"
  std::uint32_t next_job_id = 1;
  std::uint32_t node_count = 1;
  std::string conf_path;      // of slurm.conf, whether or not it exists
  std::string slurm_user;     // "grappe(998)": who the service runs as
  std::string launcher_user;  // "root(0)": who starts jobs
  std::string state_dir;
  std::string host;  // short name of this machine
  std::string slurm_version = "22.05.8";
};

enum class KeyRole {
  kSetting,   // read, kept and obeyed, unless `why` says why not
  kFixed,     // true of this service whatever the file says: another value is a warning
  kNoEffect,  // Slurm has it, one machine does not need it: a warning that says why
  kRefused,   // ignoring it would break what the site relies on: a failure
  kFact,      // shown, never read
};

struct ConfigKey {
  using Warnings = std::vector<std::string>;
  using SetFunction = Status(const ConfigKey& key, std::string_view value, ClusterConfig& config,
                             Warnings& warnings);
  using ShowFunction = std::string(const ConfigKey& key, const ClusterConfig& config,
                                   const ConfigFacts& facts);
  using Set = SetFunction*;
  using Show = ShowFunction*;
  using Visible = bool (*)(const ClusterConfig& config);

  std::string_view name;
  KeyRole role = KeyRole::kSetting;
  Set set = nullptr;
  Show show = nullptr;    // nullptr: not listed
  std::uint64_t low = 0;  // bounds of a number
  std::uint64_t high = 0xfffffffd;
  std::string_view text = {};  // kFixed, kNoEffect: what is shown; kRefused: why
  Visible visible = nullptr;   // nullptr: always listed
  std::string_view why = {};   // not empty: it has no effect, because of this
};

std::span<const ConfigKey> config_keys();

// Whatever the case; nullptr for a word that is no key of Slurm 22.05.
const ConfigKey* find_config_key(std::string_view name);

}  // namespace grappe
