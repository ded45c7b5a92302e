// The commands of the one program `grappe`. Each is started by its own name (a symbolic link
// beside the program, as `sbatch`) or as its first argument (`grappe sbatch ...`).
//
// A new command: its folder src/cli/<name>/, its function here, its row in main.cpp. The build
// makes the links from the rows.
#pragma once

#include <string_view>

namespace grappe {

struct Command {
  std::string_view name;
  // argv[0] is the command's name; the result is the exit code of the process.
  int (*run)(int argc, char** argv);
  bool linked = true;  // false: only as `grappe <name>`
};

int run_sacct(int argc, char** argv);
int run_sacctmgr(int argc, char** argv);
int run_sreport(int argc, char** argv);
int run_sbatch(int argc, char** argv);
int run_salloc(int argc, char** argv);
int run_sinfo(int argc, char** argv);
int run_srun(int argc, char** argv);
int run_sattach(int argc, char** argv);
int run_docs(int argc, char** argv);
int run_sprio(int argc, char** argv);
int run_sshare(int argc, char** argv);
int run_squeue(int argc, char** argv);
int run_scontrol(int argc, char** argv);
int run_sbcast(int argc, char** argv);
int run_sdiag(int argc, char** argv);
int run_scancel(int argc, char** argv);
int run_sstat(int argc, char** argv);
int run_seff(int argc, char** argv);
int run_job(int argc, char** argv);
int run_share(int argc, char** argv);
int run_rapid_access(int argc, char** argv);
int run_jobs(int argc, char** argv);
int run_why(int argc, char** argv);
int run_check(int argc, char** argv);
int run_simulate(int argc, char** argv);
int run_boost(int argc, char** argv);

}  // namespace grappe
