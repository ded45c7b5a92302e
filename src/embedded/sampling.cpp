#include "embedded/sampling.h"

#include <algorithm>

#include "base/text.h"
#include "embedded/cancel.h"
#include "embedded/view.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

constexpr int64_t kNoLook = INT64_MAX / 2000;
constexpr int64_t kFreshMs = 1000;    // whoever asks more often gets the same figures
constexpr int64_t kOldFigures = 600;  // seconds: what a crash of the service may cost

// "30", "task=10,energy=60": of --acctg-freq.
std::optional<uint32_t> task_frequency(std::string_view text) {
  for (std::string_view word : split_words(text, ",")) {
    const size_t equals = word.find('=');
    const bool named = equals != std::string_view::npos;
    if (named && !iequals(word.substr(0, equals), "task")) continue;
    const auto seconds = parse_uint(named ? word.substr(equals + 1) : word, INT32_MAX);
    if (seconds) return static_cast<uint32_t>(*seconds);
  }
  return std::nullopt;
}

uint32_t interval_of(const Core& core, const Job& job, const Step& step) {
  const AccountingConfig& site = core.state.cluster.config.accounting;
  if (site.gather_type == "jobacct_gather/none") return 0;
  std::optional<uint32_t> asked;
  if (step.spec) asked = task_frequency(step.spec->acctg_freq());
  if (!asked) asked = task_frequency(job.spec->acctg_freq());
  return asked.value_or(site.gather_task_s);
}

// The same moments for all steps of an interval, so that one look serves them.
int64_t next_look(int64_t now, uint32_t interval_s) {
  return interval_s ? (now / interval_s + 1) * interval_s : kNoLook;
}

// "/dev/nvidia3" is 3: how a driver names the device.
std::optional<uint32_t> minor_of(const std::string& path) {
  const size_t digits = path.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits == path.size() || path.find("nvidia") == std::string::npos) {
    return std::nullopt;
  }
  const auto number = parse_uint(std::string_view(path).substr(digits), UINT32_MAX);
  return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

std::set<uint32_t> gpus_of(const Core& core, const Step& step) {
  std::set<uint32_t> minors;
  for (const NodeAllocation& share : step.allocation) {
    const auto& devices = core.state.cluster.nodes.at(share.node).machine.devices;
    for (const GresAllocation& gres : share.gres) {
      if (gres.name != "gpu") continue;
      for (const MachineDevice& device : devices) {
        const bool has = device.name == "gpu" && std::find(gres.indexes.begin(), gres.indexes.end(),
                                                           device.index) != gres.indexes.end();
        if (const auto minor = has ? minor_of(device.path) : std::nullopt) minors.insert(*minor);
      }
    }
  }
  return minors;
}

bool still_runs(const Core& core, const exec::StepKey& key) {
  const StepPtr step = core.state.find_step(key.job_id, key.step_id);
  return step && step->restart == key.restart && !step->end_time;
}

// A script that has started steps leaves its GPUs to them.
bool leaves_gpus_to_steps(const Core& core, const exec::StepKey& key) {
  if (key.step_id != exec::kBatchStep) return false;
  const auto& steps = core.meters.steps;
  auto other = steps.lower_bound({key.job_id, 0, 0});
  for (; other != steps.end() && other->first.job_id == key.job_id; ++other) {
    if (other->first != key && !other->second.gpus.empty()) return true;
  }
  return false;
}

using UseAnswer = v1::StepUseAnswer;

// The steps that a wish means, the script first. Of others' jobs it is told which they are.
std::vector<StepPtr> meant_steps(const Core& core, const Caller& caller, const v1::StepWish& wish,
                                 bool all_steps, UseAnswer::Outcome& outcome) {
  std::vector<StepPtr> found;
  const Job* job = core.state.find(wish.job_id());
  const bool denied = job && !may_change(caller, *job);
  if (!job || (denied && core.state.cluster.config.service.private_data.jobs)) {
    outcome = UseAnswer::NO_JOB;
    return found;
  }
  for (const StepPtr& step : core.state.steps_of(wish.job_id())) {
    if (step->end_time) continue;
    const bool numbered = step->step_id < exec::kInteractiveStep;
    if (!wish.step_id().empty()) {
      if (step_name(step->step_id) == wish.step_id()) found.push_back(step);
    } else if (all_steps || (numbered && found.empty())) {
      found.push_back(step);
    }
  }
  std::stable_partition(found.begin(), found.end(), [](const StepPtr& step) {
    return step->step_id >= exec::kInteractiveStep;
  });
  if (found.empty()) {
    outcome = wish.step_id().empty() ? UseAnswer::NO_STEPS : UseAnswer::NO_STEP;
  } else {
    outcome = denied ? UseAnswer::DENIED : UseAnswer::FOUND;
  }
  return found;
}

