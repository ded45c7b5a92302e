// `grappe forecast --score`: how good forecasts have been.
#include <fmt/core.h>

#include <ctime>

#include "base/datetime.h"
#include "base/duration.h"
#include "cli/calls.h"
#include "cli/docs/option_tables.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/when/score_text.h"
#include "cli/when/when.h"

namespace grappe {
namespace {

struct ForecastCommand {
  v1::ScoreRequest request;
  bool score = false, parsable = false;
};

Status set_by(ForecastCommand& o, Value v) {
  if (v.text == "user") o.request.set_by(v1::ScoreRequest::USER);
  if (v.text == "partition") o.request.set_by(v1::ScoreRequest::PARTITION);
  if (v.text == "day") o.request.set_by(v1::ScoreRequest::DAY);
  if (o.request.by() != v1::ScoreRequest::ALL) return {};
  return fail("--by takes user, partition or day, not " + std::string(v.text));
}

Result<int64_t> time_of(Value v) {
  return parse_datetime(v.text, std::time(nullptr), true);
}

constexpr CommandHelp kForecast{.name = "grappe forecast",
                                .operands = "",
                                .purpose = "how good the forecasts of starts have been"};
constexpr Option<ForecastCommand> kForecastOptions[] = {
    {"score", 's', Arg::none, "", "", "compare what was said with what came",
     [](ForecastCommand& o, Value) {
       o.score = true;
       return Status();
     }},
    {"by", 'b', Arg::required, "", "what", "a line for each user, partition or day", set_by},
    {"user", 'u', Arg::required, "", "name", "only of this user's jobs",
     [](ForecastCommand& o, Value v) {
       o.request.set_user(std::string(v.text));
       return Status();
     }},
    {"partition", 'p', Arg::required, "", "name", "only of jobs of this partition",
     [](ForecastCommand& o, Value v) {
       o.request.set_partition(std::string(v.text));
       return Status();
     }},
    {"starttime", 'S', Arg::required, "", "time", "only those made since then",
     [](ForecastCommand& o, Value v) {
       auto time = time_of(v);
       if (!time) return Status(tl::unexpected<Error>(time.error()));
       o.request.set_start(*time);
       return Status();
     }},
    {"endtime", 'E', Arg::required, "", "time", "only those made before then",
     [](ForecastCommand& o, Value v) {
       auto time = time_of(v);
       if (!time) return Status(tl::unexpected<Error>(time.error()));
       o.request.set_end(*time);
       return Status();
     }},
    {"parsable2", 'P', Arg::none, "", "", "columns divided by bars, times in seconds",
     [](ForecastCommand& o, Value) {
       o.parsable = true;
       return Status();
     }},
    {"help", 'h', Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show a short help"},
    {"version", 'V', Arg::none, "", "", "show the version"},
};

}  // namespace

int run_forecast(int argc, char** argv) {
  ForecastCommand options;
  Parsed parsed = parse_options(kForecast, kForecastOptions, argc, argv, options);
  if (parsed.exit_code) return *parsed.exit_code;
  Report report("grappe forecast");
  if (!options.score || parsed.first_operand != argc) {
    report.error("grappe forecast --score says how good forecasts were; grappe when makes one");
    return 1;
  }
  ServiceCalls calls;
  auto scores = calls.call<v1::ScoreResponse>("Forecasts/Score", options.request);
  if (!scores) {
    report.error(scores.error());
    return 1;
  }
  Output().text() += score_text(*scores, options.parsable);
  return 0;
}

}  // namespace grappe
