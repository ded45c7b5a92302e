#include "cli/options/gpu_checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/gres_spec.h"

namespace grappe {
namespace {

// How many GPUs a text asks for; nothing where it names several types, which are counted apart.
std::optional<uint64_t> gpu_count(const Result<std::vector<GresSpec>>& specs) {
  std::optional<uint64_t> count;
  if (!specs) return std::nullopt;
  for (const GresSpec& spec : *specs) {
    if (spec.name != "gpu") continue;
    if (count) return std::nullopt;
    count = spec.count;
  }
  return count && *count > 0 ? count : std::nullopt;
}

std::string against_nodes(const v1::JobSpec& spec, uint64_t gpus) {
  auto per_node = gpu_count(parse_gpus(spec.gpus_per_node()));
  if (!per_node) per_node = gpu_count(parse_gres(spec.gres()));
  if (!per_node) return "";
  if (gpus % *per_node) {
    return "Failed to validate job spec, --gpus is not multiple of --gres=gpu/--gpus-per-node";
  }
  const uint64_t nodes = gpus / *per_node;
  const uint32_t most = spec.has_max_nodes() ? spec.max_nodes() : spec.min_nodes();
  if (!spec.has_min_nodes() || (nodes >= spec.min_nodes() && nodes <= most)) return "";
  return fmt::format(
      "Failed to validate job spec. Based on --gpu and --gres=gpu/--gpus-per-node required nodes "
      "({}) doesn't fall between min_nodes ({}) and max_nodes ({}) boundaries.",
      nodes, spec.min_nodes(), most);
}

std::string against_tasks(const v1::JobSpec& spec, uint64_t gpus) {
  auto per_task = gpu_count(parse_gpus(spec.gpus_per_task()));
  if (!per_task) return "";
  if (gpus % *per_task)
    return "Failed to validate job spec, --gpus not multiple of --gpus-per-task";
  if (!spec.has_ntasks() || spec.ntasks() == gpus / *per_task) return "";
  return "Failed to validate job spec. Based on --gpus and --gpus-per-task number of requested "
         "tasks differ from -n/--ntasks.";
}

std::string against_each_other(const v1::JobSpec& spec) {
  const uint64_t gpus = gpu_count(parse_gpus(spec.gpus())).value_or(0);
  auto on_node = gpu_count(parse_gpus(spec.gpus_per_node()));
  if (!on_node) on_node = gpu_count(parse_gres(spec.gres()));
  const uint64_t node = on_node.value_or(0);
  const uint64_t socket = gpu_count(parse_gpus(spec.gpus_per_socket())).value_or(0);
  const uint64_t task = gpu_count(parse_gpus(spec.gpus_per_task())).value_or(0);
  if (gpus && gpus < std::max({node, socket, task})) {
    return "Failed to ensure --gpus >= --gres=gpu/--gpus-per-node >= --gpus-per-socket";
  }
  if (node && node < std::max(socket, task)) return "Failed to ensure --gpus >= --gpus-per-task";
  return "";
}

bool says_how_many(const v1::JobSpec& spec) {
  return spec.has_ntasks() || spec.has_min_nodes();
}

}  // namespace

std::string gpu_conflict(const v1::JobSpec& spec) {
  if (std::string text = against_each_other(spec); !text.empty()) return text;
  if (!spec.gpus_per_socket().empty() && !spec.has_sockets_per_node()) {
    return "--gpus-per-socket option requires --sockets-per-node specification";
  }
  const bool any = !spec.gpus().empty() || !spec.gpus_per_node().empty() ||
                   !spec.gpus_per_socket().empty() ||
                   gpu_count(parse_gres(spec.gres())).has_value();
  if (spec.has_ntasks_per_gpu() && !any && !says_how_many(spec)) {
    return "gres_job_state_validate: --ntasks-per-tres needs either a GRES GPU specification or a "
           "node/ntask specification";
  }
  if (spec.ntasks_per_gpu() && !any && spec.ntasks() % spec.ntasks_per_gpu()) {
    return "Failed to validate job spec, -n/--ntasks has to be a multiple of --ntasks-per-gpu.";
  }
  const auto gpus = gpu_count(parse_gpus(spec.gpus()));
  if (spec.gpus().empty() && !spec.gpus_per_task().empty() && !says_how_many(spec)) {
    return "Failed to validate job spec. --gpus-per-task used without either --gpus or "
           "-n/--ntasks is not allowed.";
  }
  if (!gpus) return "";
  if (std::string text = against_nodes(spec, *gpus); !text.empty()) return text;
  if (std::string text = against_tasks(spec, *gpus); !text.empty()) return text;
  if (*gpus < spec.min_nodes()) return "Failed to validate job spec, --gpus < -N";
  return "";
}

}  // namespace grappe
