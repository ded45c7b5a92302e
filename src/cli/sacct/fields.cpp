#include "cli/sacct/fields.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/duration.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "cli/format/exit_code.h"
#include "cli/format/use_text.h"
#include "model/job_state.h"

namespace grappe {
namespace {

using Row = SacctRow;
using Context = SacctContext;

const v1::JobInfo& info(const Row& row) {
  return row.job.info();
}

// Times. A step becomes eligible when it starts.

int64_t cut(int64_t time, const Context& c) {
  if (!c.truncate || !time) return time;
  return std::clamp(time, c.window_start, c.window_end);
}

int64_t start_of(const Row& row, const Context& c) {
  return cut(row.step ? row.step->info().start_time() : info(row).start_time(), c);
}

int64_t end_of(const Row& row, const Context& c) {
  const int64_t end = row.step ? row.step->info().end_time() : info(row).end_time();
  if (!end && c.truncate && start_of(row, c)) return c.window_end;
  return cut(end, c);
}

int64_t elapsed(const Row& row, const Context& c) {
  const int64_t start = start_of(row, c);
  if (!start) return 0;
  const int64_t end = end_of(row, c);
  const int64_t still = row.step ? 0 : row.job.suspended_s();
  return std::max<int64_t>((end ? end : c.now) - start - still, 0);
}

uint32_t cpus(const Row& row) {
  return row.step ? row.step->num_cpus() : info(row).num_cpus();
}

void put_time(std::string& out, int64_t time, const Context& c) {
  if (!time) {
    out += "Unknown";
    return;
  }
  c.time.append(out, time);
}

// The time from when a job could have run until it did.
int64_t waited(const Row& row, const Context& c) {
  const int64_t eligible = info(row).eligible_time();
  if (!eligible) return 0;
  const int64_t start = info(row).start_time();
  return std::max<int64_t>((start ? start : c.now) - eligible, 0);
}

// "00:01.250": with thousandths as long as it is less than an hour.
std::string cpu_time(uint64_t micros) {
  const uint64_t seconds = micros / 1'000'000, thousandths = micros % 1'000'000 / 1000;
  if (!thousandths || seconds >= 3600) return format_duration(static_cast<int64_t>(seconds));
  return fmt::format("{:02}:{:02}.{:03}", seconds / 60, seconds % 60, thousandths);
}

template <class Of>
uint64_t sum_of_steps(const Row& row, Of of) {
  if (row.step) return of(*row.step);
  uint64_t sum = 0;
  for (const v1::StepRecord& step : row.job.steps()) sum += of(step);
  return sum;
}

uint64_t user_time(const Row& row) {
  return sum_of_steps(row, [](const v1::StepRecord& step) { return step.user_us(); });
}

uint64_t system_time(const Row& row) {
  return sum_of_steps(row, [](const v1::StepRecord& step) { return step.system_us(); });
}

// Amounts.

std::string amount(double value, Unit from, const Context& c) {
  if (c.unit) return convert_units_to(value, from, *c.unit);
  return convert_units(value, from, c.convert ? Shorten::kExact : Shorten::kNever);
}

// "billing=2,cpu=2,mem=512M,node=1": by name, memory in the units asked for.
std::string tres(const std::string& text, uint64_t mem_mb, const Context& c) {
  std::vector<std::string_view> words = split_words(text, ",");
  std::sort(words.begin(), words.end());
  std::string out;
  out.reserve(text.size() + 16);
  for (std::string_view word : words) {
    if (!out.empty()) out += ',';
    if (word.starts_with("mem=")) {
      out += "mem=" + amount(static_cast<double>(mem_mb), Unit::kMega, c);
    } else {
      out += word;
    }
  }
  return out;
}

std::string allocated(const Row& row, const Context& c) {
  if (row.step) return tres(row.step->tres(), row.step->info().mem_mb(), c);
  return tres(info(row).tres_alloc(), row.job.mem_mb(), c);
}

// "gpu:2": what the guides of many sites still ask for as AllocGRES.
std::string gres_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::string_view word : split_words(text, ",")) {
    if (!word.starts_with("gres/")) continue;
    std::string gres(word.substr(5));
    std::replace(gres.begin(), gres.end(), '=', ':');
    out.push_back(std::move(gres));
  }
  return join(out, ",");
}

// What was measured of a step is told from its end on.
bool measured(const Row& row) {
  return row.step && row.step->info().end_time() && row.step->use().rss().max() != 0;
}

