// grappe docs: pages and scripts that are made from the commands' own tables.
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "cli/command.h"
#include "cli/docs/manual.h"

namespace grappe {
namespace {

constexpr const char* kUsage =
    "Usage: grappe docs compat        the page docs/compat.md\n"
    "       grappe docs configuration the page docs/configuration.md\n"
    "       grappe docs completion    completion for bash\n"
    "       grappe docs man COMMAND   a command's manual page, in roff\n"
    "       grappe docs into FOLDER   man/man1/COMMAND.1 and completion.bash there\n";

int say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (file) return true;
  std::fprintf(stderr, "grappe: %s: %s\n", path.c_str(), std::strerror(errno));
  return false;
}

int write_all(const std::string& folder) {
  mkdir(folder.c_str(), 0755);
  mkdir((folder + "/man").c_str(), 0755);
  mkdir((folder + "/man/man1").c_str(), 0755);
  for (const OptionTable& table : all_tables()) {
    std::string name(table.command.name);
    if (!write_file(folder + "/man/man1/" + name + ".1", man_page(name))) return 1;
  }
  return write_file(folder + "/completion.bash", bash_completion()) ? 0 : 1;
}

}  // namespace

int run_docs(int argc, char** argv) {
  std::string_view what = argc > 1 ? argv[1] : "";
  if (argc == 2 && what == "compat") return say(compat_page());
  if (argc == 2 && what == "configuration") return say(configuration_page());
  if (argc == 2 && what == "completion") return say(bash_completion());
  if (argc == 3 && what == "into") return write_all(argv[2]);
  if (argc == 3 && what == "man") {
    std::string page = man_page(argv[2]);
    if (!page.empty()) return say(page);
    std::fprintf(stderr, "grappe: there is no command %s\n", argv[2]);
    return 1;
  }
  std::fputs(kUsage, stderr);
  return 1;
}

}  // namespace grappe
