#include "cli/sattach/options.h"

#include <cstdio>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/report.h"

namespace grappe {
namespace {

constexpr std::string_view kUsage = "Usage: sattach [options] <jobid.stepid>\n";

constexpr std::string_view kHelp =
    "Usage: sattach [options] <jobid.stepid>\n"
    "      --input-filter=taskid  send stdin to only the specified task\n"
    "      --output-filter=taskid only print stdout from the specified task\n"
    "      --error-filter=taskid  only print stderr from the specified task\n"
    "  -l, --label        prepend task number to lines of stdout & stderr\n"
    "      --layout       print task layout info and exit (does not attach to tasks)\n"
    "      --pty          use a pseudo terminal for the attached step\n"
    "  -Q, --quiet        quiet mode (suppress informational messages)\n"
    "  -v, --verbose      verbose mode (multiple -v's increase verbosity)\n"
    "  -V, --version      print the Slurm version and exit\n"
    "\n"
    "Help options:\n"
    "  -h, --help         print this help message\n"
    "  -u, --usage        print a brief usage message\n";

template <auto Member>
Status set_task(SattachOptions& o, Value v) {
  auto task = parse_uint(v.text, UINT32_MAX - 1);
  if (!task)
    return fail("Invalid value \"" + std::string(v.text) + "\" for " + std::string(v.from));
  o.*Member = static_cast<uint32_t>(*task);
  return {};
}

template <auto Member>
Status set_flag(SattachOptions& o, Value) {
  o.*Member = true;
  return {};
}

constexpr Option<SattachOptions> kOptions[] = {
    {"error-filter", 0, Arg::required, "", "taskid", "", set_task<&SattachOptions::error_filter>},
    {"help", 'h', Arg::none, "", "", ""},
    {"input-filter", 0, Arg::required, "", "taskid", "", set_task<&SattachOptions::input_filter>},
    {"label", 'l', Arg::none, "", "", "", set_flag<&SattachOptions::label>},
    {"layout", 0, Arg::none, "", "", "", set_flag<&SattachOptions::layout>},
    {"output-filter", 0, Arg::required, "", "taskid", "", set_task<&SattachOptions::output_filter>},
    {"pty", 0, Arg::none, "", "", "", set_flag<&SattachOptions::pty>},
    {"quiet", 'Q', Arg::none, "", "", "", set_flag<&SattachOptions::quiet>},
    {"usage", 'u', Arg::none, "", "", ""},
    {"verbose", 'v', Arg::none, "", "", "",
     [](SattachOptions& o, Value) {
       ++o.verbose;
       return Status();
     }},
    {"version", 'V', Arg::none, "", "", ""},
};

CommandHelp command_help() {
  CommandHelp help;
  help.name = "sattach";
  help.usage = kUsage;
  help.help_text = [] { return std::string(kHelp); };
  help.usage_text = [] { return std::string(kUsage); };
  return help;
}

int say_usage(const char* why) {
  Report("sattach").error(why);
  std::fputs(std::string(kUsage).c_str(), stdout);
  return 1;
}

// "12.0", "12.batch".
bool read_step(std::string_view text, SattachOptions& options) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot + 1 == text.size()) return false;
  auto job = parse_uint(text.substr(0, dot), UINT32_MAX);
  const std::string_view step = text.substr(dot + 1);
  const bool named = step == "batch" || step == "extern" || step == "interactive";
  if (!job || (!named && !parse_uint(step, UINT32_MAX))) return false;
  options.job_id = static_cast<uint32_t>(*job);
  options.step = step;
  return true;
}

}  // namespace

std::optional<int> read_sattach_options(int argc, char** argv, SattachOptions& options) {
  const CommandHelp help = command_help();
  Parsed parsed = parse_options(help, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  if (argc - parsed.first_operand != 1) return say_usage("too many parameters");
  if (!read_step(argv[parsed.first_operand], options)) {
    return say_usage("Failed to parse stepid from command line options");
  }
  return std::nullopt;
}

std::vector<BareOption> sattach_rows() {
  return bare_options(kOptions);
}

}  // namespace grappe
