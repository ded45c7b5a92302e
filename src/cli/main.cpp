// One program, many commands: picks the row by the name it was started with.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace grappe {
namespace {

int run_links(int argc, char** argv);

constexpr Command kCommands[] = {
    {"sbatch", run_sbatch},
    {"salloc", run_salloc},
    {"squeue", run_squeue},
    {"sinfo", run_sinfo},
    {"scontrol", run_scontrol},
    {"scancel", run_scancel},
    {"sdiag", run_sdiag},
    {"sbcast", run_sbcast},
    {"sattach", run_sattach},
    {"srun", run_srun},
    {"docs", run_docs, false},
    {"links", run_links, false},
};

const Command* find_command(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

// `grappe links DIR`: the symbolic links under which the commands are found there.
int run_links(int argc, char** argv) {
  std::string folder = argc > 1 ? argv[1] : ".";
  for (const Command& command : kCommands) {
    if (!command.linked) continue;
    std::string link = folder + "/" + std::string(command.name);
    unlink(link.c_str());
    if (symlink("grappe", link.c_str()) != 0) {
      std::perror(link.c_str());
      return 1;
    }
  }
  return 0;
}

int run(int argc, char** argv) {
  if (argc < 1) return 1;
  if (const Command* command = find_command(argv[0])) return command->run(argc, argv);
  if (argc > 1) {
    if (const Command* command = find_command(argv[1])) return command->run(argc - 1, argv + 1);
  }
  std::fputs("Usage: grappe COMMAND [ARGUMENT...]\nCommands:", stderr);
  for (const Command& command : kCommands) std::fprintf(stderr, " %s", command.name.data());
  std::fputs("\n", stderr);
  return 1;
}

}  // namespace
}  // namespace grappe

int main(int argc, char** argv) {
  return grappe::run(argc, argv);
}
