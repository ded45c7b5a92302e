#include "cli/simulate/simulate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "base/duration.h"
#include "base/text.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "sim/generator.h"
#include "sim/policies.h"
#include "sim/trace.h"

namespace grappe {
namespace {

constexpr const char* kUsualMachine = "16x64:gpu=8";

// Draws how far the run has come each time another hundredth of the jobs has been asked for.
class CountedSource : public sim::Source {
 public:
  CountedSource(sim::Source& jobs, uint64_t total, std::string_view name, bool shown)
      : jobs_(jobs), total_(total), name_(name), shown_(shown) {}
  ~CountedSource() override {
    if (shown_) std::fputs("\r\033[K", stderr);
  }

  std::optional<sim::TraceJob> next() override {
    uint64_t before = asked_ * 100 / total_, now = ++asked_ * 100 / total_;
    if (shown_ && (now != before || asked_ == 1) && now <= 100) draw(now);
    return jobs_.next();
  }

 private:
  void draw(uint64_t percent) const {
    std::string bar(percent / 4, '#');
    std::string line = fmt::format("\r{:<20.20} [{:<25}] {:3} %", name_, bar, percent);
    std::fputs(line.c_str(), stderr);
  }

  sim::Source& jobs_;
  uint64_t total_;
  std::string_view name_;
  bool shown_;
  uint64_t asked_ = 0;
};

Result<sim::Machine> machine_for(const SimulateOptions& options, const sim::Workload& workload) {
  if (!options.machine.empty()) return sim::parse_machine(options.machine);
  const sim::WorkloadFacts& facts = workload.facts();
  if (facts.most_gpus == 0 && facts.machine_cpus) {
    return sim::Machine{{{1, facts.machine_cpus}}};
  }
  return fail(fmt::format(
      "{} does not say what machine it comes from: give --machine, such as {} "
      "(its largest job has {} CPUs and {} GPUs)",
      options.trace, facts.most_gpus ? "8x64:gpu=8" : "128", facts.most_cpus, facts.most_gpus));
}

struct Prepared {
  std::unique_ptr<sim::Workload> workload;
  sim::Machine machine;
  std::string title;
};

Result<Prepared> prepare(const SimulateOptions& options) {
  Prepared out;
  if (options.generate) {
    auto machine = sim::parse_machine(options.machine.empty() ? kUsualMachine : options.machine);
    if (!machine) return tl::unexpected(machine.error());
    out.machine = *machine;
    sim::GeneratorOptions made;
    made.jobs = options.generate;
    made.seed = options.seed;
    made.load = options.load;
    out.workload = sim::generated(made, out.machine);
    out.title = fmt::format("{} made-up jobs, seed {}, load {}", made.jobs, made.seed, made.load);
    return out;
  }
  auto workload = sim::open_trace(options.trace);
  if (!workload) return tl::unexpected(workload.error());
  out.workload = std::move(*workload);
  auto machine = machine_for(options, *out.workload);
  if (!machine) return tl::unexpected(machine.error());
  out.machine = *machine;
  std::size_t folder = options.trace.rfind('/');
  out.title = options.trace.substr(folder == std::string::npos ? 0 : folder + 1);
  uint64_t left_out = out.workload->facts().left_out;
  if (left_out) out.title += fmt::format(", {} rows left out", left_out);
  return out;
}

Status write_page(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? Status() : fail_errno(path, errno);
}

sim::Run run_one(const Scenario& scenario, sim::Workload& workload, bool progress) {
  sim::Metrics metrics(scenario.trial.machine);
  sim::World world(scenario.trial, &metrics);
  auto jobs = workload.jobs();
  CountedSource counted(*jobs, workload.facts().jobs, scenario.name, progress);
  sim::replay(world, counted);
  return {scenario.name, scenario.trial.machine, metrics.figures()};
}

}  // namespace

Status apply_what_if(const std::string& text, sim::Trial& trial) {
  for (std::string_view change : split(text, ',')) {
    std::size_t equals = std::min(change.find('='), change.size());
    std::string_view key = change.substr(0, equals);
    std::string_view value = change.substr(std::min(equals + 1, change.size()));
    if (key == "add" || key == "machine") {
      auto machine = sim::parse_machine(value);
      if (!machine) return tl::unexpected(machine.error());
      if (key == "machine") trial.machine.groups.clear();
      trial.machine.groups.insert(trial.machine.groups.end(), machine->groups.begin(),
                                  machine->groups.end());
    } else if (key == "max-time") {
      auto seconds = parse_duration(value);
      if (!seconds || *seconds == 0) {
        return fail(fmt::format("'{}' is not a time limit", value));
      }
      trial.max_time = *seconds == kInfinite ? sim::kForever : sim::Time{*seconds};
    } else {
      return fail(
          fmt::format("'{}' is not a change: use add=MACHINE, machine=MACHINE or "
                      "max-time=TIME",
                      change));
    }
  }
  return {};
}

Result<std::vector<Scenario>> scenarios_of(const SimulateOptions& options,
                                           const sim::Machine& machine) {
  std::vector<std::string> changes = {""};
  changes.insert(changes.end(), options.what_ifs.begin(), options.what_ifs.end());
  std::vector<Scenario> out;
  for (const std::string& name : options.policies) {
    const sim::PolicyRow* row = sim::find_policy(name);
    if (!row) {
      std::vector<std::string> names;
      for (const sim::PolicyRow& known : sim::policies()) names.emplace_back(known.name);
      return fail(fmt::format("'{}' is not a policy: {}", name, join(names, ", ")));
    }
    for (const std::string& change : changes) {
      Scenario scenario{change.empty() ? name : name + ", " + change, {machine, row->policy}};
      if (!change.empty()) {
        Status applied = apply_what_if(change, scenario.trial);
        if (!applied) return tl::unexpected(applied.error());
      }
      out.push_back(std::move(scenario));
    }
  }
  return out;
}

int simulate(const SimulateOptions& options) {
  Report report("grappe");
  auto prepared = prepare(options);
  if (!prepared) {
    report.error(prepared.error());
    return 1;
  }
  auto scenarios = scenarios_of(options, prepared->machine);
  if (!scenarios) {
    report.error(scenarios.error());
    return 1;
  }
  bool progress = options.progress && isatty(STDERR_FILENO);
  sim::Comparison comparison{prepared->title, &prepared->workload->people(), {}};
  for (const Scenario& scenario : *scenarios) {
    comparison.runs.push_back(run_one(scenario, *prepared->workload, progress));
  }
  Output().text() += sim::text_report(comparison);
  if (options.html.empty()) return 0;
  if (Status written = write_page(options.html, sim::html_report(comparison)); !written) {
    report.error(written.error());
    return 1;
  }
  return 0;
}

}  // namespace grappe
