#include "cli/sacctmgr/session.h"

#include <fmt/core.h>

#include <cstdio>

#include "cli/sacctmgr/confirm.h"

namespace grappe::sacctmgr {

void Session::say(std::string_view text) const {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void Session::complain(std::string_view text) {
  exit_code = 1;
  ++complaints;
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Session::fail(std::string_view text) {
  exit_code = 1;
  ++complaints;
  say(text);
}

void Session::info(std::string_view text) const {
  if (quiet) return;
  std::fflush(stdout);
  const std::string line = "sacctmgr: " + std::string(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void Session::error(std::string_view text) {
  complain("sacctmgr: error: " + std::string(text) + "\n");
}

bool Session::confirm(std::string_view question) {
  if (immediate) return true;
  return ask ? ask(question) : ask_at_terminal(question);
}

std::optional<v1::BooksResponse> Session::books(unsigned kinds, bool deleted) {
  v1::BooksRequest request;
  request.set_accounts(kinds & kAccounts);
  request.set_users(kinds & kUsers);
  request.set_associations(kinds & kAssociations);
  request.set_qos(kinds & kQos);
  request.set_clusters(kinds & kClusters);
  request.set_tres(kinds & kTres);
  request.set_wckeys(kinds & kWckeys);
  request.set_resources(kinds & kResources);
  request.set_deleted(deleted);
  auto found = calls.call<v1::BooksResponse>("Books/List", request);
  if (found && verbosity > 0) {
    info(fmt::format("read {} accounts, {} users, {} associations, {} QoS, {} clusters",
                     found->accounts_size(), found->users_size(), found->associations_size(),
                     found->qos_size(), found->clusters_size()));
  }
  if (found) return *std::move(found);
  for (const std::string& note : found.error().notes) error(note);
  error(found.error().message);
  return std::nullopt;
}

}  // namespace grappe::sacctmgr
