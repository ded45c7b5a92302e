// One program, many commands: picks the row by the name it was started with.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/alias.h"
#include "cli/calls.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/when/when.h"
#include "grappe/v1/books.pb.h"

namespace grappe {
namespace {

int run_links(int argc, char** argv);
int run_aliases(int argc, char** argv);
int run_backup(int argc, char** argv);

constexpr Command kCommands[] = {
    {"sbatch", run_sbatch},
    {"salloc", run_salloc},
    {"sacct", run_sacct},
    {"sacctmgr", run_sacctmgr},
    {"sreport", run_sreport},
    {"squeue", run_squeue},
    {"sinfo", run_sinfo},
    {"scontrol", run_scontrol},
    {"scancel", run_scancel},
    {"sdiag", run_sdiag},
    {"sbcast", run_sbcast},
    {"sattach", run_sattach},
    {"srun", run_srun},
    {"sstat", run_sstat},
    {"sprio", run_sprio},
    {"sshare", run_sshare},
    {"seff", run_seff},
    {"job", run_job, false},
    {"jobs", run_jobs, false},
    {"why", run_why, false},
    {"when", run_when, false},
    {"forecast", run_forecast, false},
    {"check", run_check, false},
    {"boost", run_boost, false},
    {"share", run_share, false},
    {"rapid-access", run_rapid_access, false},
    {"simulate", run_simulate, false},
    {"docs", run_docs, false},
    {"links", run_links, false},
    {"aliases", run_aliases, false},
    {"backup", run_backup, false},
};

const Command* find_command(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

bool make_link(const std::string& folder, const std::string& name) {
  std::string link = folder + "/" + name;
  unlink(link.c_str());
  if (symlink("grappe", link.c_str()) == 0) return true;
  std::perror(link.c_str());
  return false;
}

// `grappe links DIR`: the symbolic links under which the commands are found there.
int run_links(int argc, char** argv) {
  std::string folder = argc > 1 ? argv[1] : ".";
  for (const Command& command : kCommands) {
    if (command.linked && !make_link(folder, std::string(command.name))) return 1;
  }
  return 0;
}

Result<std::vector<Alias>> aliases_of_the_service() {
  ServiceCalls calls;
  auto aliases = load_aliases(calls);
  if (!aliases) Report("grappe").error(aliases.error());
  return aliases;
}

// `grappe aliases`: the shortcuts of the site. `grappe aliases DIR`: links for them there.
int run_aliases(int argc, char** argv) {
  auto aliases = aliases_of_the_service();
  if (!aliases) return 1;
  int code = 0;
  for (const Alias& alias : *aliases) {
    if (argc < 2) {
      std::printf("%s %s\n", alias.name.c_str(), alias.command_line.c_str());
    } else if (find_command(alias.name) || alias.name == "grappe") {
      Report("grappe").error("the alias " + alias.name + " would hide a command: left out");
      code = 1;
    } else if (!make_link(argv[1], alias.name)) {
      code = 1;
    }
  }
  return code;
}

// `grappe backup [FILE]`: a copy of the database, made while the service goes on.
int run_backup(int argc, char** argv) {
  v1::BackupRequest request;
  if (argc > 1) request.set_file(std::filesystem::absolute(argv[1]).string());
  ServiceCalls calls;
  auto copy = calls.call<v1::BackupResponse>("Books/Backup", request, std::chrono::hours(1));
  if (!copy) {
    Report("grappe").error(copy.error());
    return 1;
  }
  std::printf("%s (%.1f MB)\n", copy->file().c_str(), static_cast<double>(copy->bytes()) / 1e6);
  return 0;
}

// Runs the command line that `name` stands for, with the arguments after it.
int run_alias(const std::string& name, int argc, char** argv) {
  auto aliases = aliases_of_the_service();
  if (!aliases) return 1;
  for (const Alias& alias : *aliases) {
    if (alias.name != name) continue;
    auto words = alias_words(alias.command_line);
    const Command* command = words && !words->empty() ? find_command((*words)[0]) : nullptr;
    if (!command) {
      Report("grappe").error("the alias " + name + " = " + alias.command_line + " is not usable: " +
                             (words ? "it does not begin with a command" : words.error().message));
      return 1;
    }
    std::vector<char*> all;
    for (std::string& word : *words) all.push_back(word.data());
    all.insert(all.end(), argv + 1, argv + argc);
    int count = static_cast<int>(all.size());
    all.push_back(nullptr);
    return command->run(count, all.data());
  }
  Report("grappe").error("there is no command and no alias " + name);
  return 1;
}

int run(int argc, char** argv) {
  if (argc < 1) return 1;
  if (const Command* command = find_command(argv[0])) return command->run(argc, argv);
  std::string name = argv[0];
  name.erase(0, name.rfind('/') + 1);
  if (name != "grappe") return run_alias(name, argc, argv);
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

// Without the destructors of static objects: taking apart what the kernel takes back anyway would
// be a tenth of a short command's time.
int main(int argc, char** argv) {
  const int code = grappe::run(argc, argv);
#ifdef __SANITIZE_ADDRESS__  // looks for leaks after them
  return code;
#else
  std::fflush(nullptr);
  _exit(code);
#endif
}
