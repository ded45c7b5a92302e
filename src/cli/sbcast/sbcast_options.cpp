#include "cli/sbcast/sbcast_options.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/report.h"

namespace grappe {
namespace {

using Options = SbcastOptions;

constexpr CommandHelp kSbcast{
    .name = "sbcast", .operands = "SOURCE DEST", .purpose = "copy a file to the nodes of a job"};

// Nodes are slices of this machine: nothing is transmitted that could be compressed.
Status set_compress(Options&, Value v) {
  if (!v.given || v.text.empty() || iequals(v.text, "lz4") || iequals(v.text, "none")) return {};
  return fail(fmt::format("Invalid compression library \"{}\"", v.text));
}

Status set_positive(std::string_view name, Value v) {
  auto number = parse_uint(v.text, INT32_MAX);
  if (number && *number > 0) return {};
  return fail(fmt::format("Invalid numeric value \"{}\" for {}.", v.text, name));
}

// Bytes, or with k or m after them.
Status set_size(Options& o, Value v) {
  std::string_view digits = v.text;
  uint64_t unit = 1;
  if (!digits.empty() && to_lower(digits.back()) == 'k') unit = 1024;
  if (!digits.empty() && to_lower(digits.back()) == 'm') unit = 1024 * 1024;
  if (unit > 1) digits.remove_suffix(1);
  auto number = parse_uint(digits, UINT32_MAX);
  if (!number || *number == 0) return fail(fmt::format("Invalid size specification: {}", v.text));
  o.block_size = std::max<uint64_t>(4096, *number * unit);
  return {};
}

Status set_libs(Options& o, Value v) {
  if (!v.given || v.text.empty() || iequals(v.text, "yes")) {
    o.send_libs = true;
  } else if (iequals(v.text, "no")) {
    o.send_libs = false;
  } else {
    return fail(fmt::format("Invalid --send-libs specification: {}", v.text));
  }
  return {};
}

Status set_exclude(Options& o, Value v) {
  o.exclude.clear();
  if (iequals(v.text, "none")) return {};
  for (std::string_view path : split_words(v.text, ",")) {
    if (!path.starts_with('/'))
      return fail(fmt::format("--exclude needs absolute paths, not \"{}\"", path));
    o.exclude.emplace_back(path);
  }
  return {};
}

Status set_job(Options& o, Value v) {
  std::string_view job = v.text.substr(0, v.text.find('.'));
  if (!parse_uint(job, UINT32_MAX)) return fail(fmt::format("Invalid job id \"{}\"", v.text));
  o.job = v.text;
  return {};
}

constexpr Option<Options> kOptions[] = {
    {"compress", 'C', Arg::optional, "SBCAST_COMPRESS", "lib",
     "compress what is sent: nothing is sent, on one machine", set_compress},
    {"exclude", 0, Arg::required, "SBCAST_EXCLUDE", "paths",
     "leave out shared objects below these paths", set_exclude},
    {"force", 'f', Arg::none, "SBCAST_FORCE", "", "replace a file that is there",
     [](Options& o, Value) {
       o.force = true;
       return Status();
     }},
    {"fanout", 'F', Arg::required, "SBCAST_FANOUT", "num",
     "nodes that pass the file on: there is one machine",
     [](Options&, Value v) { return set_positive("fanout", v); }},
    {"jobid", 'j', Arg::required, "", "job[.step]", "the job whose nodes get the file (this one)",
     set_job},
    {"preserve", 'p', Arg::none, "SBCAST_PRESERVE", "", "keep the modes and times of the source",
     [](Options& o, Value) {
       o.preserve = true;
       return Status();
     }},
    {"send-libs", 0, Arg::optional, "SBCAST_SEND_LIBS", "yes|no",
     "copy the shared objects of an executable too", set_libs},
    {"size", 's', Arg::required, "SBCAST_SIZE", "num", "bytes per block: 4k, 8m", set_size},
    {"timeout", 't', Arg::required, "SBCAST_TIMEOUT", "seconds",
     "how long a message may take: there are none",
     [](Options&, Value v) { return set_positive("timeout", v); }},
    {"verbose", 'v', Arg::none, "", "", "say what is done",
     [](Options& o, Value) {
       ++o.verbose;
       return Status();
     }},
    {"version", 'V', Arg::none, "", "", "print the version and exit"},
    {"help", 0, Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show every option in a few lines"},
};

}  // namespace

std::optional<int> read_sbcast_options(int argc, char** argv, SbcastOptions& options) {
  // One line of flags, as programs that read Slurm's expect.
  if (argc == 2 && std::string_view(argv[1]) == "--usage") {
    std::puts("Usage: sbcast [--exclude] [-CfFjpstvV] [--send-libs] SOURCE DEST");
    return 0;
  }
  Parsed parsed = read_options(kSbcast, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  int names = argc - parsed.first_operand;
  if (names != 2) {
    std::fprintf(stderr, "Need two file names, have %d names\n", names);
    std::fputs("Try \"sbcast --help\" for more information\n", stderr);
    return 1;
  }
  options.source = argv[parsed.first_operand];
  options.destination = argv[parsed.first_operand + 1];
  const char* job = std::getenv("SLURM_JOB_ID");
  if (options.job.empty() && job) options.job = job;
  if (options.job.empty()) {
    Report("sbcast").error(
        "Need a job id to run this command.  Run from within a Slurm job or use the --jobid "
        "option.");
    return 1;
  }
  return std::nullopt;
}

OptionTable sbcast_table() {
  return {kSbcast, bare_options(kOptions)};
}

}  // namespace grappe
