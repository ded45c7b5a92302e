#include "exec/launcher/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace grappe::exec {
namespace {

struct Option {
  const char* name;
  std::string LauncherOptions::*value;
};
constexpr Option kOptions[] = {
    {"--state", &LauncherOptions::state_dir}, {"--run", &LauncherOptions::run_dir},
    {"--socket", &LauncherOptions::socket},   {"--cgroup", &LauncherOptions::cgroup},
    {"--user", &LauncherOptions::user},
};
constexpr char kUsage[] =
    "usage: grappe-launcher --state DIR --run DIR [--socket PATH] [--cgroup NAME] [--user NAME] "
    "-- grapped ...";

bool is_plain_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace

Result<LauncherOptions> parse_launcher_options(int argc, char** argv) {
  LauncherOptions options;
  int i = 1;
  for (; i < argc && std::string(argv[i]) != "--"; i += 2) {
    const auto option =
        std::find_if(std::begin(kOptions), std::end(kOptions),
                     [&](const Option& o) { return argv[i] == std::string(o.name); });
    if (option == std::end(kOptions) || i + 1 >= argc) {
      return fail(fmt::format("unknown or incomplete option {}\n{}", argv[i], kUsage));
    }
    options.*option->value = argv[i + 1];
  }
  options.brain.assign(argv + std::min(i + 1, argc), argv + argc);
  if (options.brain.empty()) return fail(kUsage);
  for (const std::string* dir : {&options.state_dir, &options.run_dir}) {
    if (!dir->starts_with('/'))
      return fail(fmt::format("--state and --run are absolute paths\n{}", kUsage));
  }
  if (!is_plain_name(options.cgroup)) {
    return fail("--cgroup takes a name of letters, digits, '-', '_' and '.'");
  }
  return options;
}

}  // namespace grappe::exec
