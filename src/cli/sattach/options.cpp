#include "cli/sattach/options.h"

#include <cstdio>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_help.h"
#include "cli/report.h"

namespace grappe {
namespace {

constexpr CommandHelp kSattach{.name = "sattach",
                               .operands = "<jobid.stepid>",
                               .purpose = "attach to the input and output of a running step"};

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
    {"error-filter", 0, Arg::required, "", "task", "standard error of this task only",
     set_task<&SattachOptions::error_filter>},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"input-filter", 0, Arg::required, "", "task", "give standard input to this task only",
     set_task<&SattachOptions::input_filter>},
    {"label", 'l', Arg::none, "", "", "the number of the task before each line",
     set_flag<&SattachOptions::label>},
    {"layout", 0, Arg::none, "", "", "show where the tasks are, and exit",
     set_flag<&SattachOptions::layout>},
    {"output-filter", 0, Arg::required, "", "task", "standard output of this task only",
     set_task<&SattachOptions::output_filter>},
    {"pty", 0, Arg::none, "", "", "use the pseudo terminal of the step",
     set_flag<&SattachOptions::pty>},
    {"quiet", 'Q', Arg::none, "", "", "no messages", set_flag<&SattachOptions::quiet>},
    {"usage", 'u', Arg::none, "", "", "show every option in a few lines"},
    {"verbose", 'v', Arg::none, "", "", "say what is done",
     [](SattachOptions& o, Value) {
       ++o.verbose;
       return Status();
     }},
    {"version", 'V', Arg::none, "", "", "print the version and exit"},
};

void print_usage() {
  std::fputs(("Usage: " + synopsis(kSattach) + "\n").c_str(), stdout);
}

int say_usage(const char* why) {
  Report("sattach").error(why);
  print_usage();
  return 1;
}

// One line, as programs that read Slurm's expect.
bool asks_for_usage(int argc, char** argv) {
  const std::string_view word = argc == 2 ? argv[1] : "";
  return word == "--usage" || word == "-u";
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
  if (asks_for_usage(argc, argv)) {
    print_usage();
    return 0;
  }
  Parsed parsed = parse_options(kSattach, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  if (argc - parsed.first_operand != 1) return say_usage("too many parameters");
  if (!read_step(argv[parsed.first_operand], options)) {
    return say_usage("Failed to parse stepid from command line options");
  }
  return std::nullopt;
}

OptionTable sattach_table() {
  return {kSattach, bare_options(kOptions)};
}

}  // namespace grappe
