// docs/configuration.md: every key of the configuration files and what follows from it.
#include <string>

#include "cli/docs/option_tables.h"
#include "model/config_cgroup_keys.h"
#include "model/config_gres_lines.h"
#include "model/config_keys.h"
#include "model/config_node_lines.h"
#include "model/config_partition_lines.h"
#include "model/config_settings.h"

namespace grappe {
namespace {

constexpr std::string_view kIntroduction =
    R"(# Configuration

Nothing has to be configured: without files the machine is one node with one partition. A site that
wants more starts the service with `./run --conf FOLDER` and writes there, each only if needed:

| file | language | says |
|---|---|---|
| `slurm.conf` | Slurm's | nodes, partitions, limits |
| `gres.conf` | Slurm's | device files of GPUs and other resources |
| `cgroup.conf` | Slurm's | what jobs are confined to |
| `grappe.toml` | TOML | what Slurm has no words for: shortcuts, the database |

`scontrol reconfigure` reads them again while jobs run. A value that is wrong is an error with file and
line; then the service does not start, or goes on with what it had. A key that has no effect is a warning
in the log, with the reason that is given below, and `scontrol show config` shows it in Slurm's form.

## Shortcuts

```
[aliases]
sq = "squeue --me"
sbatch-iq = "sbatch --partition=c-iq"
mine = "squeue -u $USER -o '%i %j %T'"
```

Each is a command of its own for everybody: `sq -t PENDING` runs `squeue --me -t PENDING`. The line is
split as a shell does it, with quotes and variables. `./run` makes the links beside the commands;
`grappe aliases FOLDER` makes them in another folder, and `grappe aliases` lists them.

This page is made from the tables that read the files, by `grappe docs configuration`.
)";

using Rows = std::vector<std::pair<std::string_view, std::string>>;

std::string status(const ConfigKey& key) {
  switch (key.role) {
    case KeyRole::kSetting:
      return key.why.empty() ? "obeyed" : "no effect: " + std::string(key.why);
    case KeyRole::kFixed:
      return "always `" + std::string(key.text) + "`";
    case KeyRole::kNoEffect:
      return "no effect: " + std::string(key.why);
    case KeyRole::kRefused:
      return "refused: " + std::string(key.text);
    case KeyRole::kFact:
      return "";
  }
  return "";
}

template <class T>
Rows line_rows_of(std::span<const LineKey<T>> keys) {
  Rows rows;
  for (const LineKey<T>& key : keys) {
    rows.emplace_back(key.name, key.why.empty() ? "obeyed" : "no effect: " + std::string(key.why));
  }
  return rows;
}

// The obeyed ones as a list, the others with their reasons.
void add(std::string& out, std::string_view title, const Rows& rows) {
  out += "\n## " + std::string(title) + "\n\nObeyed:";
  std::string separator = " ";
  for (const auto& [name, text] : rows) {
    if (text != "obeyed") continue;
    out += separator + "`" + std::string(name) + "`";
    separator = ", ";
  }
  out += ".\n";
  bool head = false;
  for (const auto& [name, text] : rows) {
    if (text == "obeyed") continue;
    if (!head) out += "\n| key | |\n|---|---|\n";
    head = true;
    out += "| `" + std::string(name) + "` | " + text + " |\n";
  }
}

}  // namespace

std::string configuration_page() {
  std::string out(kIntroduction);
  Rows cluster;
  for (const ConfigKey& key : config_keys()) {
    if (key.role != KeyRole::kFact) cluster.emplace_back(key.name, status(key));
  }
  add(out, "slurm.conf", cluster);
  out += "\nOf `SchedulerParameters`:";
  std::string separator = " ";
  for (std::string_view word : config_rows::obeyed_scheduler_words()) {
    out += separator + "`" + std::string(word) + "`";
    separator = ", ";
  }
  out += "; other options of Slurm are warnings.\n";
  add(out, "NodeName lines", line_rows_of(node_line_keys()));
  add(out, "PartitionName lines", line_rows_of(partition_line_keys()));
  add(out, "gres.conf", line_rows_of(gres_line_keys()));
  add(out, "cgroup.conf", line_rows_of(cgroup_keys()));
  return out;
}

}  // namespace grappe
