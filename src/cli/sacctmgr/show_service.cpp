// Lists that come from the service itself: its settings, its counters, lost jobs.
#include <fmt/core.h>

#include <algorithm>

#include "base/datetime.h"
#include "base/text.h"
#include "cli/format/timestamp.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/listing.h"
#include "grappe/v1/cluster.pb.h"

namespace grappe::sacctmgr {
namespace {

std::string date_text(int64_t time) {
  std::string line;
  append_date_line(line, time);
  return line.substr(0, line.size() - 1);
}

// The lines of `sacctmgr show configuration`, by the names of `scontrol show config`.
constexpr std::string_view kConfigurationKeys[] = {
    "AccountingStorageBackupHost",
    "AccountingStorageHost",
    "AccountingStorageParameters",
    "AccountingStoragePass",
    "AccountingStoragePort",
    "AccountingStorageType",
    "AccountingStorageUser",
    "AuthType",
    "MessageTimeout",
    "PluginDir",
    "PrivateData",
    "SlurmUser",
    "SLURM_CONF",
    "SLURM_VERSION",
    "TCPTimeout",
    "TrackWCKey",
};

enum class StatsOrder { kCount, kMean, kTotal };

std::vector<v1::CallStats> in_order(const google::protobuf::RepeatedPtrField<v1::CallStats>& calls,
                                    StatsOrder order) {
  std::vector<v1::CallStats> all(calls.begin(), calls.end());
  const auto weight = [&](const v1::CallStats& one) {
    if (order == StatsOrder::kTotal) return one.total_us();
    return order == StatsOrder::kMean && one.count() ? one.total_us() / one.count() : one.count();
  };
  std::stable_sort(all.begin(), all.end(), [&](const v1::CallStats& a, const v1::CallStats& b) {
    return weight(a) > weight(b);
  });
  return all;
}

void append_calls(std::string& text, const std::vector<v1::CallStats>& calls, int name_width,
                  int id_width) {
  for (const v1::CallStats& one : calls) {
    text += fmt::format("\t{:<{}}({:>{}}) count:{:<6} ave_time:{:<6} total_time:{}\n", one.name(),
                        name_width, one.id(), id_width, one.count(),
                        one.count() ? one.total_us() / one.count() : 0, one.total_us());
  }
}

}  // namespace

// A job is ended in the same transaction that frees its resources, so none is ever left behind.
void show_runaway_jobs(Session& session, Words words) {
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    const bool known = is_key(word, "where", 5) || is_key(word, "Clusters", 1) ||
                       is_key(word, "Format", 1) || !word.has_value;
    if (!known) return session.complain(" Unknown condition: " + text + "\n");
  }
  auto books = session.books(kClusters);
  if (!books) return;
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!is_key(word, "Clusters", 1) || word.value == books->cluster()) continue;
    return session.complain(" There is one cluster, " + books->cluster() + ": " + text + "\n");
  }
  if (books->my_level() == v1::ADMIN_NONE) {
    return session.error("You must have an AdminLevel>=Operator to fix runaway jobs");
  }
  session.say("Runaway Jobs: No runaway jobs found on cluster " + books->cluster() + "\n");
}

// Words after it mean nothing to Slurm, and are no error there.
void show_configuration(Session& session, Words) {
  auto config = session.calls.call<v1::ConfigResponse>("Cluster/Config", v1::ConfigRequest());
  if (!config) return session.error(config.error().message);
  std::string text = "Configuration data as of " + format_datetime(config->now()) + "\n";
  for (std::string_view key : kConfigurationKeys) {
    for (const v1::Setting& setting : config->settings()) {
      if (iequals(setting.key(), key)) {
        text += fmt::format("{:<22} = {}\n", setting.key(), setting.value());
      }
    }
  }
  session.say(text);
}

void show_stats(Session& session, Words words) {
  StatsOrder order = StatsOrder::kCount;
  for (const std::string& word : words) {
    if (iequals(word, "ave_time")) {
      order = StatsOrder::kMean;
    } else if (iequals(word, "total_time")) {
      order = StatsOrder::kTotal;
    } else {
      return session.complain(" Unknown condition: " + word + "\n");
    }
  }
  auto books = session.books(kClusters);
  if (!books) return;
  if (books->my_level() == v1::ADMIN_NONE) {
    return session.info("Your user doesn't have privilege to perform this action");
  }
  auto diag = session.calls.call<v1::DiagResponse>("Cluster/Diag", v1::DiagRequest());
  if (!diag) return session.error(diag.error().message);
  constexpr std::string_view kRule =
      "*******************************************************************\n";
  std::string text(kRule);
  text +=
      fmt::format("sacctmgr show stats output at {} ({})\n", date_text(diag->now()), diag->now());
  text += fmt::format("Data since                    {} ({})\n", date_text(diag->since()),
                      diag->since());
  text += "All statistics are in microseconds\n";
  text += kRule;
  text += "\nRemote Procedure Call statistics by message type\n";
  append_calls(text, in_order(diag->by_call(), order), 25, 5);
  text += "\nRemote Procedure Call statistics by user\n";
  append_calls(text, in_order(diag->by_user(), order), 20, 10);
  session.say(text);
}

void clear_stats(Session& session, Words words) {
  if (!words.empty()) return session.complain(" Unknown condition: " + words[0] + "\n");
  v1::DiagRequest request;
  request.set_reset(true);
  auto done = session.calls.call<v1::DiagResponse>("Cluster/Diag", request);
  if (!done) session.error(done.error().message);
}

}  // namespace grappe::sacctmgr
