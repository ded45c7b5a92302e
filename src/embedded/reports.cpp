#include "embedded/reports.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hostlist.h"
#include "base/text.h"
#include "embedded/noted.h"
#include "model/reservation_flags.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

template <class List, class Value>
bool named_or_all(const List& list, const Value& value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

void copy_counts(const TresCounts& from, google::protobuf::Map<std::string, uint64_t>* to) {
  for (const auto& [name, count] : from) (*to)[name] = count;
}

void fill_cluster(const std::map<std::string, ClusterUse>& cluster, v1::UsageResponse& out) {
  for (const auto& [name, use] : cluster) {
    v1::ClusterUsage& row = *out.add_utilization();
    row.set_tres(name);
    row.set_count(use.amount);
    row.set_allocated(use.allocated);
    row.set_down(use.down);
    row.set_planned_down(use.planned_down);
    row.set_idle(use.idle);
    row.set_planned(use.planned);
    row.set_overcommitted(use.overcommitted);
  }
}

// Each association's own use, and of an account also what is used below it.
std::map<uint32_t, TresCounts> with_parents(const std::vector<TreeRow>& tree,
                                            const std::map<uint32_t, TresCounts>& own) {
  std::map<uint32_t, TresCounts> sums = own;
  for (auto row = tree.rbegin(); row != tree.rend(); ++row) {
    auto found = sums.find(row->id);
    if (found == sums.end() || !row->parent_id) continue;
    const TresCounts below = found->second;
    for (const auto& [name, seconds] : below) sums[row->parent_id][name] += seconds;
  }
  return sums;
}

void fill_associations(const ReportContext& context, const UsageSums& sums,
                       v1::UsageResponse& out) {
  const auto used = with_parents(context.tree, sums.by_association);
  std::map<uint32_t, std::vector<std::string>> lineages;
  for (const TreeRow& row : context.tree) {
    std::vector<std::string>& lineage = lineages[row.id];
    lineage = lineages[row.parent_id];
    if (row.user.empty()) lineage.push_back(row.account);
    const auto found = used.find(row.id);
    if (found == used.end() || row.deleted) continue;
    if (context.only_own && row.user != context.user) continue;
    v1::AssociationUsage& usage = *out.add_associations();
    usage.set_id(row.id);
    usage.set_account(row.account);
    usage.set_user(row.user);
    usage.set_depth(static_cast<uint32_t>(lineage.size()) - (row.user.empty() ? 1 : 0));
    usage.mutable_lineage()->Assign(lineage.begin(), lineage.end());
    copy_counts(found->second, usage.mutable_seconds());
  }
}

// What a job used in the window, of each second of it; a job that did not run is not one.
struct JobUse {
  uint64_t size = 0, seconds = 0;
};

JobUse use_in(const Job& job, const v1::JobSizesRequest& request, int64_t end) {
  if (!job.start_time || job.allocation.empty()) return {};
  const int64_t from = std::max(job.start_time, request.start_time());
  const int64_t to = std::min(job.finished() ? job.end_time : INT64_MAX, end);
  const int64_t still = from == job.start_time ? job.suspended_s : 0;
  if (to - from - still <= 0) return {};
  const TresCounts tres = tres_counts(job);
  const auto found = tres.find(request.tres());
  if (found == tres.end()) return {};
  return {found->second, found->second * static_cast<uint64_t>(to - from - still)};
}

bool is_meant(const Job& job, const v1::JobSizesRequest& request) {
  const bool on_a_node =
      request.nodes().empty() ||
      std::any_of(job.allocation.begin(), job.allocation.end(), [&](const NodeAllocation& share) {
        return named_or_all(request.nodes(), share.name);
      });
  return on_a_node && named_or_all(request.gids(), job.gid) &&
         named_or_all(request.wckeys(), job.wckey) &&
         (request.partitions().empty() ||
          (!job.partitions.empty() && named_or_all(request.partitions(), job.partitions.front())));
}

uint64_t group_of(uint64_t size, const v1::JobSizesRequest& request) {
  if (request.bounds().empty()) return size;
  uint64_t least = 0;
  for (uint64_t bound : request.bounds()) {
    if (size >= bound) least = std::max(least, bound);
  }
  return least;
}

// What jobs used of each window.
Result<std::vector<TresCounts>> used_of(Store& store, const std::vector<ReservationWindow>& windows,
                                        int64_t now) {
  std::vector<TresCounts> used(windows.size());
  if (windows.empty()) return used;
  HistoryQuery query;
  query.start_time = INT64_MAX;
  query.end_time = 0;
  for (const ReservationWindow& window : windows) {
    query.start_time = std::min(query.start_time, window.start);
    query.end_time = std::max(query.end_time, window.end);
  }
  Status done = store.each_job(query, [&](const Job& job) {
    if (!job.start_time || job.spec->reservation().empty()) return;
    const auto names = split_words(job.spec->reservation(), ",");
    for (size_t i = 0; i < windows.size(); ++i) {
      if (std::find(names.begin(), names.end(), windows[i].name) == names.end()) continue;
      const int64_t from = std::max(job.start_time, windows[i].start);
      const int64_t to = std::min(job.finished() ? job.end_time : now, windows[i].end);
      for (const auto& [name, count] : tres_counts(job)) {
        if (to > from) used[i][name] += count * static_cast<uint64_t>(to - from);
      }
    }
  });
  if (!done) return tl::unexpected<Error>(done.error());
  return used;
}

bool on_nodes(const std::string& hostlist,
              const google::protobuf::RepeatedPtrField<std::string>& asked) {
  if (asked.empty()) return true;
  auto names = expand_hostlist(hostlist);
  return names && std::any_of(names->begin(), names->end(),
                              [&](const std::string& name) { return named_or_all(asked, name); });
}

// Of one of his associations, or of an account that he is in.
bool is_his(const ReportContext& context, const ReservationWindow& window) {
  std::set<std::string> accounts;
  for (const TreeRow& row : context.tree) {
    if (row.user == context.user && !row.deleted) accounts.insert(row.account);
  }
  return std::any_of(context.tree.begin(), context.tree.end(), [&](const TreeRow& row) {
    const bool his = row.user.empty() ? accounts.contains(row.account) : row.user == context.user;
    const auto& may = window.associations;
    return his && std::find(may.begin(), may.end(), row.id) != may.end();
  });
}

}  // namespace

