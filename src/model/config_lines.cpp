#include "model/config_lines.h"

#include <fmt/format.h>

#include <optional>

#include "base/text.h"

namespace grappe {

namespace {

// Includes may nest, but a file that includes itself has to end somewhere.
constexpr int kMaxIncludeDepth = 16;
constexpr int kMaxIncludes = 250;
constexpr std::size_t kMaxLines = 100000;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n';
}

bool is_key_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.';
}

// A '#' with an odd number of backslashes before it is a letter like any other.
std::string_view without_comment(std::string_view line) {
  bool escaped = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && !escaped) return line.substr(0, i);
    escaped = line[i] == '\\' && !escaped;
  }
  return line;
}

std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// A backslash stands for the letter after it.
std::string without_escapes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

// A cursor over one joined line.
class PairReader {
 public:
  explicit PairReader(std::string_view line) : rest_(line) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  std::optional<ConfigPair> next() {
    ConfigPair pair;
    while (!rest_.empty() && is_key_letter(rest_.front())) take(pair.key);
    skip_blanks();
    if (pair.key.empty() || rest_.empty() || rest_.front() != '=') return std::nullopt;
    rest_.remove_prefix(1);
    skip_blanks();
    if (!take_quoted(pair.value)) {
      while (!rest_.empty() && !is_blank(rest_.front())) take(pair.value);
    }
    skip_blanks();
    return pair;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  void take(std::string& into) {
    into += rest_.front();
    rest_.remove_prefix(1);
  }
  // A quote that is not closed, or closed inside a word, is a letter like any other.
  bool take_quoted(std::string& into) {
    if (rest_.empty() || rest_.front() != '"') return false;
    const std::size_t close = rest_.find('"', 1);
    if (close == std::string_view::npos) return false;
    if (close + 1 < rest_.size() && !is_blank(rest_[close + 1])) return false;
    into = rest_.substr(1, close - 1);
    rest_.remove_prefix(close + 1);
    return true;
  }

  std::string_view rest_;
};

class LineReader {
 public:
  explicit LineReader(const ReadInclude& include) : include_(include) {}

  Status read(std::string_view text, const std::string& file, int depth) {
    int number = 0;
    std::string joined;
    int first = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = without_trailing_blanks(without_comment(text.substr(0, end)));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++number;
      if (joined.empty()) first = number;
      if (line.ends_with('\\')) {
        joined += line.substr(0, line.size() - 1);
        continue;
      }
      joined += line;
      Status status = add(without_escapes(joined), file, first, depth);
      if (!status) return status;
      joined.clear();
    }
    return joined.empty() ? Status() : add(without_escapes(joined), file, first, depth);
  }

  std::vector<ConfigLine> take() { return std::move(lines_); }

 private:
  Status add(std::string_view text, const std::string& file, int number, int depth) {
    std::string_view body = trim(text);
    if (body.empty()) return {};
    ConfigLine line{file, number, {}};
    if (body.size() > 7 && istarts_with(body, "include") && is_blank(body[7])) {
      return include(std::string(trim(body.substr(8))), line.place(), depth);
    }
    PairReader reader(body);
    while (!reader.at_end()) {
      std::string_view before = reader.rest();
      std::optional<ConfigPair> pair = reader.next();
      if (!pair) return fail(fmt::format("{}: Parse error: \"{}\"", line.place(), before));
      line.pairs.push_back(std::move(*pair));
    }
    if (lines_.size() >= kMaxLines) {
      return fail(fmt::format("{}: more than {} lines", line.place(), kMaxLines));
    }
    lines_.push_back(std::move(line));
    return {};
  }

  Status include(const std::string& name, const std::string& place, int depth) {
    if (depth >= kMaxIncludeDepth || ++includes_ > kMaxIncludes) {
      return fail(fmt::format("{}: Include {}: files include each other", place, name));
    }
    if (!include_) return fail(fmt::format("{}: Include {}: cannot be read here", place, name));
    Result<std::string> text = include_(name);
    if (!text) return fail(fmt::format("{}: Include {}", place, text.error().message));
    return read(*text, name, depth + 1);
  }

  const ReadInclude& include_;
  std::vector<ConfigLine> lines_;
  int includes_ = 0;
};

}  // namespace

std::string ConfigLine::place() const {
  return fmt::format("{}:{}", file, number);
}

Result<std::vector<ConfigLine>> read_config_lines(std::string_view text, const std::string& file,
                                                  const ReadInclude& include) {
  LineReader reader(include);
  Status status = reader.read(text, file, 0);
  if (!status) return tl::unexpected(status.error());
  return reader.take();
}

}  // namespace grappe
