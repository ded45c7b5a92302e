#include <fmt/core.h>

#include <cstdio>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/report.h"
#include "cli/sstat/sstat.h"

namespace grappe {
namespace {

using Opt = SstatOptions;

constexpr std::string_view kFormat =
    "jobid,maxvmsize,maxvmsizenode,maxvmsizetask,avevmsize,maxrss,maxrssnode,maxrsstask,averss,"
    "maxpages,maxpagesnode,maxpagestask,avepages,mincpu,mincpunode,mincputask,avecpu,ntasks,"
    "avecpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,consumedenergy,maxdiskread,"
    "maxdiskreadnode,maxdiskreadtask,avediskread,maxdiskwrite,maxdiskwritenode,maxdiskwritetask,"
    "avediskwrite,tresusageinave,tresusageinmax,tresusageinmaxnode,tresusageinmaxtask,"
    "tresusageinmin,tresusageinminnode,tresusageinmintask,tresusageintot,tresusageoutave,"
    "tresusageoutmax,tresusageoutmaxnode,tresusageoutmaxtask,tresusageoutmin,tresusageoutminnode,"
    "tresusageoutmintask,tresusageouttot";
constexpr std::string_view kPidFormat = "jobid,nodelist,pids";

// Says it and ends the command.
Status refuse(const std::string& message) {
  Report("sstat").fatal(message);
  return tl::unexpected<Error>(Error{1, "", {}});
}

// "12", "12.0", "12.batch".
Status add_step(Opt& o, std::string_view word) {
  const size_t dot = word.find('.');
  const auto id = parse_uint(word.substr(0, word.find_first_of("._")), UINT32_MAX);
  if (!id) return refuse(fmt::format("Bad job/step specified: {}", word));
  v1::StepWish& wish = *o.request.add_steps();
  wish.set_job_id(static_cast<uint32_t>(*id));
  if (dot == std::string_view::npos) return {};
  std::string_view step = word.substr(dot + 1);
  step = step.substr(0, step.find('.'));
  const bool named = step == "batch" || step == "extern" || step == "interactive";
  if (!named && !parse_uint(step, UINT32_MAX)) {
    return refuse(fmt::format("Bad step specified: {}", *id));
  }
  wish.set_step_id(std::string(step));
  return {};
}

Status set_steps(Opt& o, Value v) {
  for (std::string_view word : split_words(v.text, ",")) {
    if (Status added = add_step(o, word); !added) return added;
  }
  return {};
}

Status set_columns(Opt& o, Value v) {
  o.format += (o.format.empty() ? "" : ",") + std::string(v.text);
  return {};
}

#define FLAG(statement) \
  [](Opt& o, Value) {   \
    statement;          \
    return Status();    \
  }

constexpr CommandHelp kSstat{.name = "sstat",
                             .operands = "",
                             .purpose = "show what running steps use",
                             .brief_usage = "sstat [options] -j <job(.stepid)>",
                             .points_to_help = false};

constexpr Option<Opt> kOptions[] = {
    {"allsteps", 'a', Arg::none, "", "", "all running steps of the jobs that are given without one",
     FLAG(o.request.set_all_steps(true))},
    {"format", 'o', Arg::required, "", "fields", "what to show: \"jobid,maxrss%12,avecpu\"",
     set_columns},
    {"fields", 0, Arg::required, "", "", "", set_columns},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"helpformat", 'e', Arg::none, "", "", "list the fields", FLAG(o.list_fields = true)},
    {"jobs", 'j', Arg::required, "", "job[.step]", "these jobs and steps: 12,13.0,14.batch",
     set_steps},
    {"noconvert", 0, Arg::none, "", "", "amounts in bytes",
     FLAG(o.amounts.shorten = Shorten::kNever)},
    {"noheader", 'n', Arg::none, "", "", "no titles", FLAG(o.no_header = true)},
    {"parsable", 'p', Arg::none, "", "", "fields between bars, one at the end",
     FLAG(o.style.kind = ReportStyle::kBars)},
    {"parsable2", 'P', Arg::none, "", "", "fields between bars",
     FLAG(o.style.kind = ReportStyle::kBarsBetween)},
    {"pidformat", 'i', Arg::none, "", "", "only the processes of each step",
     FLAG(o.format = kPidFormat)},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"verbose", 'v', Arg::none, "", "", "say more", FLAG(++o.verbosity)},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

void list_fields() {
  std::string out;
  int column = 0;
  for (const SstatField& field : sstat_fields()) {
    if (column) out += column % 4 ? " " : "\n";
    out += fmt::format("{:<19}", field.name);
    ++column;
  }
  std::puts(out.c_str());
}

}  // namespace

std::optional<int> read_sstat_options(int argc, char** argv, SstatOptions& options) {
  Parsed parsed = parse_options(kSstat, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  if (options.list_fields) {
    list_fields();
    return 0;
  }
  // What is left over is taken for jobs too.
  for (int i = parsed.first_operand; i < argc; ++i) {
    if (!set_steps(options, {argv[i], true, ""})) return 1;
  }
  if (options.request.steps().empty()) {
    Report("sstat").error("You didn't give me any jobs to stat.");
    return 1;
  }
  if (options.format.empty()) options.format = kFormat;
  return std::nullopt;
}

OptionTable sstat_table() {
  return {kSstat, bare_options(kOptions)};
}

}  // namespace grappe
