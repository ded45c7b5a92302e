// Host lists: answered without the service.
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/hostlist.h"
#include "base/text.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/show_entities.h"

namespace grappe::scontrol {
namespace {

using Fold = std::string (*)(const std::vector<std::string>&);

// "/path" is a file of names, separated by commas or line ends.
Result<std::string> expression(const std::string& word) {
  if (!word.starts_with('/')) return word;
  std::ifstream file(word);
  if (!file) return fail("Can not open " + word);
  std::ostringstream text;
  text << file.rdbuf();
  std::vector<std::string> names;
  for (std::string_view name : split_words(text.str(), ", \t\n")) names.emplace_back(name);
  return join(names, ",");
}

std::string fold_sorted(const std::vector<std::string>& names) {
  return fold_sorted_hostlist(names);
}

void refuse(Session& session, const Error& failure) {
  for (const std::string& note : failure.notes) session.error(note);
  session.complain(failure.message);
}

void fold(Session& session, Words words, Fold how) {
  if (words.empty()) {
    show_help(session, {});
    return session.complain("invalid encode argument");
  }
  auto text = expression(words[0]);
  if (!text) return session.complain(text.error().message);
  auto names = expand_hostlist(*text);
  if (!names) return refuse(session, names.error());
  session.say(how(*names) + "\n");
}

}  // namespace

void show_hostnames(Session& session, Words words) {
  const char* nodes = std::getenv("SLURM_JOB_NODELIST");
  std::string list = !words.empty() ? words[0] : nodes ? nodes : "";
  // Slurm's exit code is 0 here.
  if (list.empty() && words.empty()) {
    int before = session.exit_code;
    session.error("host list is empty");
    session.exit_code = before;
    return;
  }
  auto names = expand_hostlist(list);
  if (!names) return refuse(session, names.error());
  std::string text;
  for (const std::string& name : *names) text += name + "\n";
  session.say(text);
}

void show_hostlist(Session& session, Words words) {
  fold(session, words, fold_hostlist);
}

void show_hostlist_sorted(Session& session, Words words) {
  fold(session, words, fold_sorted);
}

}  // namespace grappe::scontrol
