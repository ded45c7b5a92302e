#include "cli/command_loop.h"

#include <cstdio>

namespace grappe {
namespace {

// A letter at a time: what follows the line is for the questions that it may lead to.
bool read_line(int input, std::string& line) {
  line.clear();
  char c = 0;
  while (read(input, &c, 1) == 1) {
    if (c == '\n') return true;
    line += c;
  }
  return !line.empty();
}

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

bool read_commands(const CommandLoop& loop) {
  const std::string prompt = std::string(loop.program) + ": ";
  const bool typed = isatty(loop.input) == 1;
  std::vector<std::string> last;
  std::string line;
  while (!loop.ended) {
    say(prompt);
    if (!read_line(loop.input, line)) {
      say("\n");
      return false;
    }
    if (!typed) say(line + "\n");
    std::vector<std::string> words = split_line(line);
    if (words.empty()) continue;
    if (words[0] != "!!") last = std::move(words);
    loop.run(last);
    std::fflush(stdout);
  }
  return true;
}

}  // namespace

bool run_commands(const CommandLoop& loop, std::span<char* const> operands) {
  if (operands.empty()) return read_commands(loop);
  loop.run(std::vector<std::string>(operands.begin(), operands.end()));
  return true;
}

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

}  // namespace grappe
