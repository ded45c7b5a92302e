#include "cli/scancel/scancel_options.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "base/array_spec.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "cli/accounts.h"
#include "cli/docs/option_tables.h"
#include "cli/options/values.h"
#include "cli/report.h"
#include "model/job_state.h"

namespace grappe {
namespace {

using Options = ScancelOptions;

constexpr CommandHelp kScancel{.name = "scancel",
                               .operands = "[job_id[_array_id][.step_id]...]",
                               .purpose = "cancel or signal jobs and steps"};

// A flag on the command line, or "true" and "yes" in the environment.
Result<bool> flag(Value v) {
  if (v.from.starts_with("--")) return true;
  if (!v.text.empty() && std::strchr("tTyY1", v.text[0])) return true;
  if (!v.text.empty() && std::strchr("fFnN0", v.text[0])) return false;
  return fail(fmt::format("Unrecognized {} value: {}", v.from, v.text));
}

template <void (v1::CancelRequest::*kSet)(bool)>
Status set_flag(Options& o, Value v) {
  auto value = flag(v);
  if (!value) return tl::unexpected<Error>(value.error());
  (o.request.*kSet)(*value);
  return {};
}

void filter(Options& o, std::string_view name, std::string_view value) {
  o.filters.push_back(fmt::format("{}={}", name, value));
}

Status set_user(Options& o, Value v) {
  std::string name(v.text);
  auto user = find_account(name);
  auto number = parse_uint(name, UINT32_MAX);
  if (!user && number) user = find_account(static_cast<uid_t>(*number));
  if (!user) return fail("Invalid user name: " + name);
  o.request.clear_uids();
  o.request.add_uids(user->uid);
  filter(o, "user_name", name);
  return {};
}

Status set_state(Options& o, Value v) {
  auto state = parse_job_state(v.text);
  if (!state) {
    bool from_environment = !v.from.starts_with("--");
    o.complaint = from_environment ? fmt::format("Unrecognized {} value: {}\n", v.from, v.text)
                                   : fmt::format("Invalid job state specified: {}\n", v.text);
    o.complaint += "Valid job states are PENDING, RUNNING, and SUSPENDED\n";
    return {};
  }
  o.request.clear_states();
  o.request.add_states(*state);
  filter(o, "state", job_state_name(*state));
  return {};
}

// A name with a slash is a file of host names.
Status set_nodes(Options& o, Value v) {
  std::string text(v.text);
  if (text.find('/') != std::string::npos) {
    std::ifstream file(text);
    if (!file) return fail("Can not open " + text);
    std::ostringstream all;
    all << file.rdbuf();
    std::vector<std::string> names;
    for (std::string_view name : split_words(all.str(), ", \t\n")) names.emplace_back(name);
    text = join(names, ",");
  }
  auto names = expand_hostlist(text);
  if (!names) return tl::unexpected<Error>(names.error());
  o.request.clear_nodes();
  for (const std::string& name : *names) o.request.add_nodes(name);
  filter(o, "nodelist", v.text);
  return {};
}

Status set_signal(Options& o, Value v) {
  auto number = parse_signal(v.text);
  if (!number) {
    o.complaint = fmt::format("Unknown job signal: {}\n", v.text);
    return {};
  }
  o.request.set_signal(*number);
  o.signal_given = true;
  return {};
}

constexpr Option<Options> kOptions[] = {
    {"account", 'A', Arg::required, "SCANCEL_ACCOUNT", "account", "jobs of this account only",
     [](Options& o, Value v) {
       o.request.set_account(std::string(v.text));
       filter(o, "account", v.text);
       return Status();
     }},
    {"batch", 'b', Arg::none, "SCANCEL_BATCH", "", "signal the batch script only",
     set_flag<&v1::CancelRequest::set_batch_only>},
    {"ctld", 0, Arg::none, "SCANCEL_CTLD", "", "through the service: it always is",
     set_flag<&v1::CancelRequest::set_ctld>},
    {"full", 'f', Arg::none, "SCANCEL_FULL", "", "signal the batch script and every step",
     set_flag<&v1::CancelRequest::set_full>},
    {"hurry", 'H', Arg::none, "SCANCEL_HURRY", "",
     "leave out the end of burst buffers: there are none", set_flag<&v1::CancelRequest::set_hurry>},
    {"interactive", 'i', Arg::none, "SCANCEL_INTERACTIVE", "", "ask before each job",
     [](Options& o, Value v) -> Status {
       auto value = flag(v);
       if (!value) return tl::unexpected<Error>(value.error());
       o.interactive = *value;
       return {};
     }},
    {"clusters", 'M', Arg::required, "SLURM_CLUSTERS", "name", "the cluster to speak to",
     [](Options& o, Value v) {
       o.clusters = v.text;
       return Status();
     }},
    {"me", 0, Arg::none, "", "", "my jobs",
     [](Options& o, Value) {
       o.request.clear_uids();
       o.request.add_uids(getuid());
       filter(o, "user_id", std::to_string(getuid()));
       return Status();
     }},
    {"name", 'n', Arg::required, "SCANCEL_NAME", "name", "jobs with this name only",
     [](Options& o, Value v) {
       o.request.set_name(std::string(v.text));
       filter(o, "job_name", v.text);
       return Status();
     }},
    {"jobname", 0, Arg::required, "", "job_name", "",
     [](Options& o, Value v) {
       o.request.set_name(std::string(v.text));
       filter(o, "job_name", v.text);
       return Status();
     }},
    {"nodelist", 'w', Arg::required, "", "hosts", "jobs that have one of these nodes only",
     set_nodes},
    {"partition", 'p', Arg::required, "SCANCEL_PARTITION", "partition",
     "jobs in this partition only",
     [](Options& o, Value v) {
       o.request.set_partition(std::string(v.text));
       filter(o, "partition", v.text);
       return Status();
     }},
    {"qos", 'q', Arg::required, "SCANCEL_QOS", "qos", "jobs with this quality of service only",
     [](Options& o, Value v) {
       o.request.set_qos(std::string(v.text));
       filter(o, "qos", v.text);
       return Status();
     }},
    {"quiet", 'Q', Arg::none, "", "", "no messages",
     [](Options& o, Value) {
       o.quiet = true;
       return Status();
     }},
    {"reservation", 'R', Arg::required, "", "name", "jobs in this reservation only",
     [](Options& o, Value v) {
       o.request.set_reservation(std::string(v.text));
       filter(o, "reservation", v.text);
       return Status();
     }},
    {"sibling", 0, Arg::required, "", "cluster_name", "cancel the sibling of a federated job",
     nullptr, "there is one cluster"},
    {"signal", 's', Arg::required, "", "signal",
     "send this signal, by name or number, instead of ending the job", set_signal},
    {"state", 't', Arg::required, "SCANCEL_STATE", "state",
     "jobs in this state only: PENDING, RUNNING or SUSPENDED", set_state},
    {"user", 'u', Arg::required, "SCANCEL_USER", "user", "jobs of this user only", set_user},
    {"verbose", 'v', Arg::none, "SCANCEL_VERBOSE", "", "say what is done",
     [](Options& o, Value) {
       ++o.verbose;
       return Status();
     }},
    {"version", 'V', Arg::none, "", "", "print the version and exit"},
    {"wckey", 0, Arg::required, "SCANCEL_WCKEY", "wckey", "jobs with this workload key only",
     [](Options& o, Value v) {
       o.request.set_wckey(std::string(v.text));
       filter(o, "wckey", v.text);
       return Status();
     }},
    {"help", 0, Arg::none, "", "", "show this help"},
    {"usage", 0, Arg::none, "", "", "show every option in a few lines"},
};

bool is_task_part(std::string_view text) {
  if (text.starts_with('[') != text.ends_with(']')) return false;
  return parse_array_spec(text, UINT32_MAX).has_value();
}

}  // namespace

bool is_job_operand(std::string_view text) {
  if (size_t dot = text.find('.'); dot != std::string_view::npos) {
    if (!parse_uint(text.substr(dot + 1), UINT32_MAX)) return false;
    text = text.substr(0, dot);
  }
  // "7+1" is a part of a heterogeneous job. There is none, which the service says.
  if (size_t plus = text.find('+'); plus != std::string_view::npos) {
    const std::string_view part = text.substr(plus + 1);
    if (!part.empty() && !parse_uint(part, UINT32_MAX)) return false;
    text = text.substr(0, plus);
  }
  size_t underscore = text.find('_');
  if (underscore != std::string_view::npos && !is_task_part(text.substr(underscore + 1)))
    return false;
  auto id = parse_uint(text.substr(0, underscore), UINT32_MAX);
  return id && *id > 0;
}

std::optional<int> read_scancel_options(int argc, char** argv, ScancelOptions& options) {
  Report report("scancel");
  Parsed parsed = read_options(kScancel, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  if (!options.complaint.empty()) {
    std::fputs(options.complaint.c_str(), stderr);
    return 1;
  }
  if (options.quiet && options.verbose) {
    report.error("don't specify both --verbose (-v) and --quiet (-Q)");
    return 1;
  }
  for (int i = parsed.first_operand; i < argc; ++i) {
    // A script whose variable is empty must not be told that nothing was wrong.
    const std::vector<std::string_view> ids = split_words(argv[i], " ");
    if (ids.empty()) {
      report.error(fmt::format("Invalid job id {}", argv[i]));
      return 1;
    }
    for (std::string_view id : ids) {
      if (!is_job_operand(id)) {
        report.error(fmt::format("Invalid job id {}", id));
        return 1;
      }
      options.request.add_job_ids(std::string(id));
    }
  }
  options.request.set_filtered(options.request.job_ids().empty());
  if (options.request.filtered() && options.filters.empty()) {
    report.error("No job identification provided");
    return 1;
  }
  return std::nullopt;
}

OptionTable scancel_table() {
  return {kScancel, bare_options(kOptions)};
}

}  // namespace grappe