UseStyle style_of(const Context& c) {
  return {c.convert ? Shorten::kExact : Shorten::kNever, c.unit};
}

// What was read and written is told in megabytes, however little it is.
std::string megabytes(uint64_t bytes, const Context& c) {
  const double value = static_cast<double>(bytes) / (1 << 20);
  if (value > 1) return amount(value, Unit::kMega, c);
  return bytes ? fmt::format("{:.2f}M", value) : "0";
}

uint64_t part_of(const Row& row, const v1::Spread& spread, UsePart part) {
  return use_part(spread, part, row.step->info().num_tasks());
}

bool is_batch(const Row& row) {
  return row.step && row.step->info().step_id() == "batch";
}

bool has_numbered_step(const v1::JobRecord& job) {
  return std::any_of(job.steps().begin(), job.steps().end(), [](const v1::StepRecord& step) {
    return step.info().step_id() != "batch" && step.info().end_time();
  });
}

void put_energy(std::string& out, const Row& row, const Context&) {
  if (row.step || has_numbered_step(row.job) || !info(row).start_time()) out += "0";
}

void put_frequency(std::string& out, const Row& row, const Context&) {
  out += is_batch(row) ? "0" : "Unknown";
}

// Words.

// What a user wrote, fit for the terminals of others.
std::string one_line(std::string text) {
  hide_control_characters(text);
  return text;
}

std::string state_text(const Row& row) {
  const uint32_t state = row.step ? row.step->info().state() : info(row).state();
  if (state & kStateRequeued) return std::string(job_state_name(kStateRequeued));
  const uint32_t base = state & kStateBaseMask;
  std::string out(job_state_name(base));
  if (!row.step && base_state(state) == JobState::kCancelled) {
    out += fmt::format(" by {}", row.job.cancelled_by());
  }
  return out;
}

// Of a job that was ended from outside the script's own end is not told.
std::string job_exit(const v1::JobInfo& job) {
  const JobState state = base_state(job.state());
  const bool ended = state == JobState::kCancelled || state == JobState::kTimeout ||
                     state == JobState::kPreempted || state == JobState::kDeadline ||
                     state == JobState::kNodeFail;
  return exit_code_text(ended ? 0 : job.exit_code());
}

void put_cluster(std::string& out, const Row& row, const Context&) {
  out += info(row).cluster();
}

std::string flags_text(const Row& row) {
  const bool started = info(row).num_nodes() && !info(row).nodes().empty();
  return (started ? "Sched" + info(row).scheduler() + "," : "") + "StartRecieved";
}

// What kept it from running; how it ended is no such reason.
std::string reason_text(const Row& row) {
  const bool waits = base_state(info(row).state()) == JobState::kPending;
  return waits ? info(row).reason() : "None";
}

std::string node_names(const Row& row) {
  const std::string& nodes = row.step ? row.step->info().nodes() : info(row).nodes();
  return nodes.empty() ? "None assigned" : nodes;
}

// A value of jobs that their steps leave empty, and the other way round.
#define OF_JOB(expression)                                 \
  [](std::string& out, const Row& row, const Context& c) { \
    (void)c;                                               \
    if (!row.step) out += (expression);                    \
  }
#define OF_STEP(expression)                                \
  [](std::string& out, const Row& row, const Context& c) { \
    (void)c;                                               \
    if (row.step) out += (expression);                     \
  }
#define OF_BOTH(expression)                                \
  [](std::string& out, const Row& row, const Context& c) { \
    (void)c;                                               \
    out += (expression);                                   \
  }
#define NUMBER(expression) std::to_string(expression)

void nothing(std::string&, const Row&, const Context&) {}

std::string id_or_nothing(uint32_t id) {
  return id ? std::to_string(id) : "";
}

// Of a step that was measured; of every other row nothing.
#define OF_USE(expression)                                 \
  [](std::string& out, const Row& row, const Context& c) { \
    (void)c;                                               \
    if (!measured(row)) return;                            \
    const v1::StepUse& use = row.step->use();              \
    (void)use;                                             \
    out += (expression);                                   \
  }
#define USE_BYTES(quantity, part) \
  OF_USE(use_amount(part_of(row, use.quantity(), UsePart::part), style_of(c)))
