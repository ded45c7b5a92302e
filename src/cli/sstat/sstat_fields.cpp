#include "base/duration.h"
#include "base/text.h"
#include "cli/sstat/sstat.h"

namespace grappe {
namespace {

using Step = v1::RunningStep;

#define FIELD(expression)                                      \
  [](const Step& step, const UseStyle& style) -> std::string { \
    (void)step, (void)style;                                   \
    return (expression);                                       \
  }
#define PART(quantity, part) use_part(step.use().quantity(), UsePart::part, step.num_tasks())
#define BYTES(quantity, part) FIELD(use_amount(PART(quantity, part), style))
#define NODE(quantity, which) FIELD(use_node(step.use(), step.use().quantity().which##_task()))
#define TASK(quantity, which) FIELD(std::to_string(step.use().quantity().which##_task()))
#define TRES(way, part) \
  FIELD(use_tres(step.use(), UseWay::way, UsePart::part, step.num_tasks(), style))
#define TRES_NODES(way, part) FIELD(use_tres_nodes(step.use(), UseWay::way, UsePart::part))
#define TRES_TASKS(way, part) FIELD(use_tres_tasks(step.use(), UseWay::way, UsePart::part))

std::string seconds_of(uint64_t micros) {
  return format_duration(static_cast<int64_t>(micros / 1'000'000));
}

std::string pids_of(const Step& step) {
  std::vector<std::string> words;
  for (uint32_t pid : step.pids()) words.push_back(std::to_string(pid));
  return join(words, ",");
}

std::string frequency_of(const Step& step) {
  return step.step_id() == "batch" ? "0" : "Unknown";
}

constexpr SstatField kFields[] = {
    {"AveCPU", 10, FIELD(seconds_of(PART(cpu_us, kAverage)))},
    {"AveCPUFreq", 10, FIELD("0")},
    {"AveDiskRead", 12, BYTES(read, kAverage)},
    {"AveDiskWrite", 12, BYTES(written, kAverage)},
    {"AvePages", 10, FIELD(std::to_string(PART(pages, kAverage)))},
    {"AveRSS", 10, BYTES(rss, kAverage)},
    {"AveVMSize", 10, BYTES(vsize, kAverage)},
    {"ConsumedEnergy", 14, FIELD("0")},
    {"ConsumedEnergyRaw", 17, FIELD("0")},
    {"JobID", -12, FIELD(std::to_string(step.job_id()) + "." + step.step_id())},
    {"MaxDiskRead", 12, BYTES(read, kMost)},
    {"MaxDiskReadNode", 15, NODE(read, max)},
    {"MaxDiskReadTask", 15, TASK(read, max)},
    {"MaxDiskWrite", 12, BYTES(written, kMost)},
    {"MaxDiskWriteNode", 16, NODE(written, max)},
    {"MaxDiskWriteTask", 16, TASK(written, max)},
    {"MaxPages", 8, FIELD(std::to_string(PART(pages, kMost)))},
    {"MaxPagesNode", 12, NODE(pages, max)},
    {"MaxPagesTask", 14, TASK(pages, max)},
    {"MaxRSS", 10, BYTES(rss, kMost)},
    {"MaxRSSNode", 10, NODE(rss, max)},
    {"MaxRSSTask", 10, TASK(rss, max)},
    {"MaxVMSize", 10, BYTES(vsize, kMost)},
    {"MaxVMSizeNode", 14, NODE(vsize, max)},
    {"MaxVMSizeTask", 14, TASK(vsize, max)},
    {"MinCPU", 10, FIELD(seconds_of(PART(cpu_us, kLeast)))},
    {"MinCPUNode", 10, NODE(cpu_us, min)},
    {"MinCPUTask", 10, TASK(cpu_us, min)},
    {"Nodelist", 20, FIELD(step.nodes())},
    {"NTasks", 8, FIELD(std::to_string(step.num_tasks()))},
    {"Pids", 20, FIELD(pids_of(step))},
    {"ReqCPUFreq", 10, FIELD(frequency_of(step))},
    {"ReqCPUFreqMin", 13, FIELD(frequency_of(step))},
    {"ReqCPUFreqMax", 13, FIELD(frequency_of(step))},
    {"ReqCPUFreqGov", 13, FIELD(frequency_of(step))},
    {"TRESUsageInAve", 14, TRES(kIn, kAverage)},
    {"TRESUsageInMax", 14, TRES(kIn, kMost)},
    {"TRESUsageInMaxNode", 18, TRES_NODES(kIn, kMost)},
    {"TRESUsageInMaxTask", 18, TRES_TASKS(kIn, kMost)},
    {"TRESUsageInMin", 14, TRES(kIn, kLeast)},
    {"TRESUsageInMinNode", 18, TRES_NODES(kIn, kLeast)},
    {"TRESUsageInMinTask", 18, TRES_TASKS(kIn, kLeast)},
    {"TRESUsageInTot", 14, TRES(kIn, kTotal)},
    {"TRESUsageOutAve", 15, TRES(kOut, kAverage)},
    {"TRESUsageOutMax", 15, TRES(kOut, kMost)},
    {"TRESUsageOutMaxNode", 19, TRES_NODES(kOut, kMost)},
    {"TRESUsageOutMaxTask", 19, TRES_TASKS(kOut, kMost)},
    {"TRESUsageOutMin", 15, TRES(kOut, kLeast)},
    {"TRESUsageOutMinNode", 19, TRES_NODES(kOut, kLeast)},
    {"TRESUsageOutMinTask", 19, TRES_TASKS(kOut, kLeast)},
    {"TRESUsageOutTot", 15, TRES(kOut, kTotal)},
};

}  // namespace

std::span<const SstatField> sstat_fields() {
  return kFields;
}

}  // namespace grappe
