// What can be set of an association, by `add` and `modify` of accounts, users and clusters and by
// the lines of a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/session.h"
#include "cli/sacctmgr/words.h"

namespace grappe::sacctmgr {

// "qos=a,b", "qos+=c", "qos-=d": each name with its sign, 0 for "=".
struct QosChange {
  bool given = false;
  std::vector<std::pair<char, std::string>> names;
};

struct AssociationSettings {
  std::optional<std::string> default_qos;  // "": cleared
  std::optional<uint32_t> shares;          // kInfinite: cleared
  std::optional<uint32_t> priority;        // kInfinite: cleared
  std::optional<std::string> parent;
  std::vector<LimitChange> limits;
  QosChange qos;

  // The parent is no limit: it is not among what " Settings" tells.
  bool any() const;
};

inline constexpr uint32_t kSharesOfParent = 0x7fffffff;

// False: the word is none of an association's, or what it says is wrong; that has been said, and
// the caller says that it does not know the word, as Slurm does.
bool set_association(Session& session, AssociationSettings& settings, const Word& word,
                     const v1::BooksResponse& books);
// Names that are taken, for "did you mean" and the completion.
std::vector<std::string_view> association_keys();

void apply(const AssociationSettings& settings, v1::Association& association);
// The lines of " Settings": "  Fairshare     = 10\n".
std::string settings_text(const AssociationSettings& settings);

// "a,+b": names of QoS that exist. `operation` is that of "+=".
Result<QosChange> parse_qos_change(char operation, std::string_view text,
                                   const v1::BooksResponse& books);
// What an association's own list is after a change.
void apply(const QosChange& change, google::protobuf::RepeatedPtrField<std::string>& own);
std::string qos_change_text(const QosChange& change);

}  // namespace grappe::sacctmgr