#define USE_DISK(quantity, part) OF_USE(megabytes(part_of(row, use.quantity(), UsePart::part), c))
#define USE_COUNT(quantity, part) OF_USE(NUMBER(part_of(row, use.quantity(), UsePart::part)))
#define USE_SECONDS(part) \
  OF_USE(format_duration( \
      static_cast<int64_t>(part_of(row, use.cpu_us(), UsePart::part) / 1'000'000)))
#define USE_NODE(quantity, which) OF_USE(use_node(use, use.quantity().which##_task()))
#define USE_TASK(quantity, which) OF_USE(NUMBER(use.quantity().which##_task()))
#define USE_TRES(way, part) \
  OF_USE(use_tres(use, UseWay::way, UsePart::part, row.step->info().num_tasks(), style_of(c)))
#define USE_TRES_NODES(way, part) OF_USE(use_tres_nodes(use, UseWay::way, UsePart::part))
#define USE_TRES_TASKS(way, part) OF_USE(use_tres_tasks(use, UseWay::way, UsePart::part))

// Averages and totals of a step that was not measured still say that of energy.
void put_sum(std::string& out, const Row& row, const Context& c, UseWay way, UsePart part) {
  if (!row.step || !row.step->info().end_time()) return;
  out += measured(row)
             ? use_tres(row.step->use(), way, part, row.step->info().num_tasks(), style_of(c))
             : "energy=0";
}
#define USE_SUM(way, part)                                 \
  [](std::string& out, const Row& row, const Context& c) { \
    put_sum(out, row, c, UseWay::way, UsePart::part);      \
  }

constexpr bool kListed = true, kWhole = true, kIds = true;

constexpr SacctWidth whole(int columns) {
  return {columns, Overflow::kWhole};
}
constexpr SacctWidth moment(int columns) {
  return {columns, Overflow::kCut};
}

