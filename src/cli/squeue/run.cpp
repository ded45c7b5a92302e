// squeue: the jobs and steps in the queue.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>

#include "base/hostlist.h"
#include "base/text.h"
#include "cli/calls.h"
#include "cli/cluster_name.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/run_command.h"
#include "cli/squeue/job_arena.h"
#include "cli/squeue/job_json.h"
#include "cli/squeue/squeue.h"
#include "grappe/v1/cluster.pb.h"
#include "model/slurm_error.h"

namespace grappe {
namespace {

constexpr std::chrono::seconds kTimeout(60);

// "slurm_load_jobs error: ...": these come without the name of the command in Slurm.
int load_failed(const Error& error) {
  for (const std::string& note : error.notes) std::fprintf(stderr, "%s\n", note.c_str());
  std::fprintf(stderr, "slurm_load_jobs error: %s\n", error.message.c_str());
  return 1;
}

std::string local_host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return std::string(name).substr(0, std::string_view(name).find('.'));
}

// A node is known by its own name or by that of its host; "localhost" is this one.
Status resolve_nodes(Calls& calls, SqueueOptions& options) {
  auto names = expand_hostlist(*options.node_list);
  if (!names) return fail("Invalid node name " + *options.node_list);
  auto known = calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!known) return tl::unexpected<Error>(known.error());
  std::unordered_set<std::string> found;
  for (std::string& name : *names) {
    if (name == "localhost") name = local_host_name();
    const v1::NodeInfo* match = nullptr;
    for (const v1::NodeInfo& node : known->nodes()) {
      if (node.name() == name) match = &node;
      if (!match && node.hostname() == name) match = &node;
    }
    if (!match) return fail("Invalid node name " + name);
    found.insert(match->name());
  }
  options.filter.nodes = std::move(found);
  return {};
}

int print_json(Calls& calls) {
  v1::ListJobsRequest request;
  request.set_all_states(true);
  request.set_all_partitions(true);
  request.set_view(v1::ListJobsRequest::FULL);
  auto jobs = calls.call<v1::ListJobsResponse>("Jobs/List", request);
  if (!jobs) return load_failed(jobs.error());
  auto nodes = calls.call<v1::NodesResponse>("Cluster/Nodes", v1::NodesRequest());
  if (!nodes) return load_failed(nodes.error());
  Output output;
  append_jobs_json(output.text(), *jobs, *nodes);
  return 0;
}

Result<SortContext> sort_context(Calls& calls, const SqueueOptions& options, int64_t now) {
  SortContext context;
  context.now = now;
  if (!options.rows.split_partitions) return context;
  v1::PartitionsRequest request;
  request.set_all(true);
  auto partitions = calls.call<v1::PartitionsResponse>("Cluster/Partitions", request);
  if (!partitions) return tl::unexpected<Error>(partitions.error());
  for (const v1::PartitionInfo& partition : partitions->partitions()) {
    context.tiers.emplace(partition.name(), partition.priority_tier());
  }
  return context;
}

// One job by its id that is not there is an error; one of several is just not listed.
bool names_one_job(const SqueueOptions& options) {
  const auto& wish = options.filter.jobs;
  return !options.steps && wish.values.size() == 1 && !wish.values[0].by_task;
}

// The same for tasks of one array: only their array must be there.
bool is_unknown_array(Calls& calls, const SqueueOptions& options) {
  const auto& wish = options.filter.jobs;
  if (options.steps || wish.values.size() != 1 || !wish.values[0].by_task) return false;
  v1::ListJobsRequest request;
  request.add_job_ids(std::to_string(wish.values[0].job_id));
  request.set_all_states(true);
  request.set_all_partitions(true);
  auto answer = calls.call<v1::ListJobsResponse>("Jobs/List", request);
  return answer ? answer->jobs().empty() : answer.error().code == kErrInvalidJobId;
}

int report_once(Calls& calls, const SqueueOptions& options, std::string_view cluster) {
  Output output;
  bool dated = options.iterate_s || options.verbosity || options.long_output;
  if (dated && !options.no_header) append_date_line(output.text(), std::time(nullptr));
  if (options.clusters && !options.no_header) {
    output.text() += "CLUSTER: " + std::string(cluster) + "\n";
  }
  google::protobuf::Arena arena(job_arena_options());
  auto* jobs = google::protobuf::Arena::CreateMessage<v1::ListJobsResponse>(&arena);
  jobs->set_now(std::time(nullptr));
  if (!options.filter.impossible()) {
    Status done = calls.exchange("Jobs/List", jobs_request(options), *jobs, kTimeout);
    bool one_job = names_one_job(options);
    // A task or a step that is not there is no error in Slurm, only an empty table.
    bool only_empty = !done && done.error().code == kErrInvalidJobId && !one_job;
    if (!done && !only_empty) return load_failed(done.error());
    if (jobs->jobs().empty() && (one_job || is_unknown_array(calls, options))) {
      return load_failed({0, "Invalid job id specified", {}});
    }
  }
  if (options.steps) {
    print_steps(*jobs, options, cluster, output);
    return 0;
  }
  auto sort = sort_context(calls, options, jobs->now());
  if (!sort) return load_failed(sort.error());
  Status printed = print_jobs(*jobs, options, *sort, output);
  if (printed) return 0;
  output.flush();
  Report("squeue").error(printed.error());
  return 1;
}

}  // namespace

int squeue(SqueueOptions& options, Calls& calls) {
  if (options.verbosity) Output().text() += describe_options(options);
  if (options.json) return print_json(calls);
  Report report("squeue");
  if (options.node_list) {
    if (Status done = resolve_nodes(calls, options); !done) {
      report.error(done.error());
      return 1;
    }
  }
  std::string cluster;
  bool shows_cluster =
      options.steps && to_lower(options.chosen_format().text).find("cluster") != std::string::npos;
  if (options.clusters || shows_cluster) {
    auto name = cluster_name(calls, options.clusters.value_or("all"));
    if (!name) {
      report.error(name.error());
      return 1;
    }
    cluster = *name;
  }
  return repeat_every(options.iterate_s, [&] { return report_once(calls, options, cluster); });
}

int run_squeue(int argc, char** argv) {
  return run_command(argc, argv, read_squeue_options, squeue);
}

}  // namespace grappe
