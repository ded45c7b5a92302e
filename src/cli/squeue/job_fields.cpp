#include "cli/squeue/job_fields.h"

#include <algorithm>

#include "base/duration.h"
#include "cli/squeue/job_values.h"
#include "model/job_state.h"

namespace grappe {
namespace {

using job_values::count;
using job_values::flag;
using job_values::gpu_option;
using job_values::id;
using job_values::megabytes;
using job_values::minutes;
using job_values::named_file;
using job_values::number;
using job_values::number_or_na;
using job_values::number_or_star;
using job_values::per_gpu;
using job_values::priority_fraction;
using job_values::profile;
using job_values::reason;
using job_values::reason_or_nodes;
using job_values::task_id;
using job_values::text_or;
using job_values::text_or_null;
using job_values::time_left;
using job_values::time_or_na;

using Out = std::string;
using Row = JobRow;
using Ctx = JobContext;
constexpr unsigned kFull = kNeedsFullJob;

void nothing(Out&, const Row&, const Ctx&) {}
void not_applicable(Out& o, const Row&, const Ctx&) {
  o += "N/A";
}
void no_federation(Out& o, const Row&, const Ctx&) {
  o += "NA";
}
void null_text(Out& o, const Row&, const Ctx&) {
  o += "(null)";
}
void zero(Out& o, const Row&, const Ctx&) {
  o += '0';
}

void array_job_id(Out& o, const Row& r, const Ctx&) {
  number(o, r.job->array_job_id() ? r.job->array_job_id() : r.job->job_id());
}

void sockets(Out& o, const Row& r, const Ctx&) {
  number_or_star(o, r.job->spec().has_sockets_per_node(), r.job->spec().sockets_per_node());
}
void cores(Out& o, const Row& r, const Ctx&) {
  number_or_star(o, r.job->spec().has_cores_per_socket(), r.job->spec().cores_per_socket());
}
void threads(Out& o, const Row& r, const Ctx&) {
  number_or_star(o, r.job->spec().has_threads_per_core(), r.job->spec().threads_per_core());
}
void sockets_cores_threads(Out& o, const Row& r, const Ctx& c) {
  sockets(o, r, c);
  o += ':';
  cores(o, r, c);
  o += ':';
  threads(o, r, c);
}

void nice(Out& o, const Row& r, const Ctx&) {
  if (r.job->nice() < 0) o += '-';
  number(o, static_cast<uint64_t>(std::abs(int64_t{r.job->nice()})));
}

void pending_time(Out& o, const Row& r, const Ctx& c) {
  bool started = r.job->start_time() && r.job->start_time() <= c.now;
  int64_t until = started ? r.job->start_time() : c.now;
  number(o, static_cast<uint64_t>(std::max<int64_t>(until - r.job->submit_time(), 0)));
}

void tres(Out& o, const Row& r, const Ctx&) {
  const std::string& allocated = r.job->tres_alloc();
  text_or(o, allocated.empty() ? r.job->tres_req() : allocated, "N/A");
}

void max_nodes(Out& o, const Row& r, const Ctx& c) {
  count(o, c, r.job->max_nodes() ? r.job->max_nodes() : r.job->num_nodes());
}

void standard_output(Out& o, const Row& r, const Ctx&) {
  const std::string& given = r.job->spec().std_out();
  if (given.empty()) return text_or_null(o, r.job->std_out());
  o += named_file(*r.job, given);
}
void standard_error(Out& o, const Row& r, const Ctx& c) {
  const std::string& given = r.job->spec().std_err();
  if (given.empty()) return standard_output(o, r, c);
  o += named_file(*r.job, given);
}

// A wait(2) status, as the number it is; Slurm shows its own marks there as negative ones.
void status(Out& o, uint32_t code) {
  o += std::to_string(static_cast<int32_t>(code));
}

// The commonest shapes of a value.
#define TEXT(member) [](Out& o, const Row& r, const Ctx&) { o += r.job->member(); }
#define TEXT_OR_NULL(member) \
  [](Out& o, const Row& r, const Ctx&) { text_or_null(o, r.job->member()); }
#define TEXT_OR_NA(member) \
  [](Out& o, const Row& r, const Ctx&) { text_or(o, r.job->member(), "N/A"); }
#define SPEC_OR_NULL(member) \
  [](Out& o, const Row& r, const Ctx&) { text_or_null(o, r.job->spec().member()); }
#define NUMBER(member) [](Out& o, const Row& r, const Ctx&) { number(o, r.job->member()); }
#define SPEC_NUMBER(member) \
  [](Out& o, const Row& r, const Ctx&) { number(o, r.job->spec().member()); }
#define SPEC_OR_NUMBER_NA(member)                                          \
  [](Out& o, const Row& r, const Ctx&) {                                   \
    number_or_na(o, r.job->spec().has_##member(), r.job->spec().member()); \
  }
#define COUNT(member) [](Out& o, const Row& r, const Ctx& c) { count(o, c, r.job->member()); }
#define TIME(member) [](Out& o, const Row& r, const Ctx& c) { time_or_na(o, c, r.job->member()); }
#define FLAG(member) [](Out& o, const Row& r, const Ctx&) { flag(o, r.job->member()); }
#define SPEC_FLAG(member) [](Out& o, const Row& r, const Ctx&) { flag(o, r.job->spec().member()); }

constexpr JobField kFields[] = {
    {'a', "account", "ACCOUNT", TEXT_OR_NULL(account)},
    {'b', "tres-per-node", "TRES_PER_NODE", TEXT_OR_NA(tres_per_node), kFull},
    {0, "gres", "TRES_PER_NODE", TEXT_OR_NA(tres_per_node), kFull},
    {'c', "mincpus", "MIN_CPUS", COUNT(min_cpus_per_node), kFull},
    {'d', "mintmpdisk", "MIN_TMP_DISK",
     [](Out& o, const Row& r, const Ctx& c) { megabytes(o, c, r.job->tmp_mb()); }, kFull},
    {'e', "endtime", "END_TIME", TIME(end_time)},
    {'f', "feature", "FEATURES", TEXT_OR_NULL(features), kFull},
    {'g', "groupname", "GROUP", TEXT(group)},
    {'h', "oversubscribe", "OVER_SUBSCRIBE",
     [](Out& o, const Row& r, const Ctx&) { text_or(o, r.job->oversubscribe(), "OK"); }, kFull},
    {0, "shared", "OVER_SUBSCRIBE",
     [](Out& o, const Row& r, const Ctx&) { text_or(o, r.job->oversubscribe(), "OK"); }, kFull},
    {'i', "jobarrayid", "JOBID", id},
    {'j', "name", "NAME", TEXT(name)},
    {'k', "comment", "COMMENT", TEXT_OR_NULL(comment), kFull},
    {'l', "timelimit", "TIME_LIMIT",
     [](Out& o, const Row& r, const Ctx&) { minutes(o, r.job->time_limit()); }, 0, nullptr,
     Cut::kTitle},
    {'m', "minmemory", "MIN_MEMORY",
     [](Out& o, const Row& r, const Ctx& c) { megabytes(o, c, min_memory_mb(*r.job)); }, kFull},
    {'n', "reqnodes", "REQ_NODES",
     [](Out& o, const Row& r, const Ctx&) { o += r.job->spec().required_nodes(); }, kFull},
    {'o', "command", "COMMAND", TEXT_OR_NULL(command), kFull},
    {'p', "priority", "PRIORITY",
     [](Out& o, const Row& r, const Ctx&) { priority_fraction(o, r.job->priority()); }},
    {'q', "qos", "QOS", TEXT_OR_NULL(qos)},
    {'r', "reason", "REASON", [](Out& o, const Row& r, const Ctx&) { reason(o, r); }},
    {'s', "selectjobinfo", "", nothing},
    {'t', "statecompact", "ST",
     [](Out& o, const Row& r, const Ctx&) { o += job_state_code(r.job->state()); }},
    {'u', "username", "USER", TEXT(user)},
    {'v', "reservation", "RESERVATION", TEXT_OR_NULL(resv_name), kFull},
    {'w', "wckey", "WCKEY", TEXT_OR_NULL(wckey), kFull},
    {'x', "", "EXC_NODES",
     [](Out& o, const Row& r, const Ctx&) { o += r.job->spec().excluded_nodes(); }, kFull},
    {'y', "nice", "NICE", nice},
    {'z', "sct", "S:C:T", sockets_cores_threads, kFull},
    {'A', "jobid", "JOBID", NUMBER(job_id)},
    {'B', "batchhost", "EXEC_HOST",
     [](Out& o, const Row& r, const Ctx&) { text_or(o, r.job->batch_host(), "n/a"); }, kFull},
    {'C', "numcpus", "CPUS", COUNT(num_cpus)},
    {'D', "numnodes", "NODES", COUNT(num_nodes)},
    {'E', "dependency", "DEPENDENCY", TEXT_OR_NULL(dependency), kFull},
    {'F', "arrayjobid", "ARRAY_JOB_ID", array_job_id},
    {'G', "groupid", "GROUP", NUMBER(gid)},
    {'H', "sockets", "SOCKETS_PER_NODE", sockets, kFull},
    {'I', "cores", "CORES_PER_SOCKET", cores, kFull},
    {'J', "threads", "THREADS_PER_CORE", threads, kFull},
    {'K', "arraytaskid", "ARRAY_TASK_ID", task_id},
    {'L', "timeleft", "TIME_LEFT",
     [](Out& o, const Row& r, const Ctx& c) { time_left(o, *r.job, c.now); }, 0, nullptr,
     Cut::kTitle},
    {'M', "timeused", "TIME",
     [](Out& o, const Row& r, const Ctx& c) {
       o += format_duration_short(seconds_used(*r.job, c.now));
     },
     0, nullptr, Cut::kTitle},
    {'N', "nodelist", "NODELIST", TEXT(nodes), 0, nullptr, Cut::kLeftOnly},
    {'O', "contiguous", "CONTIGUOUS", SPEC_FLAG(contiguous), kFull},
    {'P', "partition", "PARTITION", [](Out& o, const Row& r, const Ctx&) { o += r.partition; }},
    {'Q', "prioritylong", "PRIORITY", NUMBER(priority)},
    {'R', "reasonlist", "NODELIST(REASON)",
     [](Out& o, const Row& r, const Ctx&) { reason_or_nodes(o, r); }, 0, nullptr, Cut::kLeftOnly},
    {'S', "starttime", "START_TIME", TIME(start_time)},
    {'T', "state", "STATE",
     [](Out& o, const Row& r, const Ctx&) { o += job_state_name(r.job->state()); }},
    {'U', "userid", "UID", NUMBER(uid)},
    {'V', "submittime", "SUBMIT_TIME", TIME(submit_time)},
    {'W', "licenses", "LICENSES", TEXT_OR_NULL(licenses), kFull},
    {'X', "corespec", "CORE_SPEC", SPEC_OR_NUMBER_NA(core_spec), kFull},
    {'Y', "schednodes", "SCHEDNODES", TEXT_OR_NULL(scheduled_nodes), kFull, nullptr,
     Cut::kLeftOnly},
    {'Z', "workdir", "WORK_DIR", TEXT_OR_NULL(work_dir), kFull},

    {0, "accruetime", "ACCRUE_TIME", TIME(accrue_time)},
    {0, "admin_comment", "ADMIN_COMMENT", TEXT_OR_NULL(admin_comment), kFull},
    {0, "allocnodes", "ALLOC_NODES", TEXT_OR_NULL(alloc_host), kFull},
    {0, "allocsid", "ALLOC_SID", NUMBER(alloc_sid), kFull},
    {0, "associd", "ASSOC_ID", NUMBER(assoc_id), kFull},
    {0, "batchflag", "BATCH_FLAG", FLAG(batch)},
    {0, "boardspernode", "BOARDS_PER_NODE", zero},
    {0, "burstbuffer", "BURST_BUFFER", SPEC_OR_NULL(burst_buffer), kFull},
    {0, "burstbufferstate", "BURST_BUFFER_STATE", null_text},
    {0, "cluster", "CLUSTER", TEXT_OR_NULL(cluster), kFull},
    {0, "clusterfeature", "CLUSTER_FEATURES", SPEC_OR_NULL(cluster_constraint), kFull},
    {0, "container", "CONTAINER", SPEC_OR_NULL(container), kFull},
    {0, "cpuspertask", "CPUS_PER_TASK", NUMBER(cpus_per_task), kFull},
    {0, "cpus-per-task", "CPUS_PER_TASK", NUMBER(cpus_per_task), kFull},
    {0, "cpus-per-tres", "CPUS_PER_TRES",
     [](Out& o, const Row& r, const Ctx&) {
       per_gpu(o, r.job->spec().has_cpus_per_gpu(), r.job->spec().cpus_per_gpu());
     },
     kFull},
    {0, "deadline", "DEADLINE", TIME(deadline), kFull},
    {0, "delayboot", "DELAY_BOOT",
     [](Out& o, const Row& r, const Ctx&) {
       o += format_duration_short(r.job->spec().delay_boot());
     },
     kFull},
    {0, "derivedec", "DERIVED_EC",
     [](Out& o, const Row& r, const Ctx&) { status(o, r.job->derived_exit_code()); }, kFull},
    {0, "eligibletime", "ELIGIBLE_TIME", TIME(eligible_time)},
    {0, "exit_code", "EXIT_CODE",
     [](Out& o, const Row& r, const Ctx&) { status(o, r.job->exit_code()); }},
    {0, "hetjobid", "HET_JOB_ID", not_applicable},
    {0, "hetjobidset", "HET_JOB_ID_SET", not_applicable},
    {0, "hetjoboffset", "HET_JOB_OFFSET", not_applicable},
    {0, "packjobid", "HET_JOB_ID", not_applicable},
    {0, "packjobidset", "HET_JOB_ID_SET", not_applicable},
    {0, "packjoboffset", "HET_JOB_OFFSET", not_applicable},
    {0, "lastschedeval", "LAST_SCHED_EVAL", TIME(last_sched_eval), kFull},
    {0, "maxcpus", "MAX_CPUS", COUNT(num_cpus)},
    {0, "maxnodes", "MAX_NODES", max_nodes, kFull},
    {0, "mcslabel", "MCSLABEL", SPEC_OR_NULL(mcs_label), kFull},
    {0, "mem-per-tres", "MEM_PER_TRES",
     [](Out& o, const Row& r, const Ctx&) {
       per_gpu(o, r.job->spec().has_mem_per_gpu_mb(), r.job->spec().mem_per_gpu_mb());
     },
     kFull},
    {0, "mintime", "TIME_MIN",
     [](Out& o, const Row& r, const Ctx&) { minutes(o, r.job->time_min()); }, kFull},
    {0, "network", "NETWORK", SPEC_OR_NULL(network), kFull},
    {0, "ntperboard", "NTASKS_PER_BOARD", zero},
    {0, "ntpercore", "NTASKS_PER_CORE", SPEC_OR_NUMBER_NA(ntasks_per_core), kFull},
    {0, "ntpernode", "NTASKS_PER_NODE", SPEC_NUMBER(ntasks_per_node), kFull},
    {0, "ntpersocket", "NTASKS_PER_SOCKET", SPEC_OR_NUMBER_NA(ntasks_per_socket), kFull},
    {0, "numtasks", "TASKS", COUNT(num_tasks)},
    {0, "origin", "ORIGIN", no_federation},
    {0, "originraw", "ORIGIN_RAW", no_federation},
    {0, "pendingtime", "PENDING_TIME", pending_time},
    {0, "preempttime", "PREEMPT_TIME", TIME(preempt_time), kFull},
    {0, "prefer", "PREFER", SPEC_OR_NULL(prefer), kFull},
    {0, "profile", "PROFILE",
     [](Out& o, const Row& r, const Ctx&) { profile(o, r.job->spec().profile()); }, kFull},
    {0, "reboot", "REBOOT", SPEC_FLAG(reboot), kFull},
    {0, "reqswitch", "REQ_SWITCH", SPEC_NUMBER(switches), kFull},
    {0, "requeue", "REQUEUE", FLAG(requeue), kFull},
    {0, "resizetime", "RESIZE_TIME", TIME(resize_time), kFull, nullptr, Cut::kTitle},
    {0, "restartcnt", "RESTART_COUNT", NUMBER(restarts), kFull},
    {0, "siblingsactive", "ACTIVE_SIBLINGS", no_federation},
    {0, "siblingsactiveraw", "ACTIVE_SIBLINGS_RAW", no_federation},
    {0, "siblingsviable", "VIABLE_SIBLINGS", no_federation},
    {0, "siblingsviableraw", "VIALBLE_SIBLINGS_RAW", no_federation},
    {0, "sperboard", "SOCKETS_PER_BOARD", zero},
    {0, "stderr", "STDERR", standard_error, kFull},
    {0, "stdin", "STDIN", TEXT_OR_NULL(std_in), kFull},
    {0, "stdout", "STDOUT", standard_output, kFull},
    {0, "system_comment", "SYSTEM_COMMENT", TEXT_OR_NULL(system_comment), kFull},
    {0, "tres-alloc", "TRES_ALLOC", tres, kFull},
    {0, "tres-bind", "TRES_BIND",
     [](Out& o, const Row& r, const Ctx&) { gpu_option(o, r.job->spec().gpu_bind()); }, kFull},
    {0, "tres-freq", "TRES_FREQ",
     [](Out& o, const Row& r, const Ctx&) { gpu_option(o, r.job->spec().gpu_freq()); }, kFull},
    {0, "tres-per-job", "TRES_PER_JOB", TEXT_OR_NA(tres_per_job), kFull},
    {0, "tres-per-socket", "TRES_PER_SOCKET", TEXT_OR_NA(tres_per_socket), kFull},
    {0, "tres-per-task", "TRES_PER_TASK", TEXT_OR_NA(tres_per_task), kFull},
    {0, "wait4switch", "WAIT4SWITCH",
     [](Out& o, const Row& r,
        const Ctx&) { o += format_duration_short(r.job->spec().switches_wait_s()); },
     kFull},
};

}  // namespace

std::span<const JobField> job_fields() {
  return kFields;
}

}  // namespace grappe
