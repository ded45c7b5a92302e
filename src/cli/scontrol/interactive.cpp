#include "cli/scontrol/interactive.h"

#include <cstdio>

#include "base/text.h"
#include "cli/scontrol/keywords.h"

namespace grappe::scontrol {

std::vector<std::string> split_line(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  auto finish = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (char c : line) {
    bool blank = c == ' ' || c == '\t' || c == '\r';
    if (quote == 0 && blank) {
      finish();
      continue;
    }
    if (quote == c) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    }
    word += c;
  }
  finish();
  return words;
}

void read_commands(Session& session, std::istream& input, bool echo) {
  std::vector<std::string> last;
  std::string line;
  while (!session.ended) {
    session.say("scontrol: ");
    std::fflush(stdout);
    if (!std::getline(input, line)) {
      session.say("\n");
      return;
    }
    if (echo) session.say(line + "\n");
    std::vector<std::string> words = split_line(line);
    if (words.empty()) continue;
    if (words[0] != "!!") last = words;
    run_line(session, last);
    std::fflush(stdout);
  }
}

}  // namespace grappe::scontrol
