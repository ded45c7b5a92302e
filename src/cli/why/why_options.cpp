// The command line of `grappe why`.
#include "base/text.h"
#include "cli/calls.h"
#include "cli/command.h"
#include "cli/docs/option_tables.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/why/why_text.h"

namespace grappe {
namespace {

struct WhyOptions {
  std::string language;
};

constexpr CommandHelp kWhy{.name = "grappe why",
                           .operands = "JOBID...",
                           .purpose = "why a job waits, and what would start it sooner"};
constexpr Option<WhyOptions> kWhyOptions[] = {
    {"lang", 0, Arg::required, "", "en|fr", "the language, instead of that of the locale",
     [](WhyOptions& o, Value v) {
       o.language = v.text;
       if (v.text == "en" || v.text == "fr") return Status();
       return Status(fail("--lang takes en or fr, not " + std::string(v.text)));
     }},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

Result<v1::WhyRequest> request_of(std::string_view text) {
  const size_t line = text.find('_');
  const auto id = parse_uint(text.substr(0, line), UINT32_MAX);
  v1::WhyRequest out;
  if (!id || !*id) return fail("Invalid job id specified: " + std::string(text));
  out.set_job_id(static_cast<uint32_t>(*id));
  if (line == std::string_view::npos) return out;
  const auto task = parse_uint(text.substr(line + 1), UINT32_MAX);
  if (!task) return fail("Invalid job id specified: " + std::string(text));
  out.set_array_task_id(static_cast<uint32_t>(*task));
  return out;
}

Status tell_why(Calls& calls, const WhyOptions& options, std::string_view id) {
  auto request = request_of(id);
  if (!request) return tl::unexpected<Error>(request.error());
  auto why = calls.call<v1::WhyResponse>("Planning/Why", *request);
  if (!why) return tl::unexpected<Error>(why.error());
  Output output;
  output.text() += why_text(*why, language_for(options.language));
  return {};
}

}  // namespace

int run_why(int argc, char** argv) {
  WhyOptions options;
  Parsed parsed = parse_options(kWhy, kWhyOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  Report report("grappe why");
  if (parsed.first_operand == argc) {
    report.error("the number of a job is needed: grappe why JOBID");
    return 1;
  }
  ServiceCalls calls;
  int rc = 0;
  for (int i = parsed.first_operand; i < argc; ++i) {
    const Status told = tell_why(calls, options, argv[i]);
    if (told) continue;
    report.error(told.error());
    rc = 1;
  }
  return rc;
}

}  // namespace grappe
