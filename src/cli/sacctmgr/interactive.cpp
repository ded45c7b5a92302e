// The lines that are typed at "sacctmgr: ".
#include "cli/scontrol/interactive.h"

#include <unistd.h>

#include <cstdio>

#include "cli/sacctmgr/commands.h"

namespace grappe::sacctmgr {
namespace {

// A letter at a time: what follows the line is for the questions that it may lead to.
bool read_line(std::string& line) {
  line.clear();
  char c = 0;
  while (read(STDIN_FILENO, &c, 1) == 1) {
    if (c == '\n') return true;
    line += c;
  }
  return !line.empty();
}

}  // namespace

void read_commands(Session& session) {
  const bool echo = !isatty(STDIN_FILENO);
  std::vector<std::string> last;
  std::string line;
  while (!session.ended) {
    session.say("sacctmgr: ");
    std::fflush(stdout);
    if (!read_line(line)) return session.say("\n");
    if (echo) session.say(line + "\n");
    std::vector<std::string> words = scontrol::split_line(line);
    if (words.empty()) continue;
    if (words[0] != "!!") last = words;
    run_line(session, last);
    std::fflush(stdout);
  }
}

}  // namespace grappe::sacctmgr