void fill_running(const Core& core, const Step& step, UseAnswer::Outcome outcome,
                  v1::RunningStep* out) {
  out->set_job_id(step.job_id);
  out->set_step_id(step_name(step.step_id));
  out->set_nodes(step.nodes);
  if (outcome != UseAnswer::FOUND) return;
  out->set_num_tasks(step.tasks);
  if (step.spec) out->set_cpu_freq(step.spec->cpu_freq());
  const auto meter = core.meters.steps.find(key_of(step));
  if (meter == core.meters.steps.end()) return;
  *out->mutable_use() = meter->second.use();
  add_nodes_of_tasks(step, out->mutable_use());
  out->mutable_pids()->Assign(meter->second.pids.begin(), meter->second.pids.end());
}

v1::StepUseResponse answer_use(const Core& core, const Caller& caller,
                               const v1::StepUseRequest& request) {
  v1::StepUseResponse response;
  for (const v1::StepWish& wish : request.steps()) {
    UseAnswer& answer = *response.add_answers();
    UseAnswer::Outcome outcome = UseAnswer::FOUND;
    for (const StepPtr& step : meant_steps(core, caller, wish, request.all_steps(), outcome)) {
      fill_running(core, *step, outcome, answer.add_steps());
    }
    answer.set_outcome(outcome);
  }
  return response;
}

v1::StepSamples samples_message(uint32_t step_id, const UseSeries& series) {
  v1::StepSamples out;
  out.set_step_id(step_name(step_id));
  for (const UsePoint& point : series.points()) {
    out.add_time(point.time);
    out.add_cpu_ms(point.cpu_ms);
    out.add_rss(point.rss_kb * 1024);
    out.add_read(point.read_kb * 1024);
    out.add_written(point.written_kb * 1024);
    out.add_processes(static_cast<uint32_t>(point.processes));
    out.add_gpu_percent(static_cast<uint32_t>(point.gpu_percent));
    out.add_gpu_memory(point.gpu_memory_kb * 1024);
  }
  return out;
}

bool wants_step(const v1::SamplesRequest& request, uint32_t step_id) {
  return request.step_id().empty() || request.step_id() == step_name(step_id);
}

}  // namespace

Status check_frequency(const Cluster& cluster, std::string_view text, bool limited) {
  const AccountingConfig& site = cluster.config.accounting;
  const auto asked = task_frequency(text);
  if (!asked || !limited || !site.gather_task_s || site.gather_type == "jobacct_gather/none") {
    return {};
  }
  if (*asked == 0 || *asked > site.gather_task_s) return slurm_fail(kErrInvalidAcctFreq);
  return {};
}

void begin_metering(Core& core, const Step& step) {
  Meters& meters = core.meters;
  const auto [place, is_new] = meters.steps.try_emplace(key_of(step), step);
  if (!is_new) return;
  StepMeter& meter = place->second;
  meter.interval_s = interval_of(core, *core.state.find(step.job_id), step);
  meter.due = next_look(core.now, meter.interval_s);
  meter.saved = core.now;
  meter.gpus = gpus_of(core, step);
  if (meters.steps.size() == 1) meters.due = meters.save_due = kNoLook;
  meters.due = std::min(meters.due, meter.due);
  meters.save_due = std::min(meters.save_due, core.now + kOldFigures);
}

void end_metering(Core& core, Step& step, const exec::StepUsage& usage) {
  auto known = core.meters.steps.extract(key_of(step));
  // An end that was reported to a service that had not heard of the start.
  StepMeter meter = known ? std::move(known.mapped()) : StepMeter(step);
  meter.finish(usage);
  meter.save(step);
}

int64_t sample_due_steps(Core& core) {
  Meters& meters = core.meters;
  if (meters.steps.empty() || !core.executor_ready) return kNoLook;
  if (core.now < meters.due) return meters.due;
  std::vector<exec::StepKey> keys;
  bool gpus = false;
  meters.due = kNoLook;
  std::erase_if(meters.steps, [&](const auto& entry) { return !still_runs(core, entry.first); });
  for (auto& [key, meter] : meters.steps) {
    if (core.now >= meter.due) {
      keys.push_back(key);
      gpus = gpus || !meter.gpus.empty();
      meter.due = next_look(core.now, meter.interval_s);
    }
    meters.due = std::min(meters.due, meter.due);
  }
  // The GPUs first: their figures then stand in the same sample.
  if (gpus) core.executor.measure_gpus();
  if (!keys.empty()) core.executor.measure(++meters.requests, std::move(keys));
  return meters.due;
}

