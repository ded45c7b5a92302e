#include <fmt/core.h>

#include <cmath>

#include "cli/sshare/sshare.h"

namespace grappe {
namespace {

using Share = v1::ShareInfo;
using Ctx = SshareContext;

constexpr uint32_t kOfParent = 0x7fffffff;

bool is_root(const Share& share) {
  return share.depth() == 0;
}

std::string part(double value) {
  return fmt::format("{:.6f}", value);
}

std::string account(const Share& share, const Ctx& context) {
  const uint32_t depth = share.depth() > context.top ? share.depth() - context.top : 0;
  return std::string(context.indented ? depth : 0, ' ') + share.account();
}

std::string raw_shares(const Share& share, const Ctx&) {
  if (is_root(share)) return "";
  return share.shares() == kOfParent ? "parent" : std::to_string(share.shares());
}

std::string norm_usage(const Share& share, const Ctx&) {
  return is_root(share) ? "" : part(share.norm_usage());
}

// Of accounts only with the classic rule.
std::string fair_share(const Share& share, const Ctx& context) {
  const bool has_one =
      !share.user().empty() || context.answer.rule() == v1::SharesResponse::CLASSIC;
  return has_one ? part(share.fair_share()) : "";
}

std::string level_fs(const Share& share, const Ctx&) {
  if (is_root(share) || share.shares() == kOfParent) return "";
  return std::isinf(share.level_fs()) ? "inf" : part(share.level_fs());
}

// "cpu=100,gres/gpu=7", in the order of the books.
std::string limit(const Share& share, const Ctx& context) {
  std::string out;
  for (const std::string& name : context.answer.tres()) {
    const auto found = share.grp_tres_mins().find(name);
    if (found == share.grp_tres_mins().end()) continue;
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", name, found->second);
  }
  return out;
}

// Seconds as full minutes of each.
template <class Seconds>
std::string minutes(const Seconds& seconds, const Ctx& context) {
  std::string out;
  for (int i = 0; i < seconds.size() && i < context.answer.tres_size(); ++i) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", context.answer.tres(i),
                       static_cast<uint64_t>(seconds.Get(i) / 60));
  }
  return out;
}

#define VALUE(expression)                      \
  [](const Share& share, const Ctx& context) { \
    (void)share, (void)context;                \
    return std::string(expression);            \
  }

constexpr SshareField kFields[] = {
    {"Account", -20, account},
    {"Cluster", 10, VALUE(context.answer.cluster())},
    {"EffectvUsage", 13, VALUE(part(share.effective_usage()))},
    {"FairShare", 10, fair_share},
    {"GrpTRESMins", 30, limit},
    {"GrpTRESRaw", 30, VALUE(minutes(share.tres_raw(), context))},
    {"ID", 6, VALUE(std::to_string(share.assoc_id()))},
    {"LevelFS", 10, level_fs},
    {"NormShares", 11, VALUE(part(share.norm_shares()))},
    {"NormUsage", 11, norm_usage},
    {"Partition", 12, VALUE(share.partition())},
    {"RawShares", 10, raw_shares},
    {"RawUsage", 11, VALUE(std::to_string(static_cast<uint64_t>(share.raw_usage())))},
    {"TRESRunMins", 30, VALUE(minutes(share.tres_run_s(), context))},
    {"User", 10, VALUE(share.user())},
};

}  // namespace

std::span<const SshareField> sshare_fields() {
  return kFields;
}

}  // namespace grappe
