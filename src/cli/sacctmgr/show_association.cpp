#include <map>
#include <string>

#include "cli/sacctmgr/associations.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/listing.h"

namespace grappe::sacctmgr {
namespace {

struct AssociationsShown {
  AssociationCondition where;
  Names format;
  bool tree = false;
  bool without_limits = false;
};

constexpr std::string_view kWho = "Cluster,Account,User,Part";
constexpr std::string_view kLimitColumns =
    ",Share,Priority,GrpJ,GrpTRES,GrpS,GrpWall,GrpTRESMins,MaxJ,MaxTRES,MaxTRESPerN,MaxS,MaxW,"
    "MaxTRESMins,QOS,DefaultQOS,GrpTRESRunMins";

bool take_association_word(AssociationsShown& shown, const Word& word) {
  if (!word.has_value && is_key(word, "Tree", 4)) return shown.tree = true;
  if (!word.has_value && is_key(word, "WOLimits", 3)) return shown.without_limits = true;
  if (set_association_flag(shown.where, word)) return true;
  if (take_format(shown.format, word)) return true;
  if (set_association_condition(shown.where, word)) return true;
  if (word.has_value) return false;
  add_wanted(shown.where.ids, word.value);
  return true;
}

}  // namespace

void show_associations(Session& session, Words words) {
  AssociationsShown shown;
  if (!read_conditions(session, words, shown, take_association_word, "")) return;
  std::string columns(kWho);
  if (!shown.without_limits) columns += kLimitColumns;
  auto listing = Listing::make(session, shown.format, columns, shown.tree);
  if (!listing) return;
  auto books = session.books(kAssociations | kQos | kTres, shown.where.deleted);
  if (!books) return;
  std::vector<const v1::Association*> chosen;
  for (const v1::Association& record : books->associations()) {
    if (matches(shown.where, record, *books)) chosen.push_back(&record);
  }
  const AssociationView view{*books, shown.where.raw_qos,
                             shown.where.without_parent_limits || shown.where.without_parent_info,
                             shown.where.without_parent_info};
  std::vector<v1::Association> orphans;  // without what they have to do with each other
  if (shown.where.without_parent_info) {
    for (const v1::Association* record : chosen) orphans.push_back(*record);
    chosen.clear();
    for (v1::Association& record : orphans) {
      record.set_parent_id(0);
      chosen.push_back(&record);
    }
  }
  std::map<uint32_t, size_t> depths;  // among those that are shown, parents first
  for (const v1::Association* record : in_tree_order(chosen)) {
    auto parent = depths.find(record->parent_id());
    const size_t depth = parent == depths.end() ? 0 : parent->second + 1;
    depths[record->id()] = depth;
    listing->row([&](F field) {
      const std::string value = association_value(field, *record, view);
      if (!shown.tree || field != F::kAccount) return value;
      return std::string(depth, ' ') + value;
    });
  }
  listing->print();
}

}  // namespace grappe::sacctmgr
