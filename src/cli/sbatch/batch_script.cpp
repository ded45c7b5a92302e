#include "cli/sbatch/batch_script.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.h"
#include "base/unique_fd.h"

namespace grappe {
namespace {

// More than any service takes: stops a mistaken `sbatch < /dev/zero`.
constexpr size_t kMostBytes = 64u << 20;

bool is_file(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// Cuts words off one directive line.
class WordReader {
 public:
  explicit WordReader(std::string_view line) : line_(line) {}

  // False at the end of the line. `failed` is the character that spoiled it.
  bool next(std::string& word, char& failed) {
    start_ = at_;
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    word.clear();
    if (at_ == line_.size() || line_[at_] == '#') return false;
    char quote = 0;
    for (; at_ < line_.size(); ++at_) {
      char c = line_[at_];
      if (c == '\\') {
        if (at_ + 1 == line_.size()) continue;
        if (quote == 0 && is_blank(line_[at_ + 1])) continue;
        word += line_[++at_];
      } else if (quote) {
        if (c == quote)
          quote = 0;
        else
          word += c;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (is_blank(c) || c == '#') {
        break;
      } else {
        word += c;
      }
    }
    if (quote) failed = quote;
    if (trim(line_.substr(start_, at_ - start_)) == ":") failed = ':';
    return true;
  }

  std::string_view rest() const { return line_.substr(start_); }

 private:
  std::string_view line_;
  size_t at_ = 0;
  size_t start_ = 0;
};

std::string where(std::string_view name, size_t line) {
  return std::string(name) + ": line " + std::to_string(line) + ": ";
}

Status add_words(std::string_view line, std::string_view name, size_t number,
                 std::vector<std::string>& out) {
  WordReader reader(line);
  std::string word;
  char failed = 0;
  while (reader.next(word, failed)) {
    if (failed) {
      std::string what = failed == ':' ? "Unexpected" : "Unmatched";
      return fail(where(name, number) + what + " `" + failed + "` in [" +
                  std::string(reader.rest()) + "]");
    }
    if (word.empty()) break;  // nothing between quotes is the end of the line, as in Slurm
    out.push_back(word);
  }
  return {};
}

}  // namespace

std::string find_script(const std::string& name, const std::string& folder) {
  if (name.starts_with("/")) return name;
  std::string here = folder + "/" + name;
  if (is_file(here)) return here;
  const char* path = name.starts_with(".") ? nullptr : std::getenv("PATH");
  for (std::string_view place : split(path ? path : "", ':')) {
    std::string candidate = std::string(place) + "/" + name;
    if (!place.empty() && is_file(candidate)) return candidate;
  }
  return name;
}

Result<std::string> read_script(const std::string& path, const std::string& typed) {
  UniqueFd opened;
  if (!path.empty()) {
    opened = UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened) return fail("Unable to open file " + (is_file(path) ? path : typed));
  }
  int fd = path.empty() ? STDIN_FILENO : opened.get();
  std::string script;
  char buffer[65536];
  ssize_t n = 0;
  while ((n = read(fd, buffer, sizeof buffer)) > 0 && script.size() < kMostBytes) {
    script.append(buffer, static_cast<size_t>(n));
  }
  return script;
}

Status check_script(std::string_view script) {
  if (script.empty()) return fail("Batch script is empty!");
  if (script.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos) {
    return fail("Batch script contains only whitespace!");
  }
  if (!script.starts_with("#!")) {
    return tl::unexpected<Error>(
        Error{0,
              "For instance: #!/bin/sh",
              {"This does not look like a batch script.  The first",
               "line must start with #! followed by the path to an interpreter."}});
  }
  if (script.find('\0') != std::string_view::npos) {
    return tl::unexpected<Error>(Error{0,
                                       "contain a NULL character '\\0'.",
                                       {"The Slurm controller does not allow scripts that"}});
  }
  if (script.find("\r\n") != std::string_view::npos) {
    return tl::unexpected<Error>(Error{0,
                                       "instead of expected UNIX line breaks (\\n).",
                                       {"Batch script contains DOS line breaks (\\r\\n)"}});
  }
  return {};
}

std::string wrapped_script(std::string_view command) {
  return "#!/bin/sh\n# This script was created by sbatch --wrap.\n\n" + std::string(command) + "\n";
}

Result<Directives> read_directives(std::string_view script, std::string_view name) {
  Directives found;
  size_t number = 0;
  for (std::string_view rest = script; !rest.empty();) {
    ++number;
    size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    std::string_view content = trim(line);
    if (content.empty()) continue;
    if (content[0] != '#') break;
    Status done;
    if (line.starts_with("#SBATCH")) {
      done = add_words(line.substr(7), name, number, found.sbatch);
    } else if (line.starts_with("#SLURM")) {
      found.old_prefix = true;
      done = add_words(line.substr(6), name, number, found.sbatch);
    } else if (line.starts_with("#PBS")) {
      done = add_words(line.substr(4), name, number, found.pbs);
    } else if (line.starts_with("#BSUB")) {
      done = add_words(line.substr(5), name, number, found.bsub);
    }
    if (!done) return tl::unexpected<Error>(done.error());
  }
  return found;
}

}  // namespace grappe
