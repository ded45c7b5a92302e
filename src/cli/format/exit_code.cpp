#include "cli/format/exit_code.h"

#include <fmt/core.h>
#include <sys/wait.h>

namespace grappe {

std::string exit_code_text(uint32_t status) {
  const int wait_status = static_cast<int>(status);
  const int signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
  return fmt::format("{}:{}", WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0, signal);
}

}  // namespace grappe
