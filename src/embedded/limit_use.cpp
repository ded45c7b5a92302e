#include "embedded/limit_use.h"

#include "embedded/accrual.h"

namespace grappe::embedded {
namespace {

using Amounts = google::protobuf::Map<std::string, uint64_t>;

void fill_minutes(const sched::Use& use, v1::LimitUse& out) {
  out.set_raw_usage(use.billed);
  out.set_wall_minutes(use.wall / 60);
  for (const auto& [name, seconds] : use.tres) {
    if (const auto minutes = static_cast<uint64_t>(seconds / 60)) {
      (*out.mutable_tres_minutes())[name] = minutes;
    }
  }
}

void set_amount(Amounts& amounts, const std::string& name, uint64_t amount) {
  if (amount) amounts[name] = amount;
}

class UseOfAll {
 public:
  explicit UseOfAll(const State& state)
      : state_(state), table_(state.limit_table()), accruing_(accruing_jobs(state)) {}

  // As far as anybody counts there.
  void fill(const CounterKey& key, v1::LimitUse& out) const {
    const auto& counters = state_.limits().counters();
    const auto found = counters.find(key);
    if (found == counters.end()) return;
    fill(found->second, out);
  }
  void fill(uint32_t counter, v1::LimitUse& out) const {
    if (!table_) return;  // limits are no longer enforced
    const sched::InUse& in_use = table_->in_use;
    out.set_jobs(in_use.jobs(counter));
    out.set_submitted(state_.limits().submitted(counter));
    out.set_accruing(accruing_[counter]);
    const std::vector<std::string>& names = state_.limits().tres();
    for (uint16_t i = 0; i < names.size(); ++i) {
      const bool node = i == in_use.node();
      set_amount(*out.mutable_tres(), names[i],
                 node ? in_use.nodes(counter).count() : in_use.tres(counter, i));
      set_amount(*out.mutable_tres_run_minutes(), names[i], in_use.run_minutes(counter, i));
    }
  }

 private:
  const State& state_;
  std::shared_ptr<const sched::LimitTable> table_;
  std::vector<uint64_t> accruing_;
};

// The shares of all siblings, by row.
std::vector<uint32_t> level_shares(const ShareTable& shares) {
  const size_t rows = shares.rows().size();
  std::vector<uint32_t> below(rows), out(rows, 1);
  for (size_t i = 1; i < rows; ++i) {
    const sched::ShareNode& node = shares.node(i);
    if (!node.as_parent) below[node.parent] += node.shares;
  }
  for (size_t i = 1; i < rows; ++i) out[i] = below[shares.node(i).parent];
  return out;
}

void list_associations_use(const State& state, const UseOfAll& uses, const UseSight& sight,
                           v1::BooksResponse& out) {
  const ShareTable& shares = *state.fair_shares;
  const std::vector<uint32_t> level = level_shares(shares);
  for (size_t i = 0; i < shares.rows().size(); ++i) {
    const uint32_t id = shares.rows()[i].assoc_id;
    const v1::Association* association = state.books.association(id);
    if (!association || !sight.association(*association)) continue;
    v1::LimitUse& use = *out.add_use();
    use.set_association(id);
    uses.fill(CounterKey{CounterKey::kAssociation, id, "", ""}, use);
    fill_minutes(state.usage.of_association(id), use);
    const sched::ShareResult& result = shares.result(i);
    use.set_norm_shares(result.norm_shares);
    use.set_level_shares(level[i]);
    use.set_fair_share(result.fair_share);
    use.set_norm_usage(result.usage_of_all);
    use.set_effective_usage(result.effective_usage);
  }
}

void list_qos_use(const State& state, const UseOfAll& uses, const UseSight& sight,
                  v1::BooksResponse& out) {
  for (const auto& [name, qos] : state.books.qos()) {
    if (qos->stamp().deleted()) continue;
    v1::LimitUse& use = *out.add_use();
    use.set_qos(name);
    uses.fill(CounterKey{CounterKey::kQos, 0, name, ""}, use);
    fill_minutes(state.usage.of_qos(qos->id()), use);
  }
  for (const auto& [key, counter] : state.limits().counters()) {
    const bool user = key.kind == CounterKey::kUserOfQos;
    const bool account = key.kind == CounterKey::kAccountOfQos;
    if ((!user || !sight.user(key.name)) && (!account || !sight.account(key.name))) continue;
    v1::LimitUse& use = *out.add_use();
    use.set_qos(key.qos);
    if (user) use.set_user(key.name);
    if (account) use.set_account(key.name);
    uses.fill(counter, use);
  }
}

}  // namespace

void list_limit_use(const State& state, const UseSight& sight, v1::BooksResponse& out) {
  const UseOfAll uses(state);
  if (state.fair_shares) list_associations_use(state, uses, sight, out);
  list_qos_use(state, uses, sight, out);
}

}  // namespace grappe::embedded
