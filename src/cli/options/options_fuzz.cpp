// Bytes as a command line (words ended by NUL) and as a batch script: nothing may crash, whatever
// a person, a template or a broken file says.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/job_command_line.h"
#include "cli/options/job_environment.h"
#include "cli/report.h"
#include "cli/sbatch/batch_script.h"
#include "cli/sbatch/foreign_directives.h"

namespace grappe {
namespace {

void try_command_line(Commands command, const std::string& text) {
  std::vector<std::string> words{std::string(command_name(command))};
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != '\0') continue;
    words.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  JobCommandLine line(command);
  if (line.read(static_cast<int>(words.size()), argv.data()).exit_code) return;
  JobOptions options(command);
  if (line.apply(options) || check_job_options(options, line.help())) return;
  Environment environment;
  add_requested(options, environment);
  (void)step_spec(options);
  (void)add_rlimits(options.propagate, options.spec);
  bool login = false;
  (void)exported_environment(environment, options.export_env.value_or("ALL"), login);
}

void try_script(const std::string& text) {
  if (!check_script(text)) return;
  auto directives = read_directives(text, "fuzz.sh");
  if (!directives) return;
  JobCommandLine line(kSbatch);
  JobOptions options(kSbatch);
  Report report("sbatch");
  if (line.apply_script(directives->sbatch, options)) return;
  if (apply_foreign(*directives, line, report, options)) return;
  (void)check_job_options(options, line.help());
}

}  // namespace
}  // namespace grappe

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // What the commands say would drown libFuzzer's own lines, which go to a copy of the descriptor.
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      grappe::try_command_line(grappe::kSbatch, text);
      break;
    case 1:
      grappe::try_command_line(grappe::kSalloc, text);
      break;
    case 2:
      grappe::try_command_line(grappe::kSrun, text);
      break;
    default:
      grappe::try_script("#!/bin/sh\n" + text);
      break;
  }
  return 0;
}
