// Looking at running steps, by the clock and for whoever asks.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "embedded/core.h"
#include "grappe/v1/history.pb.h"

namespace grappe::embedded {

// Memory is watched as often as the site says: a job or step with a limit of it may not be looked
// at more rarely. `text`: of --acctg-freq.
Status check_frequency(const Cluster& cluster, std::string_view text, bool limited);

// The step runs, or was found running after a restart.
void begin_metering(Core& core, const Step& step);
// It has ended: what is known of it goes into its record.
void end_metering(Core& core, Step& step, const exec::StepUsage& usage);

// Asks the executor for all that are due, in one request; returns when the next are (seconds).
int64_t sample_due_steps(Core& core);
void on_steps_measured(Core& core, const exec::StepsMeasured& measured);
void on_gpus_measured(Core& core, const exec::GpusMeasured& measured);

// Steps whose figures on disk are old join a commit that is made anyway.
void add_old_figures(Core& core, Changes& changes);

// sstat. Figures that are not fresh are measured first.
void on_step_use(Core& core, const Caller& caller, v1::StepUseRequest request,
                 Reply<v1::StepUseResponse> reply);

// Where the tasks that a use names are.
void add_nodes_of_tasks(const Step& step, v1::StepUse* use);

// The samples of a job's steps: those that run, and all (on any thread). `only_uid`: a user who
// may see no others' jobs.
std::map<uint32_t, v1::StepSamples> running_samples(const Core& core,
                                                    const v1::SamplesRequest& request);
Result<v1::SamplesResponse> samples_of(Store& store, const v1::SamplesRequest& request,
                                       std::map<uint32_t, v1::StepSamples> running,
                                       std::optional<uid_t> only_uid);

}  // namespace grappe::embedded
