#include "cli/squeue/step_fields.h"

#include "base/duration.h"
#include "cli/squeue/job_values.h"
#include "model/job_state.h"

namespace grappe {

void append_step_id(std::string& out, const v1::StepInfo& step) {
  if (step.array_job_id()) {
    job_values::number(out, step.array_job_id());
    out += '_';
    job_values::number(out, step.array_task_id());
  } else {
    job_values::number(out, step.job_id());
  }
  out += '.';
  out += step.step_id();
}

namespace {

using job_values::minutes;
using job_values::number;
using job_values::number_or_na;
using job_values::text_or;
using job_values::text_or_null;
using job_values::time_or_na;

using Out = std::string;
using Row = StepRow;
using Ctx = JobContext;

void time_limit(Out& o, const Row& r, const Ctx&) {
  minutes(o, r.step->time_limit() ? r.step->time_limit() : kInfinite);
}

void time_used(Out& o, const Row& r, const Ctx& c) {
  int64_t end = r.step->end_time() && r.step->end_time() < c.now ? r.step->end_time() : c.now;
  o += format_duration_short(end - r.step->start_time());
}

// A step that runs says so; one that is recorded as ended says how.
void state(Out& o, const Row& r, const Ctx&) {
  o += job_state_name(r.step->state());
}

#define TEXT(member) [](Out& o, const Row& r, const Ctx&) { o += r.step->member(); }
#define TEXT_OR_NULL(member) \
  [](Out& o, const Row& r, const Ctx&) { text_or_null(o, r.step->member()); }
#define NUMBER(member) [](Out& o, const Row& r, const Ctx&) { number(o, r.step->member()); }

constexpr StepField kFields[] = {
    {'b', "tres-per-node", "TRES_PER_JOB", TEXT_OR_NULL(gres)},
    {0, "gres", "TRES_PER_JOB", TEXT_OR_NULL(gres)},
    {'i', "stepid", "STEPID", [](Out& o, const Row& r, const Ctx&) { append_step_id(o, *r.step); }},
    {'j', "stepname", "NAME", TEXT(name)},
    {'l', "timelimit", "TIME_LIMIT", time_limit},
    {'u', "username", "USER", TEXT(user)},
    {'A', "numtasks", "TASKS", NUMBER(num_tasks)},
    {'M', "timeused", "TIME", time_used, 0, nullptr, Cut::kTitle},
    {'N', "nodes", "NODELIST", TEXT(nodes), 0, nullptr, Cut::kLeftOnly},
    {'P', "partition", "PARTITION", TEXT(partition)},
    {'S', "starttime", "START_TIME",
     [](Out& o, const Row& r, const Ctx& c) { time_or_na(o, c, r.step->start_time()); }},
    {'U', "userid", "UID", NUMBER(uid)},
    {0, "arrayjobid", "ARRAY_JOB_ID", NUMBER(array_job_id)},
    {0, "arraytaskid", "ARRAY_TASK_ID",
     [](Out& o, const Row& r, const Ctx&) {
       number_or_na(o, r.step->has_array_task_id(), r.step->array_task_id());
     }},
    {0, "cluster", "CLUSTER", [](Out& o, const Row& r, const Ctx&) { text_or_null(o, r.cluster); }},
    {0, "container", "CONTAINER", TEXT_OR_NULL(container)},
    {0, "cpufreq", "CPU_FREQ",
     [](Out& o, const Row& r, const Ctx&) {
       text_or(o, r.step->cpu_freq(), "Unknown-Unknown:Unknown");
     }},
    {0, "cpus-per-tres", "CPUS_PER_TRES", TEXT_OR_NULL(cpus_per_tres)},
    {0, "jobid", "JOB_ID", NUMBER(job_id)},
    {0, "mem-per-tres", "MEM_PER_TRES", TEXT_OR_NULL(mem_per_tres)},
    {0, "network", "NETWORK", TEXT_OR_NULL(network)},
    {0, "numcpus", "NUM_CPUS", NUMBER(num_cpus)},
    {0, "resvports", "RESERVED_PORTS", TEXT_OR_NULL(resv_ports)},
    {0, "stepstate", "STATE", state},
    {0, "tres-bind", "TRES_BIND", TEXT_OR_NULL(tres_bind)},
    {0, "tres-freq", "TRES_FREQ", TEXT_OR_NULL(tres_freq)},
    {0, "tres-per-job", "TRES_PER_STEP", TEXT_OR_NULL(tres_per_step)},
    {0, "tres-per-socket", "TRES_PER_SOCKET", TEXT_OR_NULL(tres_per_socket)},
    {0, "tres-per-step", "TRES_PER_STEP", TEXT_OR_NULL(tres_per_step)},
    {0, "tres-per-task", "TRES_PER_TASK", TEXT_OR_NULL(tres_per_task)},
};

}  // namespace

std::span<const StepField> step_fields() {
  return kFields;
}

}  // namespace grappe
