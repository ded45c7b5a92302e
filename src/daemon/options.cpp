#include "daemon/options.h"

#include <getopt.h>

#include <string_view>

namespace grappe {

Result<DaemonOptions> parse_daemon_options(int argc, char** argv) {
  DaemonOptions out;
  struct Row {
    const char* name;
    std::string DaemonOptions::*text;
    bool DaemonOptions::*flag;
  };
  static constexpr Row kRows[] = {
      {"state", &DaemonOptions::state_dir, nullptr},
      {"conf", &DaemonOptions::conf_dir, nullptr},
      {"socket", &DaemonOptions::socket, nullptr},
      {"database", &DaemonOptions::database, nullptr},
      {"log", &DaemonOptions::log_file, nullptr},
      {"hardware-root", &DaemonOptions::hardware_root, nullptr},
      {"gpu-library", &DaemonOptions::gpu_library, nullptr},
      {"tmp-root", &DaemonOptions::tmp_root, nullptr},
      {"personal", nullptr, &DaemonOptions::personal},
      {"verbose", nullptr, &DaemonOptions::verbose},
  };
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    const Row* found = nullptr;
    for (const Row& row : kRows) {
      if (word == std::string("--") + row.name) found = &row;
    }
    if (!found) return fail("unknown option " + std::string(word));
    if (found->flag) {
      out.*found->flag = true;
    } else if (i + 1 < argc) {
      out.*found->text = argv[++i];
    } else {
      return fail(std::string(word) + " needs a value");
    }
  }
  if (out.state_dir.empty()) return fail("--state DIR is needed");
  if (out.socket.empty()) out.socket = out.state_dir + "/grapped.sock";
  return out;
}

}  // namespace grappe
