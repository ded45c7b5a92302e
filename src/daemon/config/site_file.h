// grappe.toml: what a site says that slurm.conf has no words for.
//
//   database = "postgresql:///grappe?host=/run/postgresql"
//
//   [aliases]
//   sq = "squeue --me"
//   sbatch-iq = "sbatch --partition=c-iq"
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

struct SiteFile {
  // Where everything is kept: postgresql://..., or a file of SQLite; empty: in the state folder.
  std::string database;
  // Shortcuts: a name beside the commands, and the command line that it stands for.
  std::map<std::string, std::string> aliases;
};

// What is misspelt or of the wrong kind is a failure that names the line.
Result<SiteFile> parse_site_file(std::string_view text);

// Reads grappe.toml of `conf_dir`; one that is not there says nothing.
Result<SiteFile> load_site_file(const std::filesystem::path& conf_dir);

}  // namespace grappe
