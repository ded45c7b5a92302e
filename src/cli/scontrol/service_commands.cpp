// Sub-commands about the service itself, and those that have nothing to act on here.
#include <fmt/core.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cluster_name.h"
#include "cli/options/option_table.h"
#include "cli/scontrol/keywords.h"
#include "grappe/v1/cluster.pb.h"
#include "model/slurm_error.h"

namespace grappe::scontrol {

void ping(Session& session, Words) {
  auto pong = session.calls.call<v1::PingResponse>("Cluster/Ping", v1::Empty());
  if (pong) return session.say(fmt::format("Slurmctld(primary) at {} is UP\n", pong->host()));
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  session.say(fmt::format("Slurmctld(primary) at {} is DOWN\n", host));
  session.exit_code = 1;
}

void reconfigure(Session& session, Words) {
  auto done = session.calls.call<v1::ReconfigureResponse>("Cluster/Reconfigure", v1::Empty());
  if (!done) return session.failed("slurm_reconfigure error", done.error());
  for (const std::string& warning : done->warnings()) {
    if (!session.quiet) std::fputs(("scontrol: warning: " + warning + "\n").c_str(), stderr);
  }
}

void errnumstr(Session& session, Words words) {
  auto number = parse_int(words[1], 0, INT32_MAX);
  if (!number) return session.complain("numeric arguments required for keyword:" + words[0]);
  session.say((*number == 0 ? "No error" : slurm_error_text(static_cast<int>(*number))) + "\n");
}

void cluster(Session& session, Words words) {
  if (words.size() < 2) return;
  Status known = check_cluster_name(session.calls, words[1]);
  if (known) return;
  for (const std::string& note : known.error().notes) session.error(note);
  session.error(known.error().message);
}

void version(Session& session, Words) {
  session.say(std::string(version_line()) + "\n");
}

// Stopping a service is its manager's work: it would start it again.
void stop_service(Session& session, Words words) {
  bool shutdown = abbreviates(words[0], "shutdown", 8);
  bool known = words.size() < 2 || abbreviates(words[1], "slurmctld", 5) ||
               abbreviates(words[1], "controller", 3);
  if (shutdown && !known) return session.complain("invalid shutdown argument:" + words[1]);
  session.complain(
      "slurm_shutdown error: not supported: stop the service where it was started (./run --stop, "
      "systemctl stop); running jobs go on");
}

void takeover(Session& session, Words words) {
  auto index = words.size() > 1 ? parse_uint(words[1], UINT32_MAX) : std::optional<uint64_t>(1);
  session.complain(
      fmt::format("takeover: invalid backup controller index ({}): there is no backup "
                  "controller",
                  index.value_or(0)));
}

namespace {

// What Slurm would say of the value, empty if it would take it.
std::string debug_objection(Words words) {
  const std::string& value = words[1];
  if (abbreviates(words[0], "schedloglevel", 3)) {
    bool known =
        value == "0" || value == "1" || iequals(value, "disable") || iequals(value, "enable");
    return known ? "" : "invalid schedlog level: " + value;
  }
  if (abbreviates(words[0], "setdebugflags", 9)) return "";
  static constexpr std::string_view kLevels[] = {"quiet", "fatal",  "error",  "info",   "verbose",
                                                 "debug", "debug2", "debug3", "debug4", "debug5"};
  for (std::string_view level : kLevels) {
    if (iequals(value, level)) return "";
  }
  return parse_uint(value, std::size(kLevels) - 1) ? "" : "invalid debug level: " + value;
}

}  // namespace

void set_debug(Session& session, Words words) {
  if (std::string text = debug_objection(words); !text.empty()) return session.complain(text);
  session.complain(fmt::format(
      "{} is not supported: set SlurmctldDebug in the configuration and run scontrol reconfigure",
      words[0]));
}

void dampening(Session& session, Words words) {
  if (!parse_uint(words[1], UINT16_MAX)) {
    // Slurm's exit code is 0 here.
    int before = session.exit_code;
    session.complain("invalid dampening factor: " + words[1]);
    session.exit_code = before;
    return;
  }
  session.complain(
      "slurm_set_fs_dampeningfactor error: not supported: set FairShareDampeningFactor in the "
      "configuration and run scontrol reconfigure");
}

void token(Session& session, Words words) {
  for (const std::string& word : words.subspan(1)) {
    if (!istarts_with(word, "lifespan=") && !istarts_with(word, "username="))
      return session.complain(fmt::format("Invalid option: `{}`", word));
  }
  session.complain(
      "Failed to fetch token: not supported: commands are known by the kernel (who runs them), and "
      "the portal gives out keys for its API");
}

void reboot(Session& session, Words words) {
  for (const std::string& word : words.subspan(1)) {
    if (!istarts_with(word, "nextstate=")) continue;
    std::string state = word.substr(10);
    if (iequals(state, "down") || iequals(state, "resume")) continue;
    session.complain("Invalid state: " + state);
    return session.complain("Valid states: DOWN, RESUME");
  }
  session.error("RebootProgram isn't defined");
  session.complain("scontrol_reboot_nodes error: Unspecified error");
}

void cancel_reboot(Session& session, Words words) {
  v1::UpdateNodeRequest request;
  request.set_nodes(words[1]);
  request.set_state("CANCEL_REBOOT");
  auto done = session.calls.call<v1::Empty>("Cluster/UpdateNode", request);
  if (!done) session.failed("slurm_update error", done.error());
}

}  // namespace grappe::scontrol