void on_steps_measured(Core& core, const exec::StepsMeasured& measured) {
  for (const exec::StepSample& sample : measured.steps) {
    const auto found = core.meters.steps.find(sample.key);
    if (found == core.meters.steps.end()) continue;
    found->second.add(sample, core.now);
    found->second.sampled_ms = core.now_ms;
  }
  const auto [first, last] = core.meters.waiters.equal_range(measured.request);
  for (auto it = first; it != last; ++it) {
    it->second.reply(answer_use(core, it->second.caller, it->second.request));
  }
  core.meters.waiters.erase(first, last);
}

void on_gpus_measured(Core& core, const exec::GpusMeasured& measured) {
  for (auto& [key, meter] : core.meters.steps) {
    if (meter.gpus.empty() || leaves_gpus_to_steps(core, key)) continue;
    meter.add_gpus(measured.gpus);
  }
}

void add_old_figures(Core& core, Changes& changes) {
  Meters& meters = core.meters;
  if (meters.steps.empty() || core.now < meters.save_due) return;
  meters.save_due = kNoLook;
  for (auto& [key, meter] : meters.steps) {
    if (core.now >= meter.saved + kOldFigures && still_runs(core, key)) {
      meter.saved = core.now;
      if (meter.sampled_ms) meter.save(core.state.edit_step(key.job_id, key.step_id));
    }
    meters.save_due = std::min(meters.save_due, meter.saved + kOldFigures);
  }
  Changes more = core.state.take_changes();
  changes.steps.insert(changes.steps.end(), more.steps.begin(), more.steps.end());
}

void on_step_use(Core& core, const Caller& caller, v1::StepUseRequest request,
                 Reply<v1::StepUseResponse> reply) {
  std::vector<exec::StepKey> keys;
  for (const v1::StepWish& wish : request.steps()) {
    UseAnswer::Outcome outcome = UseAnswer::FOUND;
    for (const StepPtr& step : meant_steps(core, caller, wish, request.all_steps(), outcome)) {
      const auto meter = core.meters.steps.find(key_of(*step));
      if (meter == core.meters.steps.end() || outcome != UseAnswer::FOUND) continue;
      if (core.now_ms - meter->second.sampled_ms >= kFreshMs) keys.push_back(meter->first);
    }
  }
  if (keys.empty() || !core.executor_ready) return reply(answer_use(core, caller, request));
  const uint64_t number = ++core.meters.requests;
  core.meters.waiters.emplace(number, UseWaiter{caller, std::move(request), std::move(reply)});
  core.executor.measure(number, std::move(keys));
}

void add_nodes_of_tasks(const Step& step, v1::StepUse* use) {
  for (const NodeAllocation& share : step.allocation) use->add_nodes(share.name);
  use->mutable_task_node()->Assign(step.task_node.begin(), step.task_node.end());
}

std::map<uint32_t, v1::StepSamples> running_samples(const Core& core,
                                                    const v1::SamplesRequest& request) {
  std::map<uint32_t, v1::StepSamples> out;
  const auto& steps = core.meters.steps;
  auto it = steps.lower_bound({request.job_id(), 0, 0});
  for (; it != steps.end() && it->first.job_id == request.job_id(); ++it) {
    const uint32_t step_id = it->first.step_id;
    if (wants_step(request, step_id)) out[step_id] = samples_message(step_id, it->second.series());
  }
  return out;
}

Result<v1::SamplesResponse> samples_of(Store& store, const v1::SamplesRequest& request,
                                       std::map<uint32_t, v1::StepSamples> running,
                                       std::optional<uid_t> only_uid) {
  auto found = store.history({.job_ids = {request.job_id()}, .samples = true});
  if (!found) return tl::unexpected(found.error());
  const JobHistory* last = nullptr;  // of its runs
  for (const JobHistory& run : *found) {
    if (run.job.id == request.job_id() && (!only_uid || run.job.uid == *only_uid)) last = &run;
  }
  if (!last) return slurm_fail(kErrInvalidJobId);
  for (const Step& step : last->steps) {
    if (!wants_step(request, step.step_id) || running.contains(step.step_id)) continue;
    const UseSeries series = step.series ? UseSeries::decode(*step.series) : UseSeries();
    running[step.step_id] = samples_message(step.step_id, series);
  }
  v1::SamplesResponse response;
  for (auto& [step_id, samples] : running) *response.add_steps() = std::move(samples);
  return response;
}

}  // namespace grappe::embedded
