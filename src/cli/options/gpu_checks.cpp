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

std::optional<uint64_t> gpus_on_node(const v1::JobSpec& spec) {
  auto on_node = gpu_count(parse_gpus(spec.gpus_per_node()));
  return on_node ? on_node : gpu_count(parse_gres(spec.gres()));
}

std::string against_nodes(const v1::JobSpec& spec, uint64_t gpus) {
  const auto per_node = gpus_on_node(spec);
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

constexpr std::string_view kOnNode = "--gres=gpu/--gpus-per-node";

// One amount holds another several times: as often as the option that counts those parts says.
std::string as_often(std::string_view whole_name, std::optional<uint64_t> whole,
                     std::string_view part_name, std::optional<uint64_t> part, uint32_t asked,
                     std::string_view differ) {
  if (!whole || !part) return "";
  if (*whole % *part) {
    return fmt::format("Failed to validate job spec, {} not multiple of {}.", whole_name,
                       part_name);
  }
  if (asked == 0 || *whole / *part == asked) return "";
  return fmt::format("Failed to validate job spec. Based on {} and {} {}.", whole_name, part_name,
                     differ);
}

std::string against_sockets_and_tasks(const v1::JobSpec& spec) {
  const auto node = gpus_on_node(spec);
  const auto socket = gpu_count(parse_gpus(spec.gpus_per_socket()));
  const auto task = gpu_count(parse_gpus(spec.gpus_per_task()));
  std::string text = as_often(kOnNode, node, "--gpus-per-socket", socket, spec.sockets_per_node(),
                              "required number of sockets differ from --sockets-per-node");
  if (text.empty()) {
    text = as_often(kOnNode, node, "--gpus-per-task", task, spec.ntasks_per_node(),
                    "requested number of tasks per node differ from --ntasks-per-node");
  }
  if (text.empty()) {
    text = as_often("--gpus-per-socket", socket, "--gpus-per-task", task, spec.ntasks_per_socket(),
                    "requested number of tasks per sockets differ from --ntasks-per-socket");
  }
  return text;
}

std::string against_each_other(const v1::JobSpec& spec) {
  const uint64_t gpus = gpu_count(parse_gpus(spec.gpus())).value_or(0);
  const uint64_t node = gpus_on_node(spec).value_or(0);
  const uint64_t socket = gpu_count(parse_gpus(spec.gpus_per_socket())).value_or(0);
  const uint64_t task = gpu_count(parse_gpus(spec.gpus_per_task())).value_or(0);
  if (gpus && gpus < std::max({node, socket, task})) {
    return "Failed to ensure --gpus >= --gres=gpu/--gpus-per-node >= --gpus-per-socket";
  }
  if (node && node < std::max(socket, task)) return "Failed to ensure --gpus >= --gpus-per-task";
  return "";
}

bool asks_for_gpus(const v1::JobSpec& spec) {
  const auto some = [](const Result<std::vector<GresSpec>>& specs) {
    return !specs || std::any_of(specs->begin(), specs->end(), [](const GresSpec& one) {
      return one.name == "gpu" && one.count > 0;
    });
  };
  return some(parse_gpus(spec.gpus())) || some(parse_gpus(spec.gpus_per_node())) ||
         some(parse_gpus(spec.gpus_per_socket())) || some(parse_gpus(spec.gpus_per_task())) ||
         some(parse_gres(spec.gres()));
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
  if (spec.mem_per_gpu_mb() && !asks_for_gpus(spec)) {
    return fmt::format("Requested mem_per_tres=gres:gpu:{} but did not request any GPU.",
                       spec.mem_per_gpu_mb());
  }
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
  if (gpus) {
    if (std::string text = against_nodes(spec, *gpus); !text.empty()) return text;
    if (std::string text = against_tasks(spec, *gpus); !text.empty()) return text;
    if (*gpus < spec.min_nodes()) return "Failed to validate job spec, --gpus < -N";
  }
  return against_sockets_and_tasks(spec);
}

}  // namespace grappe
