// The command line of `grappe simulate`.
#include <fmt/format.h>

#include <charconv>

#include "base/text.h"
#include "cli/command.h"
#include "cli/docs/option_tables.h"
#include "cli/report.h"
#include "cli/simulate/simulate.h"
#include "sim/policies.h"

namespace grappe {
namespace {

std::string after_simulate_options() {
  std::string out = "\nPolicies:\n";
  for (const sim::PolicyRow& row : sim::policies()) {
    out += fmt::format("  {:<12} {}\n", row.name, row.says);
  }
  return out + R"(
Machines: 100 (CPUs), 64x8 (nodes x CPUs), 16x64:gpu=8:mem=1T, several joined by +.

  grappe simulate KTH-SP2.swf.gz
  grappe simulate --what-if add=1x64:gpu=4 --what-if max-time=24:00:00 --machine 4x64:gpu=8 jobs.txt
  grappe simulate --generate 100000 --seed 7 --html page.html
)";
}

constexpr CommandHelp kSimulate{
    .name = "grappe simulate",
    .operands = "[TRACE]",
    .purpose =
        "run a recorded or made-up workload through the scheduler, several ways side by side",
    .after_options = after_simulate_options};

Status set_number(Value v, uint64_t& out) {
  auto number = parse_uint(v.text, 1'000'000'000);
  if (!number) return fail(fmt::format("{}: '{}' is not a number", v.from, v.text));
  out = *number;
  return {};
}

Status set_load(SimulateOptions& o, Value v) {
  auto [end, error] = std::from_chars(v.text.data(), v.text.data() + v.text.size(), o.load);
  bool good = error == std::errc() && end == v.text.data() + v.text.size();
  if (!good || !(o.load > 0.01 && o.load < 100)) {
    return fail(fmt::format("--load: '{}' is not a part of the machine, such as 0.8", v.text));
  }
  return {};
}

constexpr Option<SimulateOptions> kSimulateOptions[] = {
    {"policy", 'p', Arg::required, "", "names", "the policies to compare (easy,fcfs,sjf,grappe)",
     [](SimulateOptions& o, Value v) {
       o.policies.clear();
       for (std::string_view word : split_words(v.text, ",")) o.policies.emplace_back(word);
       return o.policies.empty() ? Status(fail("--policy: a name is needed")) : Status();
     }},
    {"machine", 'm', Arg::required, "", "machine", "run it on this machine, not the trace's",
     [](SimulateOptions& o, Value v) {
       o.machine = v.text;
       return Status();
     }},
    {"what-if", 'w', Arg::required, "", "change",
     "each policy with this change too: add=MACHINE, machine=MACHINE, max-time=TIME",
     [](SimulateOptions& o, Value v) {
       o.what_ifs.emplace_back(v.text);
       return Status();
     }},
    {"generate", 'g', Arg::required, "", "jobs", "make up so many jobs instead of reading a trace",
     [](SimulateOptions& o, Value v) { return set_number(v, o.generate); }},
    {"seed", 's', Arg::required, "", "number", "of the made-up jobs (1)",
     [](SimulateOptions& o, Value v) { return set_number(v, o.seed); }},
    {"load", 'l', Arg::required, "", "part", "of the machine that made-up jobs ask for (0.8)",
     set_load},
    {"html", 'o', Arg::required, "", "file", "write a page with plots",
     [](SimulateOptions& o, Value v) {
       o.html = v.text;
       return Status();
     }},
    {"quiet", 'Q', Arg::none, "", "", "no progress bar",
     [](SimulateOptions& o, Value) {
       o.progress = false;
       return Status();
     }},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

}  // namespace

int run_simulate(int argc, char** argv) {
  SimulateOptions options;
  Parsed parsed = parse_options(kSimulate, kSimulateOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  int operands = argc - parsed.first_operand;
  bool made_up = options.generate > 0;
  if (operands + made_up != 1) {
    Report("grappe").error("one workload is needed: the name of a file, or --generate=JOBS");
    return 1;
  }
  if (operands) options.trace = argv[parsed.first_operand];
  return simulate(options);
}

}  // namespace grappe
