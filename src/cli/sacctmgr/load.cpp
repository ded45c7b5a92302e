#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "cli/sacctmgr/accounts_where.h"
#include "cli/sacctmgr/change.h"
#include "cli/sacctmgr/entities.h"
#include "cli/sacctmgr/flat_file.h"
#include "cli/sacctmgr/load_plan.h"

namespace grappe::sacctmgr {
namespace {

struct LoadRequest {
  std::string file, cluster;
  bool clean = false;
};

bool read_load_words(Session& session, Words words, LoadRequest& request) {
  for (const std::string& text : words) {
    const Word word = parse_word(text);
    if (!word.has_value && is_key(word, "clean", 3)) {
      request.clean = true;
    } else if (!word.has_value || is_key(word, "File", 1)) {
      if (!request.file.empty()) {
        session.complain(fmt::format(" File name already set to {}\n", request.file));
        return false;
      }
      request.file = word.value;
    } else if (is_key(word, "Cluster", 3)) {
      request.cluster = to_lower(word.value);
    } else {
      session.complain(" Unknown option: " + text + "\n");
      return false;
    }
  }
  if (!request.file.empty()) return true;
  session.complain(" No filename given, specify one with file=''\n");
  return false;
}

std::optional<std::string> read_whole(Session& session, const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    session.complain(fmt::format(" Unable to read \"{}\": {}\n", path, std::strerror(errno)));
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

void load_file(Session& session, Words words) {
  LoadRequest request;
  if (!read_load_words(session, words, request)) return;
  auto text = read_whole(session, request.file);
  if (!text) return;
  auto lines = parse_flat_file(*text);
  if (!lines) return session.complain(lines.error().message + "\n");
  auto books = session.books(kEverything);
  if (!books) return;
  if (books->my_level() != v1::ADMIN_ADMINISTRATOR) {
    return session.complain(" Your user does not have sufficient privileges to load files.\n");
  }
  if (request.clean &&
      !session.confirm("You requested to flush the cluster before adding it again.\nAre you sure "
                       "you want to continue?")) {
    return session.say("Aborted\n");
  }
  const auto began = std::chrono::steady_clock::now();
  Change change(session);
  auto told = plan_load(session, *lines, request.cluster, request.clean, *books, change);
  if (!told) {
    const bool all_read = told.error().message.find("Problem with") != std::string::npos;
    if (!all_read) session.say(" Nothing new added.\n");
    return session.complain(told.error().message + "\n");
  }
  if (change.empty()) return session.say(" Nothing new added.\n");
  session.say(*told);
  if (!change.begin(" Problem with requests")) return;
  const auto took = std::chrono::steady_clock::now() - began;
  session.info(fmt::format("Done adding cluster in usec={}",
                           std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
  change.finish();
}

}  // namespace grappe::sacctmgr
