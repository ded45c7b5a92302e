#include <fmt/core.h>

#include <utility>

#include "cli/sacctmgr/associations.h"
#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/inheritance.h"
#include "cli/sacctmgr/qos.h"
#include "cli/sacctmgr/qos_settings.h"

namespace grappe::sacctmgr {
namespace {

const v1::Qos* find_qos(const v1::BooksResponse& books, std::string_view name) {
  for (const v1::Qos& qos : books.qos()) {
    if (qos.name() == name && !qos.stamp().deleted()) return &qos;
  }
  return nullptr;
}

// Associations whose default is one of these: it must not vanish below them.
std::string defaults_among(const v1::BooksResponse& books, const Names& qos) {
  std::string lines;
  for (const v1::Association& record : books.associations()) {
    if (record.stamp().deleted() || !contains(qos, record.default_qos())) continue;
    lines += default_qos_line(record.default_qos(), record);
  }
  return lines;
}

// 0, or the code of the error, which has been said.
int take_setting_of_qos(Session& session, QosSettings& settings, const Word& word,
                        const v1::BooksResponse& books) {
  auto known = set_qos_setting(settings, word, books);
  if (known && *known) return 0;
  if (known) {
    session.fail(
        fmt::format(" Unknown option: {}\n Use keyword 'where' to modify condition\n", word.text));
    return 1;
  }
  const Error& error = known.error();
  if (error.code == 0 || error.code == kBadNumber) {
    session.error(error.message);
  } else if (error.code == 2) {
    session.complain(error.message + word.text + "\n");
  } else {
    session.fail(error.message + "\n");
  }
  return error.code ? error.code : 1;
}

struct ModifyQos {
  QosCondition where;
  QosSettings set;
};

bool read_qos_modify(Session& session, Words words, ModifyQos& request,
                     const v1::BooksResponse& books) {
  const ModifyWords parts = split_modify(words);
  const unsigned before = session.complaints;
  take_conditions(session, parts.where, request.where, take_qos_word);
  bool only_numbers = !parts.set.empty();  // that are none: Slurm goes on without them
  for (const Word& word : parts.set) {
    only_numbers &= take_setting_of_qos(session, request.set, word, books) == kBadNumber;
  }
  if (only_numbers) session.complain(" You didn't give me anything to set\n");
  complain_unless_alone(session, parts, request.set.raw_usage.has_value());
  return may_modify(session, before, request.set.any(), request.where.chooses());
}

}  // namespace

void add_qos(Session& session, Words words) {
  auto books = session.books(kQos | kTres);
  if (!books) return;
  QosSettings settings;
  const unsigned before = session.complaints;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!word.has_value && is_key(word, "Set", 3)) continue;
    take_setting_of_qos(session, settings, word, *books);
  }
  if (session.complaints != before) return;
  if (settings.names.empty()) return session.complain(" Need name of qos to add.\n");
  Change change(session);
  Names added;
  for (const std::string& name : settings.names) {
    if (find_qos(*books, name)) continue;
    v1::Qos qos;
    qos.set_name(name);
    qos.set_description(name);
    apply(settings, qos);
    change.put(qos);
    added.push_back(name);
  }
  if (change.empty()) return session.fail(" Nothing new added.\n");
  session.say(" Adding QOS(s)\n" + indented(added) + " Settings\n" +
              fmt::format("  Description    = {}\n", settings.description.value_or(added.back())) +
              qos_settings_text(settings));
  if (!change.begin(" Problem adding QOS")) return;
  change.finish();
}

void modify_qos(Session& session, Words words) {
  auto books = session.books(kQos | kTres | kClusters);
  if (!books) return;
  ModifyQos request;
  if (!read_qos_modify(session, words, request, *books)) return;
  if (request.set.raw_usage) {
    const Names clusters = std::exchange(request.where.clusters, {});
    std::vector<const v1::Qos*> chosen;
    for (const v1::Qos& qos : books->qos()) {
      if (matches(request.where, qos)) chosen.push_back(&qos);
    }
    return reset_usage(session, *request.set.raw_usage, *books, clusters, chosen);
  }
  Change change(session);
  Names names;
  for (const v1::Qos& qos : books->qos()) {
    if (!matches(request.where, qos)) continue;
    v1::Qos changed = qos;
    apply(request.set, changed);
    change.put(changed);
    names.push_back(qos.name());
  }
  if (change.empty()) return session.fail(" Nothing modified\n");
  if (!change.begin()) return;
  session.say(" Modified qos...\n" + indented(names));
  change.finish();
}

void delete_qos(Session& session, Words words) {
  QosCondition condition;
  const bool known = read_conditions(session, words, condition, take_qos_word, kQosHint);
  if (!known || !condition.chooses()) {
    return session.complain(" No conditions given to remove, not executing.\n");
  }
  auto books = session.books(kQos | kAssociations);
  if (!books) return;
  Change change(session);
  Names names;
  for (const v1::Qos& qos : books->qos()) {
    if (!matches(condition, qos)) continue;
    change.remove(qos);
    names.push_back(qos.name());
  }
  if (change.empty()) return session.fail(" Nothing deleted\n");
  const std::string defaults = defaults_among(*books, names);
  const bool may = books->my_level() == v1::ADMIN_ADMINISTRATOR;  // else the service says no
  if (may && !defaults.empty()) {
    return session.complain(" Associations listed below have these as their Default QOS.\n" +
                            defaults +
                            " Please either remove the qos' listed above from list and resubmit,\n"
                            " or change the default qos to remove the qos.\n Changes Discarded\n");
  }
  if (!change.begin()) return;
  session.say(" Deleting QOS(s)...\n" + indented(names));
  change.finish();
}

}  // namespace grappe::sacctmgr
