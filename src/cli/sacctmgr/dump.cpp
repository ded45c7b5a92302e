#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/text.h"
#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/association_settings.h"
#include "cli/sacctmgr/clusters.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/flat_file.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/user_settings.h"

namespace grappe::sacctmgr {
namespace {

struct DumpRequest {
  std::string cluster, file;
};

bool read_dump_words(Session& session, Words words, DumpRequest& request) {
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!word.has_value || is_key(word, "Cluster", 1)) {
      if (!request.cluster.empty()) {
        session.complain(fmt::format(" Can only do one cluster at a time.  Already doing {}\n",
                                     request.cluster));
        return false;
      }
      request.cluster = to_lower(word.value);
    } else if (is_key(word, "File", 1)) {
      if (!request.file.empty()) {
        session.complain(fmt::format(" File name already set to {}\n", request.file));
        return false;
      }
      request.file = word.value;
    } else {
      session.complain(" Unknown option: " + text + "\n");
      return false;
    }
  }
  if (!request.cluster.empty()) return true;
  session.complain(" We need a cluster to dump.\n");
  return false;
}

std::string file_value(const Limit& limit, const v1::Limits& values) {
  if (limit.kind == Limit::kWall) {
    return limit.has(values) ? std::to_string(limit.get(values)) : "";
  }
  return limit_text(limit, values);
}

// In the order in which Slurm writes them.
constexpr F kInFile[] = {F::kGrpTresMins,   F::kGrpTresRunMins, F::kGrpTres,
                         F::kGrpJobs,       F::kGrpJobsAccrue,  F::kGrpSubmit,
                         F::kGrpWall,       F::kMaxTresMins,    F::kMaxTresRunMins,
                         F::kMaxTres,       F::kMaxTresPerNode, F::kMaxJobs,
                         F::kMaxJobsAccrue, F::kMaxSubmit,      F::kMaxWall};

const Limit* written_limit(F field) {
  for (const Limit& limit : limits()) {
    if (limit.field == field && !limit.file_name.empty()) return &limit;
  }
  return nullptr;
}

// ":Fairshare=10:GrpJobs=4": what the association has of its own.
std::string limits_of(const v1::Association& record) {
  std::string text;
  if (!record.default_qos().empty()) {
    text += fmt::format(":DefaultQOS='{}'", record.default_qos());
  }
  text += fmt::format(":Fairshare={}", record.has_shares() ? record.shares() : 1);
  for (const F field : kInFile) {
    const Limit* limit = written_limit(field);
    const std::string value = limit ? file_value(*limit, record.limits()) : "";
    if (!value.empty()) text += fmt::format(":{}={}", limit->file_name, value);
  }
  if (record.has_priority()) text += fmt::format(":Priority={}", record.priority());
  if (!record.qos().empty()) {
    const std::vector<std::string> names(record.qos().begin(), record.qos().end());
    text += fmt::format(":QOS='{}'", join(names, ","));
  }
  return text;
}

std::string user_line(const v1::Association& record, const v1::BooksResponse& books) {
  std::string line = fmt::format("User - '{}'", record.user());
  if (!record.partition().empty()) line += fmt::format(":Partition='{}'", record.partition());
  if (const v1::User* user = find_user_record(books, record.user())) {
    if (!user->default_account().empty()) {
      line += fmt::format(":DefaultAccount='{}'", user->default_account());
    }
    if (!user->default_wckey().empty()) {
      line += fmt::format(":DefaultWCKey='{}'", user->default_wckey());
    }
    if (user->admin_level() != v1::ADMIN_NONE) {
      line += fmt::format(":AdminLevel='{}'", admin_level_name(user->admin_level()));
    }
    const Names accounts = coordinated_accounts(books, user->name());
    if (!accounts.empty()) line += fmt::format(":Coordinator='{}'", join(accounts, ","));
    Names wckeys;
    for (const v1::Wckey& wckey : books.wckeys()) {
      const bool is_his = wckey.user() == user->name() && wckey.cluster() == record.cluster();
      if (is_his && !wckey.stamp().deleted()) wckeys.push_back(wckey.name());
    }
    if (!wckeys.empty()) line += fmt::format(":WCKeys='{}'", join(wckeys, ","));
  }
  return line + limits_of(record) + "\n";
}

std::string account_line(const v1::Association& record, const v1::BooksResponse& books) {
  std::string line = fmt::format("Account - '{}'", record.account());
  for (const v1::Account& account : books.accounts()) {
    if (account.name() != record.account()) continue;
    line += fmt::format(":Description='{}':Organization='{}'", account.description(),
                        account.organization());
  }
  return line + limits_of(record) + "\n";
}

// The children of each account below its name, the account's own children after it.
void append_children(std::string& text, const v1::Association& parent,
                     const std::vector<const v1::Association*>& tree,
                     const v1::BooksResponse& books) {
  std::string lines;
  for (const v1::Association* child : tree) {
    if (child->parent_id() != parent.id()) continue;
    lines += child->user().empty() ? account_line(*child, books) : user_line(*child, books);
  }
  if (!lines.empty()) text += fmt::format("Parent - '{}'\n", parent.account()) + lines;
  for (const v1::Association* child : tree) {
    if (child->parent_id() == parent.id() && child->user().empty()) {
      append_children(text, *child, tree, books);
    }
  }
}

const v1::ClusterRecord* find_cluster(const v1::BooksResponse& books, std::string_view name) {
  for (const v1::ClusterRecord& cluster : books.clusters()) {
    if (cluster.name() == name && !cluster.stamp().deleted()) return &cluster;
  }
  return nullptr;
}

std::string cluster_text(const v1::ClusterRecord& cluster, const v1::Association& root,
                         const v1::BooksResponse& books) {
  std::string text = fmt::format("Cluster - '{}'", cluster.name());
  if (!cluster.classification().empty()) {
    text += fmt::format(":Classification='{}'", class_name(cluster.classification()));
  }
  text += limits_of(root) + "\n";
  std::vector<const v1::Association*> records;
  for (const v1::Association& record : books.associations()) {
    if (record.cluster() == cluster.name()) records.push_back(&record);
  }
  append_children(text, root, in_tree_order(records), books);
  return text;
}

}  // namespace

void dump_cluster(Session& session, Words words) {
  DumpRequest request;
  if (!read_dump_words(session, words, request)) return;
  auto books = session.books(kEverything);
  if (!books) return;
  if (books->my_level() == v1::ADMIN_NONE) {
    return session.complain(" Your user does not have sufficient privileges to dump clusters.\n");
  }
  const v1::ClusterRecord* cluster = find_cluster(*books, request.cluster);
  const v1::Association* root = find_association(*books, request.cluster, "root");
  if (!cluster || !root) {
    return session.complain(fmt::format(" Cluster {} doesn't exist.\n", request.cluster));
  }
  if (request.file.empty()) {
    request.file = fmt::format("./{}.cfg", request.cluster);
    session.say(fmt::format(" No filename given, using {}.\n", request.file));
  }
  std::ofstream file(request.file);
  if (!file) {
    return session.complain(
        fmt::format("Can't open file {}, {}\n", request.file, std::strerror(errno)));
  }
  const std::string lines = cluster_text(*cluster, *root, *books);
  file << flat_file_head() << lines;
  for (std::string_view line : split_words(lines, "\n")) session.info(line);
  file.flush();
  if (!file) session.complain(" Can't write to file\n");
}

}  // namespace grappe::sacctmgr