ReportContext report_context(const Core& core, const Caller& caller) {
  ReportContext context;
  const ServiceConfig& service = core.state.cluster.config.service;
  context.cluster = service.cluster_name;
  context.now = core.now;
  context.only_own = service.private_data.usage && !caller.is_operator;
  context.uid = caller.uid;
  context.user = caller.user;
  context.no_events = service.private_data.events && !caller.is_operator;
  context.only_his_reservations = service.private_data.reservations && !caller.is_operator;
  context.planned = planned_windows(core);
  const Books& books = core.state.books;
  auto add = [&](const v1::Association& association) {
    const v1::Association* parent = books.parent(association);
    context.tree.push_back({association.id(), parent ? parent->id() : 0, association.account(),
                            association.user(), association.parent(),
                            association.stamp().deleted()});
  };
  for (const v1::Association* association : books.tree(context.cluster)) add(*association);
  // What those have used who are gone is still their account's. Accounts before their users.
  for (const bool users : {false, true}) {
    for (const auto& [id, association] : books.associations()) {
      const bool deleted = association->stamp().deleted();
      if (deleted && association->user().empty() != users) add(*association);
    }
  }
  return context;
}

Result<v1::UsageResponse> usage_report(Store& store, const ReportContext& context,
                                       const v1::UsageRequest& request) {
  v1::UsageResponse out;
  out.set_now(context.now);
  out.set_cluster(context.cluster);
  const int64_t end = std::min(request.end_time(), context.now);
  if (request.start_time() >= end) return out;
  auto sums = store.usage(request.start_time(), end);
  if (!sums) return tl::unexpected<Error>(sums.error());
  fill_cluster(sums->cluster, out);
  fill_associations(context, *sums, out);
  for (const auto& [key, seconds] : sums->by_wckey) {
    if (context.only_own && key.second != context.user) continue;
    v1::WckeyUsage& row = *out.add_wckeys();
    row.set_wckey(key.first);
    row.set_user(key.second);
    copy_counts(seconds, row.mutable_seconds());
  }
  return out;
}

