#include "daemon/daemon.h"

#include <fmt/core.h>
#include <malloc.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "api/router.h"
#include "base/datetime.h"
#include "base/log.h"
#include "base/process_stat.h"
#include "daemon/config/load.h"
#include "daemon/config/site_file.h"
#include "daemon/options.h"
#include "embedded/embedded_engine.h"
#include "exec/launcher_client.h"
#include "http/server.h"
#include "model/config_show.h"

namespace grappe {
namespace {

std::string short_host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  std::string host = name;
  return host.substr(0, host.find('.'));
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

std::string account_name(uid_t uid) {
  const passwd* entry = getpwuid(uid);
  return entry ? entry->pw_name : "";
}

std::string account_text(uid_t uid) {
  const std::string name = account_name(uid);
  return fmt::format("{}({})", name.empty() ? "?" : name, uid);
}

int64_t wall_clock_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// SlurmctldLogFile and SlurmctldDebug. A file that cannot be opened leaves the log where it is.
void set_log(const ServiceConfig& service, const DaemonOptions& options) {
  static constexpr std::string_view kQuiet[] = {"quiet", "fatal", "error"};
  const bool quiet =
      std::find(std::begin(kQuiet), std::end(kQuiet), service.slurmctld_debug) != std::end(kQuiet);
  const bool detailed = options.verbose || (!quiet && service.slurmctld_debug != "info");
  set_log_level(detailed ? LogLevel::kDebug : quiet ? LogLevel::kError : LogLevel::kInfo);
  if (service.slurmctld_log_file.empty()) return;
  if (Status opened = open_log_file(service.slurmctld_log_file); !opened) {
    log_warn("configuration: SlurmctldLogFile: {}", opened.error().message);
  }
}

Result<embedded::Cluster> load_cluster(const DaemonOptions& options, SiteFile& site,
                                       std::vector<std::string>& warnings) {
  std::string host = short_host_name();
  DetectOptions detect;
  detect.root = options.hardware_root;
  auto loaded = load_config(options.conf_dir, detect_hardware(detect), host);
  if (!loaded) return tl::unexpected(loaded.error());
  auto site_file = load_site_file(options.conf_dir);
  if (!site_file) return tl::unexpected(site_file.error());
  site = std::move(*site_file);
  set_log(loaded->cluster.service, options);
  for (const std::string& warning : loaded->warnings) {
    log_warn("configuration: {}", warning);
    warnings.push_back(warning);
  }
  embedded::Cluster cluster = embedded::make_cluster(*loaded);
  cluster.host = host;
  cluster.boot_id = boot_id();
  return cluster;
}

ConfigFacts facts_of(const DaemonOptions& options, const embedded::Cluster& cluster) {
  ConfigFacts facts;
  facts.boot_time = format_datetime(wall_clock_ms() / 1000);
  facts.node_count = static_cast<uint32_t>(cluster.nodes.size());
  facts.conf_path =
      options.conf_dir.empty() ? "/etc/slurm/slurm.conf" : options.conf_dir + "/slurm.conf";
  facts.slurm_user = account_text(getuid());
  facts.launcher_user = options.personal ? account_text(getuid()) : "root(0)";
  facts.state_dir = options.state_dir;
  facts.host = cluster.host;
  return facts;
}

void add_settings(const std::vector<std::pair<std::string, std::string>>& lines,
                  google::protobuf::RepeatedPtrField<v1::Setting>* out) {
  for (const auto& [key, value] : lines) {
    v1::Setting& setting = *out->Add();
    setting.set_key(key);
    setting.set_value(value);
  }
}

embedded::Site site_of(const DaemonOptions& options) {
  embedded::Site site;
  site.socket = std::filesystem::absolute(options.socket);
  if (!options.conf_dir.empty()) {
    site.conf = std::filesystem::absolute(options.conf_dir) / "slurm.conf";
  }
  site.personal = options.personal;
  site.owner = getuid();
  site.owner_name = account_name(site.owner);
  site.state_dir = options.state_dir;
  site.process_start = [](uint32_t pid) {
    const auto stat = read_process_stat(pid);
    return stat ? stat->start : 0;
  };
  if (!options.tmp_root.empty()) site.tmp_roots.push_back(options.tmp_root);
  return site;
}

// The launcher gives us a socket that outlives us, so that nobody is refused while we are started
// again; without one we make our own.
Status listen(http::Server& server, const std::string& path) {
  const char* inherited = std::getenv("GRAPPE_SERVICE_FD");
  if (!inherited) return server.listen_unix(path, 0666);
  return server.listen_fd(UniqueFd(std::atoi(inherited)));
}

void serve(http::Server& server, api::Router& router) {
  server.start([&router](http::Request in, http::Reply reply) {
    api::Request request{.path = std::move(in.path),
                         .content_type = std::move(in.content_type),
                         .body = std::move(in.body),
                         .uid = in.peer.uid,
                         .gid = in.peer.gid,
                         .pid = in.peer.pid,
                         .token = std::string(in.header("Idempotency-Key"))};
    router.handle(std::move(request), [reply = std::move(reply)](api::Response out) {
      reply({.status = out.status,
             .content_type = std::move(out.content_type),
             .body = std::move(out.body)});
    });
  });
}

void wait_for_end(Engine& engine, const sigset_t& signals) {
  for (;;) {
    int number = 0;
    sigwait(&signals, &number);
    if (number != SIGHUP) {
      log_info("ending on signal {}", number);
      return;
    }
    engine.reconfigure(Caller{.is_operator = true}, v1::Empty{},
                       [](Result<v1::ReconfigureResponse> done) {
                         if (!done) log_error("configuration: {}", done.error().message);
                       });
  }
}

// The command line's, else that of grappe.toml, else a file beside the rest of the state.
std::string database_of(const DaemonOptions& options, const SiteFile& site) {
  if (!options.database.empty()) return options.database;
  return site.database.empty() ? options.state_dir + "/grappe.db" : site.database;
}

// Fails when it can't start, with a sentence for the operator.
Status run_daemon(const DaemonOptions& options, const sigset_t& signals, const DaemonSeams& seams) {
  std::vector<std::string> warnings;
  SiteFile site;
  auto cluster = load_cluster(options, site, warnings);
  if (!cluster) return tl::unexpected(cluster.error());
  auto store = open_sql_store(database_of(options, site));
  if (!store) return tl::unexpected(store.error());
  if (seams.store) *store = seams.store(std::move(*store));
  auto launcher = exec::LauncherExecutor::from_environment();
  if (!launcher) return tl::unexpected(launcher.error());
  if (!options.gpu_library.empty()) (*launcher)->set_gpu_library(options.gpu_library);
  std::unique_ptr<exec::Executor> executor = std::move(*launcher);
  if (seams.executor) executor = seams.executor(std::move(executor));

  embedded::Parts parts{**store, *executor, site_of(options), *cluster, wall_clock_ms, {}, {}};
  // Both are called by the engine's thread.
  parts.reload = [&options, &site](std::vector<std::string>& out) {
    const std::string database = site.database;
    auto loaded = load_cluster(options, site, out);
    if (site.database != database) {
      out.push_back("grappe.toml: another database is used from the next start on");
    }
    return loaded;
  };
  parts.show_config = [&options, &site](const embedded::Cluster& now, v1::ConfigResponse& out) {
    add_settings(show_config(now.config, facts_of(options, now)), out.mutable_settings());
    add_settings(show_cgroup_config(now.config.cgroup), out.mutable_cgroup());
    out.mutable_aliases()->insert(site.aliases.begin(), site.aliases.end());
  };
  auto engine = embedded::EmbeddedEngine::open(std::move(parts));
  if (!engine) return tl::unexpected(engine.error());

  ServiceRules rules;
  rules.owner = getuid();
  rules.personal = options.personal;
  rules.max_script_bytes = cluster->config.scheduling.parameters.max_script_size;
  Service service(**engine, rules);
  api::Router router(service);
  http::Server server;
  if (Status bound = listen(server, options.socket); !bound) return bound;
  (*engine)->start();
  serve(server, router);
  log_info("serving {}", options.socket);
  wait_for_end(**engine, signals);
  server.stop();
  (*engine)->stop();
  return {};
}

// Each thread keeps what it has freed, as much as its largest answer or plan needed, unless the
// limits of this are fixed: a few megabytes for each of a dozen.
void give_memory_back() {
  constexpr int kKept = 512 * 1024;
  mallopt(M_MMAP_THRESHOLD, kKept);
  mallopt(M_TRIM_THRESHOLD, kKept);
}

}  // namespace

int daemon_main(int argc, char** argv, const DaemonSeams& seams) {
  auto options = parse_daemon_options(argc, argv);
  if (!options) {
    std::fprintf(stderr, "grapped: %s\n", options.error().message.c_str());
    return kDoNotRestart;
  }
  umask(077);  // the scripts and environments of all users are in the database
  give_memory_back();
  if (!options->log_file.empty()) {
    if (Status opened = open_log_file(options->log_file); !opened) {
      std::fprintf(stderr, "grapped: %s\n", opened.error().message.c_str());
    }
  }
  if (options->verbose) set_log_level(LogLevel::kDebug);
  // Before any thread starts, so that none of them takes these signals.
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);

  Status done = run_daemon(*options, signals, seams);
  if (!done) {
    log_error("{}", done.error().message);
    std::fprintf(stderr, "grapped: %s\n", done.error().message.c_str());
    return kDoNotRestart;
  }
  return 0;
}

}  // namespace grappe
