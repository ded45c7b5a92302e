#include "embedded/share_list.h"

#include <algorithm>
#include <map>
#include <set>

#include "embedded/priority.h"
#include "embedded/usage.h"
#include "store/usage.h"

namespace grappe::embedded {
namespace {

// What is tracked, by the number that it has in the books.
std::vector<std::string> tracked(const Books& books) {
  std::map<uint32_t, std::string> by_id;
  for (const auto& [name, tres] : books.tres()) by_id[tres->id()] = name;
  std::vector<std::string> out;
  for (auto& [id, name] : by_id) out.push_back(std::move(name));
  return out;
}

// Seconds that running jobs may still use until their limits, as of the last count.
std::map<uint32_t, TresCounts> left_to_run(const State& state) {
  std::map<uint32_t, TresCounts> out;
  for (uint32_t id : state.active()) {
    const Job& job = *state.find(id);
    if (job.finished() || !job.assoc_id || job.settled.time_limit == kInfinite) continue;
    const int64_t counted = state.usage.charged_until(id, job.start_time) - job.start_time;
    const int64_t left = int64_t{job.settled.time_limit} * 60 - counted;
    if (left <= 0) continue;
    const TresCounts tres = tres_counts(job);
    for (uint32_t payer : payers(state.books, job.assoc_id)) {
      for (const auto& [name, amount] : tres) {
        out[payer][name] += amount * static_cast<uint64_t>(left);
      }
    }
  }
  return out;
}

// What was asked for and may be seen: accounts by their name, users by theirs and their account's.
class Wanted {
 public:
  Wanted(const Core& core, const Caller& caller, const v1::SharesRequest& request)
      : accounts_(request.accounts().begin(), request.accounts().end()),
        users_(request.users().begin(), request.users().end()) {
    const bool hidden = core.state.cluster.config.service.private_data.usage;
    if (hidden && !caller.is_operator) only_ = book_name(caller.user);
  }

  bool operator()(const v1::Association& at) const {
    if (!accounts_.empty() && !accounts_.contains(at.account())) return false;
    if (at.user().empty()) return true;
    return (users_.empty() || users_.contains(at.user())) && (only_.empty() || only_ == at.user());
  }

 private:
  std::set<std::string> accounts_, users_;
  std::string only_;
};

void fill_share(const Core& core, size_t row, v1::ShareInfo& out) {
  const ShareTable& table = core.shares;
  const v1::Association& at = *core.state.books.association(table.rows()[row].assoc_id);
  const sched::ShareResult& result = table.result(row);
  out.set_assoc_id(at.id());
  out.set_account(at.account());
  out.set_user(at.user());
  out.set_partition(at.partition());
  out.set_parent(at.user().empty() ? at.parent() : at.account());
  out.set_depth(table.rows()[row].depth);
  out.set_shares(at.has_shares() ? at.shares() : 1);
  out.set_norm_shares(result.norm_shares);
  out.set_norm_usage(result.usage_of_all);
  out.set_effective_usage(result.effective_usage);
  out.set_fair_share(result.fair_share);
  out.set_level_fs(result.level_fs);
  out.set_raw_usage(core.state.usage.of_association(at.id()).billed);
  *out.mutable_grp_tres_mins() = at.limits().grp_tres_mins();
}

}  // namespace

Result<v1::SharesResponse> list_shares(Core& core, const Caller& caller,
                                       const v1::SharesRequest& request) {
  const State& state = core.state;
  const PriorityConfig& priority = state.cluster.config.priority;
  if (core.shares.is_stale()) recalculate_priorities(core);
  v1::SharesResponse out;
  out.set_now(core.now);
  out.set_cluster(state.cluster.config.service.cluster_name);
  out.set_rule(priority.flags.no_fair_tree ? v1::SharesResponse::CLASSIC
                                           : v1::SharesResponse::FAIR_TREE);
  out.set_half_life_s(priority.decay_half_life_s);
  out.set_calc_period_s(priority.calc_period_s);
  out.set_last_run(state.usage.last_run());
  out.set_user(book_name(caller.user));
  out.set_multifactor(priority.type == "priority/multifactor");
  out.set_weight_fair_share(priority.weight_fair_share);
  const std::vector<std::string> names = tracked(state.books);
  for (const std::string& name : names) out.add_tres(name);
  std::map<uint32_t, TresCounts> left = left_to_run(state);
  const Wanted wanted(core, caller, request);
  const std::vector<ShareTable::Row>& rows = core.shares.rows();
  for (size_t i = 0; i < rows.size(); ++i) {
    out.set_users(out.users() + core.shares.node(i).is_user);
    if (!wanted(*state.books.association(rows[i].assoc_id))) continue;
    v1::ShareInfo& info = *out.add_shares();
    fill_share(core, i, info);
    const auto& used = state.usage.of_association(info.assoc_id()).tres;
    for (const std::string& name : names) {
      const auto found = used.find(name);
      info.add_tres_raw(found == used.end() ? 0 : found->second);
      info.add_tres_run_s(static_cast<double>(left[info.assoc_id()][name]));
    }
  }
  return out;
}

}  // namespace grappe::embedded