Result<v1::JobSizesResponse> job_sizes_report(Store& store, const ReportContext& context,
                                              const v1::JobSizesRequest& request) {
  HistoryQuery query;
  query.job_ids.assign(request.job_ids().begin(), request.job_ids().end());
  query.uids.assign(request.uids().begin(), request.uids().end());
  if (context.only_own) query.uids = {context.uid};
  query.start_time = request.start_time();
  query.end_time = std::min(request.end_time(), context.now);
  std::map<std::pair<std::string, std::string>, std::map<uint64_t, v1::JobSize>> sizes;
  Status done = store.each_job(query, [&](const Job& job) {
    const JobUse use = use_in(job, request, query.end_time);
    if (!use.seconds || !is_meant(job, request)) return;
    const uint64_t least = group_of(use.size, request);
    v1::JobSize& group = sizes[{job.account, job.wckey}][least];
    group.set_least(least);
    group.set_jobs(group.jobs() + 1);
    group.set_seconds(group.seconds() + use.seconds);
  });
  if (!done) return tl::unexpected<Error>(done.error());

  v1::JobSizesResponse out;
  out.set_cluster(context.cluster);
  for (const auto& [key, groups] : sizes) {
    v1::JobSizes& row = *out.add_sizes();
    row.set_account(key.first);
    row.set_wckey(key.second);
    for (const auto& [least, group] : groups) *row.add_groups() = group;
  }
  for (const TreeRow& row : context.tree) {
    if (!row.user.empty() || row.deleted) continue;
    v1::AccountInTree& account = *out.add_accounts();
    account.set_name(row.account);
    account.set_parent(row.parent);
  }
  return out;
}

Result<v1::ReservationUsageResponse> reservation_report(
    Store& store, const ReportContext& context, const v1::ReservationUsageRequest& request) {
  auto windows = store.windows(request.start_time(), request.end_time());
  if (!windows) return tl::unexpected<Error>(windows.error());
  for (const ReservationWindow& window : context.planned) {
    if (request.planned() && window.start < request.end_time()) windows->push_back(window);
  }
  std::erase_if(*windows, [&](const ReservationWindow& window) {
    return (context.only_his_reservations && !is_his(context, window)) ||
           !named_or_all(request.names(), window.name) || !named_or_all(request.ids(), window.id) ||
           !on_nodes(window.nodes, request.nodes());
  });
  auto used = request.unmeasured() ? std::vector<TresCounts>(windows->size())
                                   : used_of(store, *windows, context.now);
  if (!used) return tl::unexpected<Error>(used.error());
  v1::ReservationUsageResponse out;
  out.set_now(context.now);
  out.set_cluster(context.cluster);
  for (size_t i = 0; i < windows->size(); ++i) {
    const ReservationWindow& window = (*windows)[i];
    v1::ReservationUsage& row = *out.add_reservations();
    row.set_id(window.id);
    row.set_name(window.name);
    row.set_start_time(window.start);
    row.set_end_time(window.end);
    for (std::string& flag : reservation_flag_names(window.flags, 0)) {
      row.add_flags(std::move(flag));
    }
    row.set_nodes(window.nodes);
    copy_counts(window.tres, row.mutable_tres());
    copy_counts((*used)[i], row.mutable_allocated());
    for (uint32_t id : window.associations) row.add_associations(id);
  }
  return out;
}

Result<v1::EventsResponse> events_report(Store& store, const ReportContext& context,
                                         const v1::EventsRequest& request) {
  if (context.no_events) return slurm_fail(kErrAccessDenied);
  auto events =
      store.events(request.start_time(), request.end_time() ? request.end_time() : context.now + 1);
  if (!events) return tl::unexpected<Error>(events.error());
  v1::EventsResponse out;
  out.set_now(context.now);
  out.set_cluster(context.cluster);
  for (const NodeEvent& event : *events) {
    if (event.node.empty() ? request.nodes_only() || !request.nodes().empty()
                           : request.cluster_only() || !named_or_all(request.nodes(), event.node)) {
      continue;
    }
    v1::ClusterEvent& row = *out.add_events();
    row.set_node(event.node);
    row.set_start_time(event.start);
    row.set_end_time(event.end);
    row.set_state(event.state);
    row.set_reason(event.reason);
    row.set_uid(event.uid);
    row.set_user(event.user);
    row.set_nodes(event.nodes);
    copy_counts(event.tres, row.mutable_tres());
  }
  return out;
}

}  // namespace grappe::embedded
