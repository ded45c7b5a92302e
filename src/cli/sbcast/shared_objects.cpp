#include "cli/sbcast/shared_objects.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "base/unique_fd.h"

namespace grappe {
namespace {

bool is_below(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

std::vector<std::string> parse_ldd(std::string_view text, const std::vector<std::string>& exclude) {
  std::vector<std::string> paths;
  for (std::string_view line : split(text, '\n')) {
    size_t arrow = line.find("=> /");
    if (arrow == std::string_view::npos) continue;
    std::string_view path = line.substr(arrow + 3);
    path = path.substr(0, path.find(" ("));
    bool excluded = false;
    for (const std::string& folder : exclude) excluded |= is_below(path, folder);
    if (!excluded) paths.emplace_back(path);
  }
  return paths;
}

Result<std::vector<std::string>> shared_objects(const std::string& program,
                                                const std::vector<std::string>& exclude) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail_errno("pipe", errno);
  UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  // ldd is given a path that can't be taken for an option.
  std::string path = program.starts_with('/') ? program : "./" + program;
  pid_t child = fork();
  if (child < 0) return fail_errno("fork", errno);
  if (child == 0) {
    dup2(write_end.get(), STDOUT_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    execl("/usr/bin/ldd", "ldd", path.c_str(), nullptr);
    _exit(127);
  }
  write_end = UniqueFd();
  std::string text;
  char block[4096];
  ssize_t got = 0;
  while ((got = read(read_end.get(), block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) text.append(block, static_cast<size_t>(got));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail("can't find the shared objects of " + program + ": it is no dynamic executable");
  return parse_ldd(text, exclude);
}

}  // namespace grappe
