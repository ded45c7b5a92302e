#include "cli/srun/multi_prog.h"

#include <algorithm>

#include "base/text.h"

namespace grappe {
namespace {

constexpr uint32_t kMostTasks = 1 << 20;

struct Line {
  int number = 0;
  std::vector<uint32_t> tasks;
  bool rest = false;  // "*"
  std::vector<std::string> words;
};

// Cuts a line (with its continuations) into words.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false, quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted) {
      if (c == '\'') {
        quoted = false;
      } else {
        word += c;
      }
    } else if (c == '\'') {
      in_word = quoted = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      in_word = true;
      word += text[++i];
    } else if (c == ' ' || c == '\t') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      in_word = true;
      word += c;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

// Logical lines with the number of their last physical one.
std::vector<std::pair<int, std::string>> logical_lines(std::string_view text) {
  std::vector<std::pair<int, std::string>> lines;
  std::string line;
  int number = 0;
  for (std::string_view physical : split(text, '\n')) {
    ++number;
    if (physical.ends_with('\\')) {
      line += physical.substr(0, physical.size() - 1);
      continue;
    }
    line += physical;
    std::string_view content = trim(line);
    if (!content.empty() && content[0] != '#') lines.emplace_back(number, content);
    line.clear();
  }
  if (std::string_view content = trim(line); !content.empty() && content[0] != '#') {
    lines.emplace_back(number, content);
  }
  return lines;
}

// "0", "1-3", "0,2-4", "*".
Status read_tasks(std::string_view text, std::optional<uint32_t> ntasks, Line& line) {
  if (text == "*") {
    line.rest = true;
    return {};
  }
  for (std::string_view part : split(text, ',')) {
    size_t dash = part.find('-');
    auto first = parse_uint(part.substr(0, dash), kMostTasks);
    auto last =
        dash == std::string_view::npos ? first : parse_uint(part.substr(dash + 1), kMostTasks);
    if (!first) return fail("Invalid task range specification (" + std::string(part) + ")");
    if (!last) return fail("Invalid task range specification");
    if (*last < *first) return fail("Invalid task range, " + std::string(part));
    if (ntasks && *last >= *ntasks) {
      return fail("Invalid task id, " + std::to_string(*last) + " >= ntasks");
    }
    for (uint64_t task = *first; task <= *last; ++task) {
      line.tasks.push_back(static_cast<uint32_t>(task));
    }
  }
  return {};
}

std::string with_numbers(const std::string& word, uint32_t task, uint32_t offset) {
  std::string out;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '%' && i + 1 < word.size() && (word[i + 1] == 't' || word[i + 1] == 'o')) {
      out += std::to_string(word[++i] == 't' ? task : offset);
    } else {
      out += word[i];
    }
  }
  return out;
}

bool has_numbers(const Line& line) {
  return std::any_of(line.words.begin(), line.words.end(), [](const std::string& word) {
    return word.find("%t") != std::string::npos || word.find("%o") != std::string::npos;
  });
}

void add_rows(const Line& line, std::vector<v1::MultiProg>& rows) {
  if (line.tasks.empty()) return;
  if (!has_numbers(line)) {
    v1::MultiProg& row = rows.emplace_back();
    row.mutable_tasks()->Assign(line.tasks.begin(), line.tasks.end());
    row.mutable_argv()->Assign(line.words.begin(), line.words.end());
    return;
  }
  for (uint32_t i = 0; i < line.tasks.size(); ++i) {
    v1::MultiProg& row = rows.emplace_back();
    row.add_tasks(line.tasks[i]);
    // Of "*" each task is its own offset, as Slurm counts.
    uint32_t offset = line.rest ? line.tasks[i] : i;
    for (const std::string& word : line.words) {
      row.add_argv(with_numbers(word, line.tasks[i], offset));
    }
  }
}

Error at_line(const std::string& message, int number, const std::string& name) {
  return {0, "Line " + std::to_string(number) + " of configuration file " + name + " invalid",
          message.empty() ? std::vector<std::string>() : std::vector{message}};
}

Result<std::vector<Line>> read_lines(std::string_view text, const std::string& name,
                                     std::optional<uint32_t> ntasks) {
  std::vector<Line> lines;
  std::vector<bool> taken;
  for (auto& [number, content] : logical_lines(text)) {
    Line line;
    line.number = number;
    line.words = words_of(content);
    std::string tasks = std::move(line.words.front());
    line.words.erase(line.words.begin());
    Status good = read_tasks(tasks, ntasks, line);
    if (good && line.words.empty()) good = fail("");  // Slurm only says where
    for (uint32_t task : line.tasks) {
      if (!good) break;
      if (taken.size() <= task) taken.resize(task + 1);
      if (taken[task]) good = fail("Duplicate record for task " + std::to_string(task));
      taken[task] = true;
    }
    if (!good) return tl::unexpected(at_line(good.error().message, number, name));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

Result<MultiProgram> parse_multi_prog(std::string_view text, const std::string& name,
                                      std::optional<uint32_t> ntasks) {
  auto lines = read_lines(text, name, ntasks);
  if (!lines) return tl::unexpected(lines.error());
  MultiProgram out;
  uint32_t above = 0;
  for (const Line& line : *lines) {
    for (uint32_t task : line.tasks) above = std::max(above, task + 1);
  }
  out.ntasks = ntasks.value_or(std::max(above, 1u));

  std::vector<bool> taken(out.ntasks);
  for (const Line& line : *lines) {
    for (uint32_t task : line.tasks) taken[task] = true;
  }
  for (Line& line : *lines) {
    for (uint32_t task = 0; line.rest && task < out.ntasks; ++task) {
      if (taken[task]) continue;
      line.tasks.push_back(task);
      taken[task] = true;
    }
    add_rows(line, out.rows);
  }
  auto missing = std::find(taken.begin(), taken.end(), false);
  if (missing != taken.end()) {
    return fail("Configuration file " + name + " invalid, no record for task id " +
                std::to_string(missing - taken.begin()));
  }
  return out;
}

}  // namespace grappe
