#include "cli/squeue/job_fields.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/squeue/job_samples.h"

namespace grappe {
namespace {

JobContext context() {
  samples::use_utc();
  JobContext c;
  c.now = samples::kNow;
  return c;
}

std::string line(const v1::JobInfo& job, std::string_view text, bool letters) {
  Format format = letters ? parse_letter_format(text) : parse_name_format(text);
  JobTable table(format, job_fields(), letters,
                 [](std::string_view key) { ADD_FAILURE() << "unknown field " << key; });
  std::string out;
  table.append_row(out, {&job, std::nullopt, job.array_tasks(), job.partition()}, context());
  out.pop_back();
  return out;
}
std::string by_letters(const v1::JobInfo& job, std::string_view text) {
  return line(job, text, true);
}
std::string by_name(const v1::JobInfo& job, std::string name) {
  return line(job, name + ":0", false);
}

// The lines of `squeue -o %all`, whole.
TEST(JobFields, ShowEveryLetterAsSlurm) {
  EXPECT_EQ(
      by_letters(samples::held(), kJobAllFormat),
      "cs|N/A|2|100M|2026-11-16T22:55:05|(null)|alice|NO|32|held|(null)|1-02:04:00|300M|node3|"
      "(null)|0.00000000000000|normal|JobHeldUser||PD|alice|(null)|w1|node1|0|1:4:1|32|n/a|3|1|"
      "(null)|32|1001|1|4|1|N/A|1-02:04:00|0:00||1|batch|0|(JobHeldUser)|2026-11-15T20:51:05|"
      "PENDING|1001|2026-11-15T19:51:05|(null)|N/A|(null)|/home/alice");
  EXPECT_EQ(
      by_letters(samples::array(), kJobAllFormat),
      "es.shj|N/A|1|0|N/A|(null)|bob|OK|31_[1,3,5,7,9,20-24%3]|arr|(null)|5:00|512M||(null)|"
      "0.00000000000000|normal|JobHeldUser||PD|bob|(null)|(null)||0|*:*:*|31|n/a|1|1|(null)|31|"
      "1002|*|*|*|1,3,5,7,9,20-24%3|5:00|0:00||0|batch|0|(JobHeldUser)|N/A|PENDING|1002|"
      "2026-11-15T19:50:51|(null)|N/A|(null)|/home/bob");
  EXPECT_EQ(by_letters(samples::running(), kJobAllFormat),
            "cs|gres:gpu:1|2|0|2026-11-15T20:20:51|(null)|alice|OK|30|bigjob|hello world|30:00|2G||"
            "/tmp/job.sh arg1 arg2|0.00000268500298|normal|None||R|alice|(null)|(null)||5|*:*:*|30|"
            "node1|8|2|(null)|30|1001|*|*|*|N/A|29:44|0:16|node[1-2]|0|batch|11532|node[1-2]|"
            "2026-11-15T19:50:51|RUNNING|1001|2026-11-15T19:50:51|(null)|N/A|(null)|/home/alice");
  EXPECT_EQ(
      by_letters(samples::dependent(), kJobAllFormat),
      "es|N/A|1|0|N/A|(null)|carol|OK|34|dep|(null)|7-00:00:00|512M||(null)|0.00000268756412|"
      "normal|Dependency||PD|carol|(null)|(null)||0|*:*:*|34|n/a|20|3|afterany:30(unfulfilled)|"
      "34|1003|*|*|*|N/A|7-00:00:00|0:00||0|batch,c-iq|11543|(Dependency)|N/A|PENDING|1003|"
      "2026-11-15T19:51:05|(null)|N/A|(null)|/home/carol");
}

struct NameCase {
  const char* name;
  const char* running;  // job 30
  const char* held;     // job 32
};

// What `squeue -O name` printed for the two jobs, but for the differences job_samples.h names.
constexpr NameCase kNames[] = {
    {"account", "cs", "cs"},
    {"accruetime", "2026-11-15T19:50:51", "N/A"},
    {"admin_comment", "(null)", "(null)"},
    {"allocnodes", "localhost", "localhost"},
    {"allocsid", "9396", "9396"},
    {"arrayjobid", "30", "32"},
    {"arraytaskid", "N/A", "N/A"},
    {"associd", "7", "7"},
    {"batchflag", "1", "1"},
    {"batchhost", "node1", "n/a"},
    {"boardspernode", "0", "0"},
    {"burstbuffer", "(null)", "(null)"},
    {"burstbufferstate", "(null)", "(null)"},
    {"cluster", "peer", "peer"},
    {"clusterfeature", "(null)", "(null)"},
    {"command", "/tmp/job.sh arg1 arg2", "(null)"},
    {"comment", "hello world", "(null)"},
    {"contiguous", "0", "1"},
    {"container", "(null)", "(null)"},
    {"cores", "*", "4"},
    {"corespec", "N/A", "N/A"},
    {"cpuspertask", "2", "1"},
    {"cpus-per-task", "2", "1"},
    {"cpus-per-tres", "N/A", "N/A"},
    {"deadline", "N/A", "2026-12-15T19:51:05"},
    {"delayboot", "0:00", "0:00"},
    {"dependency", "(null)", "(null)"},
    {"derivedec", "0", "0"},
    {"eligibletime", "2026-11-15T19:50:51", "2026-11-15T20:51:05"},
    {"endtime", "2026-11-15T20:20:51", "2026-11-16T22:55:05"},
    {"exit_code", "0", "0"},
    {"feature", "(null)", "(null)"},
    {"gres", "gres:gpu:1", "N/A"},
    {"groupid", "1001", "1001"},
    {"groupname", "alice", "alice"},
    {"hetjobid", "N/A", "N/A"},
    {"hetjobidset", "N/A", "N/A"},
    {"hetjoboffset", "N/A", "N/A"},
    {"packjobid", "N/A", "N/A"},
    {"packjobidset", "N/A", "N/A"},
    {"packjoboffset", "N/A", "N/A"},
    {"jobarrayid", "30", "32"},
    {"jobid", "30", "32"},
    {"lastschedeval", "2026-11-15T19:50:51", "2026-11-15T19:51:05"},
    {"licenses", "(null)", "(null)"},
    {"maxcpus", "8", "3"},
    {"maxnodes", "2", "3"},
    {"mcslabel", "(null)", "(null)"},
    {"mem-per-tres", "N/A", "N/A"},
    {"mincpus", "2", "2"},
    {"minmemory", "2G", "300M"},
    {"mintime", "0:00", "10:00"},
    {"mintmpdisk", "0", "100M"},
    {"name", "bigjob", "held"},
    {"network", "(null)", "(null)"},
    {"nice", "5", "0"},
    {"nodelist", "node[1-2]", ""},
    {"ntperboard", "0", "0"},
    {"ntpercore", "N/A", "N/A"},
    {"ntpernode", "0", "2"},
    {"ntpersocket", "N/A", "N/A"},
    {"numcpus", "8", "3"},
    {"numnodes", "2", "1"},
    {"numtasks", "4", "3"},
    {"origin", "NA", "NA"},
    {"originraw", "NA", "NA"},
    {"oversubscribe", "OK", "NO"},
    {"shared", "OK", "NO"},
    {"partition", "batch", "batch"},
    {"pendingtime", "0", "2"},
    {"preempttime", "N/A", "N/A"},
    {"prefer", "(null)", "(null)"},
    {"priority", "0.00000268500298", "0.00000000000000"},
    {"prioritylong", "11532", "0"},
    {"profile", "NotSet", "NotSet"},
    {"qos", "normal", "normal"},
    {"reason", "None", "JobHeldUser"},
    {"reasonlist", "node[1-2]", "(JobHeldUser)"},
    {"reboot", "0", "0"},
    {"reqnodes", "", "node3"},
    {"reqswitch", "0", "1"},
    {"requeue", "1", "0"},
    {"reservation", "(null)", "(null)"},
    {"resizetime", "N/A", "N/A"},
    {"restartcnt", "0", "0"},
    {"schednodes", "(null)", "(null)"},
    {"sct", "*:*:*", "1:4:1"},
    {"selectjobinfo", "", ""},
    {"siblingsactive", "NA", "NA"},
    {"siblingsactiveraw", "NA", "NA"},
    {"siblingsviable", "NA", "NA"},
    {"siblingsviableraw", "NA", "NA"},
    {"sockets", "*", "1"},
    {"sperboard", "0", "0"},
    {"starttime", "2026-11-15T19:50:51", "2026-11-15T20:51:05"},
    {"state", "RUNNING", "PENDING"},
    {"statecompact", "R", "PD"},
    {"stderr", "/home/alice/err-%j.txt", "/home/alice/slurm-32.out"},
    {"stdin", "/dev/null", "/dev/null"},
    {"stdout", "/home/alice/out-%j.txt", "/home/alice/slurm-32.out"},
    {"submittime", "2026-11-15T19:50:51", "2026-11-15T19:51:05"},
    {"system_comment", "(null)", "(null)"},
    {"threads", "*", "1"},
    {"timeleft", "29:44", "1-02:04:00"},
    {"timelimit", "30:00", "1-02:04:00"},
    {"timeused", "0:16", "0:00"},
    {"tres-alloc", "cpu=8,mem=4G,node=2,billing=8,gres/gpu=2",
     "cpu=3,mem=900M,node=1,billing=3,gres/gpu=3"},
    {"tres-bind", "N/A", "N/A"},
    {"tres-freq", "N/A", "N/A"},
    {"tres-per-job", "N/A", "gres:gpu:3"},
    {"tres-per-node", "gres:gpu:1", "N/A"},
    {"tres-per-socket", "N/A", "N/A"},
    {"tres-per-task", "N/A", "gres:gpu:1"},
    {"userid", "1001", "1001"},
    {"username", "alice", "alice"},
    {"wait4switch", "0:00", "5:00"},
    {"wckey", "(null)", "w1"},
    {"workdir", "/home/alice", "/home/alice"},
};

TEST(JobFields, ShowEveryNameAsSlurm) {
  std::set<std::string_view> tested;
  for (const NameCase& c : kNames) {
    EXPECT_EQ(by_name(samples::running(), c.name), c.running) << c.name;
    EXPECT_EQ(by_name(samples::held(), c.name), c.held) << c.name;
    tested.insert(c.name);
  }
  for (const JobField& field : job_fields()) {
    EXPECT_TRUE(field.name.empty() || tested.contains(field.name)) << field.name << " has no case";
  }
}

TEST(JobFields, HaveTheTitlesOfSlurm) {
  std::string header;
  JobTable(parse_letter_format(kJobAllFormat), job_fields(), true, [](std::string_view) {
  }).append_header(header);
  EXPECT_EQ(
      header,
      "ACCOUNT|TRES_PER_NODE|MIN_CPUS|MIN_TMP_DISK|END_TIME|FEATURES|GROUP|OVER_SUBSCRIBE|JOBID|"
      "NAME|COMMENT|TIME_LIMIT|MIN_MEMORY|REQ_NODES|COMMAND|PRIORITY|QOS|REASON||ST|USER|"
      "RESERVATION|WCKEY|EXC_NODES|NICE|S:C:T|JOBID|EXEC_HOST|CPUS|NODES|DEPENDENCY|ARRAY_JOB_ID|"
      "GROUP|SOCKETS_PER_NODE|CORES_PER_SOCKET|THREADS_PER_CORE|ARRAY_TASK_ID|TIME_LEFT|TIME|"
      "NODELIST|CONTIGUOUS|PARTITION|PRIORITY|NODELIST(REASON)|START_TIME|STATE|UID|SUBMIT_TIME|"
      "LICENSES|CORE_SPEC|SCHEDNODES|WORK_DIR\n");
}

TEST(JobFields, ShowWhatWasAskedPerGpu) {
  v1::JobInfo job = samples::held();
  job.mutable_spec()->set_cpus_per_gpu(2);
  job.mutable_spec()->set_mem_per_gpu_mb(1024);
  job.mutable_spec()->set_gpu_bind("closest");
  job.mutable_spec()->set_gpu_freq("high");
  job.mutable_spec()->set_profile("all");
  EXPECT_EQ(by_name(job, "cpus-per-tres"), "gres:gpu:2");
  EXPECT_EQ(by_name(job, "mem-per-tres"), "gres:gpu:1024");
  EXPECT_EQ(by_name(job, "tres-bind"), "gpu:closest");
  EXPECT_EQ(by_name(job, "tres-freq"), "gpu:high");
  EXPECT_EQ(by_name(job, "profile"), "Energy,Lustre,Network,Task");
}

TEST(JobFields, ShowTheReasonOrTheNodesByState) {
  v1::JobInfo job = samples::running();
  auto shown = [&](uint32_t state) {
    job.set_state(state);
    return by_letters(job, "%R");
  };
  job.set_reason("NonZeroExitCode");
  EXPECT_EQ(shown(5), "(NonZeroExitCode)");
  EXPECT_EQ(shown(5 | 0x8000), "node[1-2]");  // still completing
  EXPECT_EQ(shown(3), "node[1-2]");
  EXPECT_EQ(shown(6), "(NonZeroExitCode)");
  job.set_reason_detail("ReqNodeNotAvail, UnavailableNodes:node3");
  EXPECT_EQ(shown(0), "(ReqNodeNotAvail, UnavailableNodes:node3)");
  EXPECT_EQ(by_letters(job, "%r"), "ReqNodeNotAvail, UnavailableNodes:node3");
}

TEST(JobFields, CutALongIdAsSlurmDoes) {
  v1::JobInfo job = samples::array();
  job.set_job_id(406);
  job.set_array_job_id(406);
  job.set_array_tasks("0,2,5,7,9,11,13,17,19,23,29,31,37,41,43,47,53,59,61,67,71,73,79,83,89,97%7");
  EXPECT_EQ(by_letters(job, "%i|%K"),
            "406_[0,2,5,7,9,11,13,17,19,23,2|"
            "0,2,5,7,9,11,13,17,19,23,29,31,37,41,43,47,53,59,61,67,71,73...%7");
}

TEST(JobFields, CountSuspendedTimeOnce) {
  v1::JobInfo job = samples::running();
  job.set_state(2);
  job.set_pre_suspend_s(100);
  EXPECT_EQ(by_letters(job, "%M"), "1:40");
  job.set_state(1);
  job.set_suspend_time(samples::kNow - 5);
  EXPECT_EQ(by_letters(job, "%M"), "1:45");
}

TEST(JobFields, NeedTheFullViewOnlyWhereTheBriefOneLacksThem) {
  auto needs = [](std::string_view text) {
    return JobTable(parse_letter_format(text), job_fields(), true, [](std::string_view) {}).needs();
  };
  EXPECT_EQ(needs(kJobFormat), 0u);
  EXPECT_EQ(needs(kJobLongFormat), 0u);
  EXPECT_EQ(needs("%V %e %S %N %C"), 0u);
  for (std::string_view text : {"%b", "%B", "%Y", "%i %Z"}) EXPECT_EQ(needs(text), kNeedsFullJob);
}

}  // namespace
}  // namespace grappe