constexpr SacctField kFields[] = {
    {"Account", 10, OF_BOTH(info(row).account())},
    {"AdminComment", 15, OF_JOB(one_line(info(row).admin_comment())), kListed, kWhole},
    {"AllocCPUS", whole(10), OF_BOTH(NUMBER(cpus(row)))},
    {"AllocNodes", 10,
     OF_BOTH(NUMBER(row.step                    ? row.step->info().num_nodes()
                    : info(row).nodes().empty() ? 0
                                                : info(row).num_nodes()))},
    {"AllocTRES", 10, OF_BOTH(allocated(row, c))},
    {"AssocID", whole(7), OF_BOTH(NUMBER(info(row).assoc_id()))},
    {"AveCPU", 10, USE_SECONDS(kAverage)},
    {"AveCPUFreq", 10, OF_STEP("0")},
    {"AveDiskRead", 14, USE_DISK(read, kAverage)},
    {"AveDiskWrite", 14, USE_DISK(written, kAverage)},
    {"AvePages", 10, USE_COUNT(pages, kAverage)},
    {"AveRSS", 10, USE_BYTES(rss, kAverage)},
    {"AveVMSize", 10, USE_BYTES(vsize, kAverage)},
    {"BlockID", 16, nothing},
    {"Cluster", 10, put_cluster, kListed, kWhole},
    {"Comment", 14, OF_JOB(one_line(info(row).comment())), kListed, kWhole},
    {"Constraints", 19, OF_JOB(info(row).features()), kListed, kWhole},
    {"ConsumedEnergy", 14, put_energy},
    {"ConsumedEnergyRaw", whole(17), put_energy},
    {"Container", 19, OF_JOB(row.job.container()), kListed, kWhole},
    {"CPUTime", whole(10), OF_BOTH(format_duration(elapsed(row, c) * cpus(row)))},
    {"CPUTimeRAW", whole(10), OF_BOTH(NUMBER(elapsed(row, c) * cpus(row)))},
    {"DBIndex", whole(-10), OF_BOTH(NUMBER(row.job.db_index()))},
    {"DerivedExitCode", 15, OF_JOB(exit_code_text(info(row).derived_exit_code()))},
    {"Elapsed", whole(10), OF_BOTH(format_duration(elapsed(row, c)))},
    {"ElapsedRaw", whole(10), OF_BOTH(NUMBER(elapsed(row, c)))},
    {"Eligible", moment(19),
     [](std::string& out, const Row& row, const Context& c) {
       put_time(out, row.step ? start_of(row, c) : info(row).eligible_time(), c);
     }},
    {"End", moment(19),
     [](std::string& out, const Row& row, const Context& c) { put_time(out, end_of(row, c), c); }},
    {"ExitCode", 8,
     OF_BOTH(row.step ? exit_code_text(row.step->info().exit_code()) : job_exit(info(row)))},
    {"Flags", 19, OF_JOB(flags_text(row)), kListed, kWhole},
    {"GID", whole(6), OF_JOB(NUMBER(info(row).gid()))},
    {"Group", 9, OF_JOB(info(row).group())},
    {"JobID", -12, OF_BOTH(sacct_job_id(row))},
    {"JobIDRaw", -12,
     OF_BOTH(NUMBER(info(row).job_id()) + (row.step ? "." + row.step->info().step_id() : ""))},
    {"JobName", 10, OF_BOTH(one_line(row.step ? row.step->info().name() : info(row).name()))},
    {"Layout", 9, OF_STEP(is_batch(row) ? "Unknown" : row.step->info().distribution())},
    {"MaxDiskRead", 12, USE_DISK(read, kMost)},
    {"MaxDiskReadNode", 15, USE_NODE(read, max)},
    {"MaxDiskReadTask", whole(15), USE_TASK(read, max)},
    {"MaxDiskWrite", 12, USE_DISK(written, kMost)},
    {"MaxDiskWriteNode", 16, USE_NODE(written, max)},
    {"MaxDiskWriteTask", whole(16), USE_TASK(written, max)},
    {"MaxPages", 8, USE_COUNT(pages, kMost)},
    {"MaxPagesNode", 12, USE_NODE(pages, max)},
    {"MaxPagesTask", whole(14), USE_TASK(pages, max)},
    {"MaxRSS", 10, USE_BYTES(rss, kMost)},
    {"MaxRSSNode", 10, USE_NODE(rss, max)},
    {"MaxRSSTask", whole(10), USE_TASK(rss, max)},
    {"MaxVMSize", 10, USE_BYTES(vsize, kMost)},
    {"MaxVMSizeNode", 14, USE_NODE(vsize, max)},
    {"MaxVMSizeTask", whole(14), USE_TASK(vsize, max)},
    {"McsLabel", 12, nothing},
    {"MinCPU", 10, USE_SECONDS(kLeast)},
    {"MinCPUNode", 10, USE_NODE(cpu_us, min)},
    {"MinCPUTask", whole(10), USE_TASK(cpu_us, min)},
    {"NCPUS", whole(10), OF_BOTH(NUMBER(cpus(row)))},
    {"NNodes", whole(8),
     OF_BOTH(NUMBER(row.step ? row.step->info().num_nodes() : info(row).num_nodes()))},
    {"NodeList", 15, OF_BOTH(node_names(row))},
    {"NTasks", whole(8), OF_STEP(NUMBER(row.step->info().num_tasks()))},
    {"Partition", 10, OF_JOB(info(row).partition())},
    {"Priority", whole(10), OF_JOB(NUMBER(info(row).priority()))},
    {"QOS", 10, OF_JOB(info(row).qos())},
    {"QOSRAW", whole(6), OF_JOB(NUMBER(c.ids.qos(info(row)))), kListed, !kWhole, kIds},
    {"Reason", 22, OF_JOB(reason_text(row))},
    {"ReqCPUFreq", 10, put_frequency},
    {"ReqCPUFreqGov", 13, put_frequency},
    {"ReqCPUFreqMax", 13, put_frequency},
    {"ReqCPUFreqMin", 13, put_frequency},
    {"ReqCPUS", whole(8), OF_BOTH(NUMBER(row.step ? row.step->num_cpus() : row.job.asked_cpus()))},
    {"ReqMem", 10, OF_JOB(amount(static_cast<double>(row.job.asked_mem_mb()), Unit::kMega, c))},
    {"ReqNodes", 8,
     OF_BOTH(NUMBER(row.step ? row.step->info().num_nodes() : row.job.asked_nodes()))},
    {"ReqTRES", 10, OF_JOB(tres(info(row).tres_req(), row.job.asked_mem_mb(), c)), kListed, kWhole},
    {"Reservation", 20, OF_JOB(info(row).resv_name()), kListed, kWhole},
    {"ReservationId", whole(8), OF_JOB(id_or_nothing(c.ids.reservation(info(row)))), kListed,
     kWhole, kIds},
    {"Reserved", whole(10), OF_JOB(format_duration(waited(row, c)))},
    {"ResvCPU", whole(10), OF_JOB(format_duration(waited(row, c) * row.job.asked_cpus()))},
    {"ResvCPURAW", whole(10), OF_JOB(NUMBER(waited(row, c) * row.job.asked_cpus()))},
    {"Start", moment(19),
     [](std::string& out, const Row& row,
        const Context& c) { put_time(out, start_of(row, c), c); }},
    {"State", 10, OF_BOTH(state_text(row))},
    {"Submit", moment(19),
     [](std::string& out, const Row& row,
        const Context&
            c) { put_time(out, row.step ? start_of(row, c) : info(row).submit_time(), c); }},
    {"SubmitLine", 20,
     OF_BOTH(one_line(row.step ? row.step->info().submit_line() : row.job.submit_line())), kListed,
     kWhole},
    {"Suspended", whole(10), OF_BOTH(format_duration(row.step ? 0 : row.job.suspended_s()))},
    {"SystemComment", 15, OF_JOB(one_line(info(row).system_comment())), kListed, kWhole},
    {"SystemCPU", 10, OF_BOTH(cpu_time(system_time(row)))},
    {"Timelimit", 10, OF_JOB(format_minutes(info(row).time_limit()))},
    {"TimelimitRaw", 10,
     OF_JOB(info(row).time_limit() == kInfinite ? "UNLIMITED" : NUMBER(info(row).time_limit()))},
    {"TotalCPU", 10, OF_BOTH(cpu_time(user_time(row) + system_time(row)))},
    {"TRESUsageInAve", 14, USE_SUM(kIn, kAverage)},
    {"TRESUsageInMax", 14, USE_TRES(kIn, kMost)},
    {"TRESUsageInMaxNode", 18, USE_TRES_NODES(kIn, kMost)},
    {"TRESUsageInMaxTask", 18, USE_TRES_TASKS(kIn, kMost)},
    {"TRESUsageInMin", 14, USE_TRES(kIn, kLeast)},
    {"TRESUsageInMinNode", 18, USE_TRES_NODES(kIn, kLeast)},
    {"TRESUsageInMinTask", 18, USE_TRES_TASKS(kIn, kLeast)},
    {"TRESUsageInTot", 14, USE_SUM(kIn, kTotal)},
    {"TRESUsageOutAve", 15, USE_SUM(kOut, kAverage)},
    {"TRESUsageOutMax", 15, USE_TRES(kOut, kMost)},
    {"TRESUsageOutMaxNode", 19, USE_TRES_NODES(kOut, kMost)},
    {"TRESUsageOutMaxTask", 19, USE_TRES_TASKS(kOut, kMost)},
    {"TRESUsageOutMin", 15, USE_TRES(kOut, kLeast)},
    {"TRESUsageOutMinNode", 19, USE_TRES_NODES(kOut, kLeast)},
    {"TRESUsageOutMinTask", 19, USE_TRES_TASKS(kOut, kLeast)},
    {"TRESUsageOutTot", 15, USE_SUM(kOut, kTotal)},
    {"UID", whole(6), OF_JOB(NUMBER(info(row).uid()))},
    {"User", 9, OF_JOB(info(row).user())},
    {"UserCPU", 10, OF_BOTH(cpu_time(user_time(row)))},
    {"WCKey", 10, OF_JOB(info(row).wckey_untracked() ? "" : info(row).wckey()), kListed, kWhole},
    {"WCKeyID", whole(10), OF_JOB(NUMBER(c.ids.wckey(info(row)))), kListed, kWhole, kIds},
    {"WorkDir", 20, OF_JOB(info(row).work_dir()), kListed, kWhole},
    {"AllocGRES", 12, OF_BOTH(gres_of(row.step ? row.step->tres() : info(row).tres_alloc())),
     false},
    {"ReqGRES", 12, OF_JOB(gres_of(info(row).tres_req())), !kListed, kWhole},
};

}  // namespace

std::span<const SacctField> sacct_fields() {
  return kFields;
}

std::string sacct_job_id(const SacctRow& row) {
  const v1::JobInfo& job = row.job.info();
  std::string id = std::to_string(job.job_id());
  if (job.array_job_id()) {
    id = std::to_string(job.array_job_id()) + "_";
    id += job.has_array_task_id() ? std::to_string(job.array_task_id())
                                  : "[" + job.array_tasks() + "]";
  }
  if (row.step) id += "." + row.step->info().step_id();
  return id;
}

}  // namespace grappe
